/// The commands that only a simulated MagicBell has. ``MagicBellCommand/init(name:arguments:)`` parses the JSON form.
///
/// `user` is the external id or e-mail address of a user; nil selects the only user.
package enum MagicBellCommand: Sendable, Equatable {
    /// Adds notifications, objects of the REST API (v1), and announces each with `notifications/new`.
    case publish([JSON], to: String? = nil, copies: Int = 1, announced: Bool = true)
    /// Publishes ``MagicBellSamples/notifications(now:)``.
    case samples(to: String? = nil)
    /// Overwrites members of a notification, without an event.
    case update(String, [String: JSON], of: String? = nil)
    /// An action as from another device, with its event.
    case act(StoredNotification.Action, String, of: String? = nil)
    case delete(String, of: String? = nil)
    case readAll(of: String? = nil)
    case seenAll(of: String? = nil)
    /// Removes a notification without an event; it is then unknown (404).
    case remove(String, of: String? = nil)
    /// After each of the next list requests, the newest notifications of the page disappear without an event.
    case shrinkPages(by: Int, times: Int = 1)
    /// Changes how the REST API behaves; nil keeps a setting.
    case configureREST(newerPreferences: Bool? = nil, severalFilters: Bool? = nil)
    /// Replaces a user's preferences.
    case preferences(SimulatedPreferences, of: String? = nil)

    /// Sends any message on the user's channel and own sockets.
    case emit(AblyServer.Message, to: String? = nil, copies: Int = 1)
    /// Sends a text frame unchanged to all connections of a user.
    case frame(String, to: String? = nil)
    case binaryFrame([UInt8], to: String? = nil)
    /// Ends connections; nil means all.
    case drop(MagicBellSockets.Drop, connection: SocketID? = nil)
    /// Ends the next connections as soon as they open, one each.
    case dropEarly(MagicBellSockets.Drop, times: Int = 1)
    /// Sends a frame of Ably's server to all its connections of a user, or of all users.
    case announce(AblyServer.Announcement, to: String? = nil)
    /// Answers the next Ably connections with an ERROR.
    case refuse(AblyError, times: Int = 1)
    /// Changes how the Ably server behaves.
    case configureAbly(AblySettings)
    /// Makes all Ably tokens expire; connected clients get DISCONNECTED with 40142.
    case expireAblyTokens
    /// `{"type":"error"}` on the own sockets.
    case socketError(code: Int, message: String)
    /// `{"type":"close"}` on the own sockets; they stay open.
    case socketClose
    /// Makes all inbox tokens of the own socket unknown.
    case expireInboxTokens

    /// Makes a user token; lifetime in seconds (negative: expired).
    case token(for: String? = nil, lifetime: Int64? = nil)
    /// Makes all user tokens invalid.
    case rotateTokens
    /// The HMAC of an external id or e-mail address.
    case hmac(String)
    case requireHMAC(Bool)

    case list(Listing)

    package enum Listing: Sendable, Equatable {
        case state, connections
        case notifications(of: String? = nil)
        case tokens(of: String? = nil)
    }
}

/// Settings of ``AblyServer`` that a command changes; nil keeps one.
package struct AblySettings: Sendable, Equatable {
    package var sendsHeartbeats: Bool?
    /// Milliseconds; for new connections.
    package var maxIdleInterval: Int64?
    /// Milliseconds.
    package var stateTTL: Int64?
    /// Milliseconds; for new tokens.
    package var tokenLifetime: Int64?
    package var holdsAttach: Bool?
    package var failingResumes: Int?
    package var omittedFlags: Int?

    package init(
        sendsHeartbeats: Bool? = nil,
        maxIdleInterval: Int64? = nil,
        stateTTL: Int64? = nil,
        tokenLifetime: Int64? = nil,
        holdsAttach: Bool? = nil,
        failingResumes: Int? = nil,
        omittedFlags: Int? = nil
    ) {
        self.sendsHeartbeats = sendsHeartbeats
        self.maxIdleInterval = maxIdleInterval
        self.stateTTL = stateTTL
        self.tokenLifetime = tokenLifetime
        self.holdsAttach = holdsAttach
        self.failingResumes = failingResumes
        self.omittedFlags = omittedFlags
    }
}
