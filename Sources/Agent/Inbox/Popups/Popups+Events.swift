package import Basics

/// The events and effects of ``Popups``.
extension Popups {
    /// Identifies one `Notify` call until its reply.
    package struct Request: Hashable, Sendable {
        package let number: UInt64
        package init(number: UInt64) { self.number = number }
    }

    /// The timers.
    package enum Timer: Hashable, Sendable {
        /// End of the catch-up: notifications of an absence are shown together.
        case catchUp
        /// End of a window of ``RateWindow``.
        case burst
        /// A shown notification expires.
        case expiry
        /// Retry after the server reached its limit of popups.
        case full
        /// A digest is due (``RuleEffects/digest``).
        case digest
        /// End of the wait for pictures.
        case picture
        /// Popups of the previous run that the server did not accept are replaced by themselves once more.
        case revival
    }

    /// The reason of `NotificationClosed` for a popup that the user dismissed.
    package static let dismissedByUser: UInt32 = 2
    /// The reason of `NotificationClosed` for a popup that expired.
    package static let expired: UInt32 = 1

    package enum Event: Sendable, Equatable {
        /// The saved state of the previous run, before any other event: shown notifications by account, and popups by
        /// server.
        case restored([String: DeliveryMarks], [String: [UInt32: SavedPopup]])
        /// The catch-up of an account is complete; `newest` is the time of creation of its newest notification. At the
        /// first connection to an inbox, existing notifications need no popup.
        case caughtUp(account: String, newest: Timestamp)
        /// New notifications of one account, oldest first. `isCatchUp`: they arrived during an absence, possibly with
        /// others.
        case arrived(account: String, [Notification], isCatchUp: Bool, now: Timestamp)
        /// A notification that the user had put off pops up again.
        case snoozeEnded(account: String, Notification, now: Timestamp)
        /// A notification was removed by another client, or has expired.
        case withdrawn(NotificationReference)
        /// A notification was read, here or in another client.
        case read(NotificationReference)
        /// A notification was seen, here or in another client. Ignored if showing it marks it as seen.
        case seenElsewhere(NotificationReference)
        /// All notifications of an account so far were read.
        case allRead(account: String)
        /// An account is online again, so its notifications can be revalidated.
        case accountOnline(String)
        /// An account was removed.
        case accountRemoved(String)
        /// A server owns the name. `server`: its name, which is never reused. `closed`: the ids of closed popups, from
        /// a server that sends signals only to the connection that showed the popup; nil if it broadcasts its signals.
        /// `alias`: another connection that repeats every signal of the server. Reported again for the same server when
        /// its capabilities become known.
        case serverAppeared(
            server: String,
            ServerFeatures,
            closed: Set<UInt32>? = nil,
            alias: String? = nil,
            now: Timestamp
        )
        /// Whether this server's do-not-disturb is on is known now; ``held(_:exceptCritical:)`` was reported before.
        case quietKnown(server: String, now: Timestamp)
        case serverVanished
        /// A call failed because this server has exited.
        case serverLost(String)
        /// `Notify` is called now.
        case sent(Request)
        /// `Notify` returned this id.
        case shown(Request, id: UInt32, now: Timestamp)
        /// `Notify` failed.
        case failed(Request, now: Timestamp)
        /// `Notify` was called, and there will be no reply although the server runs.
        case unanswered(Request, now: Timestamp)
        /// `Notify` failed: the server has reached its limit of popups.
        case refusedAsFull(Request, now: Timestamp)
        /// `isBesideReply`: it arrived together with the reply to a `Notify` call that showed a new popup.
        case signal(ServerSignal, isBesideReply: Bool = false, now: Timestamp)
        /// A reason to suppress popups begins. `exceptCritical`: critical ones are still shown.
        case held(PopupHolds.Reason, exceptCritical: Bool)
        /// A reason to suppress popups ends.
        case released(PopupHolds.Reason, now: Timestamp)
        /// The session was locked or unlocked.
        case locked(Bool)
        /// The picture was loaded into this file, or there is none.
        case pictureLoaded(PictureURL, file: String?)
        /// The timer fired, or the wall clock was set.
        case fired(Timer, now: Timestamp)
        /// The configuration changed. Of open popups only the texts are shown or hidden.
        case policyChanged(PopupPolicy)
        /// These patterns of the policy exceeded a limit with notifications of the inbox.
        case exceeded(Set<Rules.ExceedingPattern>)
    }

    /// A request to the agent, caused by a user's action on a popup, an account or the server.
    package enum Response: Sendable, Equatable {
        /// A click: mark the notification as interacted and open the URL of the button with this key, if there is one.
        /// The sender may have corrected it since it was shown.
        case activated(NotificationReference, OpenableURL?, key: String = Popup.defaultKey, token: String?)
        /// A click on a button of our own.
        case chosen(PopupAction, NotificationReference)
        /// The user has seen these.
        case seen([NotificationReference])
        /// A click on a summary: open the inbox of one of these accounts, preferably of the first. `newest`: its newest
        /// notification, unless none is left.
        case openInbox(accounts: [String], newest: NotificationReference?, token: String?)
        /// Check whether these are still unread; report those that are not with ``Event/withdrawn(_:)``.
        case revalidate([NotificationReference])
        /// Whether popups wait because the server has reached its limit.
        case serverIsFull(Bool)
        /// This pattern exceeds a limit, so that its rule may not apply.
        case patternExceedsLimit(Rules.ExceedingPattern)
    }

    package enum Effect: Sendable, Equatable {
        /// Show a popup; replace the one with the id unless it is 0. The next call follows its reply.
        case notify(Request, Popup, replacing: UInt32)
        case close(id: UInt32)
        /// Load a picture; report its end with ``Event/pictureLoaded(_:file:)``.
        case loadPicture(PictureURL)
        /// A popup waits and there is no server: start one if possible.
        case needServer
        /// Deliver ``Event/fired(_:now:)`` after this time; supersedes a running timer of the same kind.
        case wait(Timer, Duration)
        /// Ask the agent. Popups are closed and discarded after it: the user's action is then on disk.
        case respond(Response)
        /// Save: these were shown, with their times of creation; everything up to the watermark counts as
        /// shown.
        case delivered(account: String, [NotificationID: Timestamp], watermark: Timestamp?)
        /// Save: these were snoozed until now or earlier, and have popped up again.
        case snoozesShown(account: String, [NotificationID], now: Timestamp)
        /// Save the meaning of this popup.
        case keep(server: String, id: UInt32, SavedPopup)
        /// Delete these saved popups.
        case forget(server: String, ids: [UInt32])
        /// Delete the saved popups of all other servers.
        case forgetServers(except: String)
    }
}

extension Popups.Event {
    var now: Timestamp? {
        switch self {
        case .arrived(_, _, _, let now), .snoozeEnded(_, _, let now), .serverAppeared(_, _, _, _, let now),
            .shown(_, _, let now), .failed(_, let now), .unanswered(_, let now),
            .refusedAsFull(_, let now), .released(_, let now), .fired(_, let now), .signal(_, _, let now),
            .quietKnown(_, let now):
            now
        default: nil
        }
    }
}
