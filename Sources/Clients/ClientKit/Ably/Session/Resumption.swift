/// The state that a connection passes to the next one, so that the server continues where the first one ended.
package struct Resumption: Sendable, Equatable {
    /// Until the server says otherwise (Ably's feature specification, DF1a).
    package static let defaultStateTTL = Duration.seconds(120)

    package private(set) var connectionKey: String?
    /// The position in the channel.
    package internal(set) var channelSerial: String?
    /// Whether the channel was attached: only then can messages be missing or not.
    package internal(set) var hasAttached = false
    /// The messages that were delivered.
    var delivered = RecentIDs(capacity: 500)
    private var stateTTL = Self.defaultStateTTL
    /// When the connection was lost; nil: it is not lost, or there was none.
    private var lostAt: Duration?

    package init() {}

    /// The server accepted a connection, or sent its parameters again.
    mutating func connected(_ message: ProtocolMessage, maxIdleInterval: Duration) {
        connectionKey = message.resumeKey ?? connectionKey
        // The server notices a loss only after this interval.
        stateTTL = (message.connectionDetails?.connectionStateTTL ?? Self.defaultStateTTL) + maxIdleInterval
        lostAt = nil
    }

    /// A connection ended or could not be opened, `uptime` after a fixed moment. Only the first failure counts.
    package mutating func lost(at uptime: Duration) { lostAt = lostAt ?? uptime }

    /// Whether the server has discarded the state of the connection (Ably's feature specification, RTN14e and
    /// RTN15g).
    package func isSuspended(at uptime: Duration) -> Bool { lostAt.map { uptime - $0 > stateTTL } ?? false }

    /// The key to resume with; nil: a new connection is needed. The position in the channel stays valid: the server
    /// answers ATTACH with whether messages were lost.
    package func resumeKey(at uptime: Duration) -> String? { isSuspended(at: uptime) ? nil : connectionKey }

    /// The server or the client ended the connection for good.
    mutating func endConnection() {
        connectionKey = nil
        endChannel()
    }

    /// The channel failed: what follows is not continuous.
    mutating func endChannel() {
        channelSerial = nil
        hasAttached = false
    }
}
