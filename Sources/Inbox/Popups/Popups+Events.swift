/// What a `Popups` machine is told, and what it wants done.
extension Popups {
    /// A notification of one of the accounts.
    package struct Subject: Hashable, Sendable, Codable {
        package var account: String
        package var item: ItemID

        package init(account: String, item: ItemID) {
            self.account = account
            self.item = item
        }
    }

    /// Names one `Notify` call from its sending to its answer.
    package struct Request: Hashable, Sendable {
        package let number: UInt64
        package init(number: UInt64) { self.number = number }
    }

    /// Why popups are held back.
    package enum Hold: Hashable, Sendable {
        /// The person said so.
        case pause
        /// Quiet hours.
        case quiet
        /// The desktop's own do-not-disturb.
        case doNotDisturb
    }

    /// What is waited for.
    package enum Timer: Hashable, Sendable {
        /// What came while nobody looked comes in one go; this is its end.
        case settled
        /// A window of ``Burst``.
        case burst
        /// A notification on the screen becomes void.
        case expiry
        /// A server that had no room is asked again.
        case full
    }

    /// Reasons of `NotificationClosed` that mean something to us.
    package static let dismissedByUser: UInt32 = 2

    package enum Event: Sendable, Equatable {
        /// What an earlier life has left, before any other event: what was shown, by account, and the popups of all servers.
        case restored([String: DeliveryMarks], [String: [UInt32: KeptPopup]])
        /// All that was missed of an account has arrived; its newest notification was made then. What is in an inbox that was never seen
        /// before is no news.
        case caughtUp(account: String, newest: Timestamp)
        /// New notifications of one account, oldest first. `isCatchUp`: they came while nobody looked, perhaps with others.
        case arrived(account: String, [Item], isCatchUp: Bool, now: Timestamp)
        /// A notification was handled, removed or became void elsewhere.
        case withdrawn(Subject)
        /// All notifications of an account that have arrived so far were read.
        case allWithdrawn(account: String)
        /// An account can tell again how its notifications are.
        case accountOnline(String)
        /// An account is gone.
        case accountRemoved(String)
        /// `server` names it for ever: no other server, at any time, has this name. `closed`: the ids that are gone as it says, from a
        /// server that tells clicks only to the connection that showed the popup; nil: every connection hears them. `alias`: another
        /// connection that emits every signal of the server once more. The same server again: it has answered what it can do.
        case serverAppeared(
            server: String,
            ServerFeatures,
            closed: Set<UInt32>? = nil,
            alias: String? = nil,
            now: Timestamp
        )
        case serverVanished
        /// A call found that this server is gone.
        case serverLost(String)
        /// `Notify` returned this id.
        case shown(Request, id: UInt32, now: Timestamp)
        /// `Notify` failed. `retry`: the server was not there, so nothing was shown.
        case failed(Request, retry: Bool, now: Timestamp)
        /// `Notify` was not called: what the server can do is known now, and was not when the popup was made.
        case unsent(Request, now: Timestamp)
        /// `Notify` failed: the server keeps as many popups as it can.
        case refusedAsFull(Request, now: Timestamp)
        case activationToken(server: String, id: UInt32, token: String)
        case actionInvoked(server: String, id: UInt32, key: String)
        case closed(server: String, id: UInt32, reason: UInt32)
        /// Popups are held back from now on; those that are critical perhaps not.
        case held(Hold, exceptCritical: Bool)
        /// A reason to hold popups back is gone.
        case released(Hold, now: Timestamp)
        /// Whether somebody else may be looking at the screen.
        case locked(Bool)
        /// The wait is over, or the clock was set.
        case fired(Timer, now: Timestamp)
        /// The configuration changed. Popups that are shown already stay as they are.
        case policyChanged(PopupPolicy)
    }

    package enum Effect: Sendable, Equatable {
        /// Show this, in place of the popup with the id, unless it is 0.
        case notify(Request, Popup, replacing: UInt32)
        case close(id: UInt32)
        /// Whether popups wait because the server keeps as many as it can.
        case serverIsFull(Bool)
        /// Something waits and there is no server: one may be started.
        case needServer
        /// Deliver ``Event/fired(_:now:)`` after this time; a wait for the same is void.
        case wait(Timer, Duration)
        /// The person clicked: count it as interacted and open the address, if there is one.
        case activated(Subject, OpenableURL?, token: String?)
        /// The person has seen these.
        case seen([Subject])
        /// Look whether these are still unread, and tell of those that are not by ``Event/withdrawn(_:)``.
        case examine([Subject])
        /// Keep: these were shown, with their times of creation; everything up to `floor` counts as shown.
        case delivered(account: String, [ItemID: Timestamp], floor: Timestamp?)
        /// Keep what this popup stands for.
        case keep(server: String, id: UInt32, KeptPopup)
        /// These popups are gone.
        case forget(server: String, ids: [UInt32])
        /// The popups of all other servers are gone.
        case forgetServers(except: String)
    }
}

extension Popups.Event {
    var now: Timestamp? {
        switch self {
        case .arrived(_, _, _, let now), .serverAppeared(_, _, _, _, let now), .shown(_, _, let now),
            .failed(_, _, let now), .unsent(_, let now), .refusedAsFull(_, let now), .released(_, let now),
            .fired(_, let now):
            now
        default: nil
        }
    }
}
