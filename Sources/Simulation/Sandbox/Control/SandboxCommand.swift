/// The inbox that a command applies to. nil selects the only user or tenant.
package struct Recipient: Sendable, Equatable {
    package var user: String?
    package var tenant: String?

    package init(_ user: String? = nil, tenant: String? = nil) {
        self.user = user
        self.tenant = tenant
    }
}

/// The commands of the control surface. ``SandboxCommand/init(name:arguments:)`` parses the JSON form.
package enum SandboxCommand: Sendable, Equatable {
    /// Adds rows and announces each with `new_notification`. The objects hold fields of the row or of its message.
    case publish(
        [JSON],
        to: Recipient = Recipient(),
        as: RealtimeServer.Delivery = RealtimeServer.Delivery(),
        announced: Bool = true
    )
    /// Adds a row exactly as given, malformed or not; announced when it has an `n_id`.
    case publishRaw(JSON, to: Recipient = Recipient(), announced: Bool = true)
    /// Publishes ``SampleNotifications/notifications(now:host:)``.
    case samples(to: Recipient = Recipient())
    /// Overwrites fields of a row.
    case update(String, JSON, of: Recipient = Recipient(), announced: Bool = true)
    /// Sets a row's expiry to 1 ms before now.
    case expire(String, of: Recipient = Recipient())
    /// An action as from another device.
    case act(StoredInbox.Action, String, of: Recipient = Recipient())
    /// Removes a row without an event; its details then return 404.
    case remove(String, of: Recipient = Recipient())
    case bulkSeen([String], of: Recipient = Recipient())
    case readAll(of: Recipient = Recipient())
    case resetBadge(of: Recipient = Recipient())
    /// Sends any event.
    case emit(String, [JSON], to: Recipient = Recipient(), as: RealtimeServer.Delivery = RealtimeServer.Delivery())
    /// Sends a text frame unchanged to all connections of a user.
    case frame(String, to: Recipient = Recipient())
    /// Sends a binary frame.
    case binaryFrame([UInt8], to: Recipient = Recipient())
    /// Ends connections; nil means all.
    case drop(RealtimeServer.Drop, connection: Int? = nil)
    /// Ends the next connections, one each, at a step of joining.
    case dropEarly(RealtimeServer.EarlyDrop, times: Int = 1)
    /// With true, new connections get `joined_room` and events only after ``holdRooms(_:)`` with false.
    case holdRooms(Bool)
    /// Answers the next CONNECTs with CONNECT_ERROR.
    case refuse(ConnectRefusal, times: Int = 1)
    case fault(RequestFault)
    case clearFaults
    /// Sends the held answers and ends all `hold` faults.
    case release
    /// Invalidates all tokens of earlier generations.
    case rotateTokens
    /// Makes a token; lifetime in seconds (negative: expired), generation nil = the current one.
    case token(for: Recipient = Recipient(), lifetime: Int64? = nil, generation: Int? = nil)
    case enforceTokens(Bool)
    /// The Engine.IO heartbeat of new connections, in milliseconds.
    case pings(interval: Int64, timeout: Int64)
    /// Connection state recovery; the window in milliseconds.
    case recovery(Bool, window: Int64? = nil)
    /// The offset of the sandbox's clock from the real one, in milliseconds.
    case clock(offset: Int64)
    case preferences(StoredPreferences, of: Recipient = Recipient())
    /// How the simulated sign-in behaves from now on; `ends`: all present sign-ins end.
    case signIn(SimulatedSignIn.Settings, ends: Bool = false)
    case list(Listing)
    /// Empties the logs of requests, violations, events, and acks.
    case clear
    case help
    /// A command of a sandbox that simulates MagicBell. It has the faults, logs and clock of the others in common.
    case magicBell(MagicBellCommand)

    package enum Listing: Sendable, Equatable {
        case state, connections, acks, violations, events
        /// Requests with a later number.
        case requests(after: Int = 0)
        case interactions(of: Recipient = Recipient())
        case notifications(of: Recipient = Recipient())
    }
}

/// The reason why a command is rejected, in one sentence for its caller.
package struct CommandMistake: Error, Sendable, Equatable, CustomStringConvertible {
    package var sentence: String
    package var description: String { sentence }

    package init(_ sentence: String) { self.sentence = sentence }
}
