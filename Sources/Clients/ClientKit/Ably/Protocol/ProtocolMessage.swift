/// A message of Ably's realtime protocol, which is one text frame of the WebSocket (Ably's feature specification,
/// "ProtocolMessage").
///
/// Every field but the action is optional, and null equals absent. Fields that concern publishing, presence and
/// annotations are neither read nor written.
package struct ProtocolMessage: Sendable, Equatable {
    package var action: Action
    package var id: String?
    package var channel: String?
    /// An opaque position in the channel, sent back in ATTACH.
    package var channelSerial: String?
    package var connectionID: String?
    /// The position before ``ConnectionDetails/connectionKey`` existed; see ``resumeKey``.
    package var connectionKey: String?
    package var connectionDetails: ConnectionDetails?
    package var flags: Flags?
    package var error: ErrorInfo?
    /// `auth.accessToken`, from client to server. A secret.
    package var accessToken: String?
    package var messages: [AblyMessage]?
    /// Milliseconds since the Unix epoch.
    package var timestamp: Int64?

    package init(_ action: Action, channel: String? = nil) {
        self.action = action
        self.channel = channel
    }

    /// The key to resume this connection with.
    package var resumeKey: String? { connectionDetails?.connectionKey ?? connectionKey }

    /// The kind of a message (Ably's feature specification, TR2). A reader ignores unknown kinds.
    package struct Action: RawRepresentable, Sendable, Hashable {
        package var rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let heartbeat = Action(rawValue: 0)
        package static let ack = Action(rawValue: 1)
        package static let nack = Action(rawValue: 2)
        package static let connected = Action(rawValue: 4)
        package static let disconnected = Action(rawValue: 6)
        package static let close = Action(rawValue: 7)
        package static let closed = Action(rawValue: 8)
        package static let error = Action(rawValue: 9)
        package static let attach = Action(rawValue: 10)
        package static let attached = Action(rawValue: 11)
        package static let detach = Action(rawValue: 12)
        package static let detached = Action(rawValue: 13)
        package static let message = Action(rawValue: 15)
        package static let auth = Action(rawValue: 17)
    }

    /// Properties of a channel's attachment (Ably's feature specification, TR3).
    package struct Flags: OptionSet, Sendable, Hashable {
        package var rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static let hasPresence = Flags(rawValue: 1 << 0)
        package static let hasBacklog = Flags(rawValue: 1 << 1)
        /// No message was lost since the last attachment.
        package static let resumed = Flags(rawValue: 1 << 2)
        package static let attachResume = Flags(rawValue: 1 << 5)
        /// Only messages are received: no presence.
        package static let subscribe = Flags(rawValue: 1 << 18)
    }
}

extension ProtocolMessage {
    /// The parameters of a connection, in CONNECTED (Ably's feature specification, "ConnectionDetails").
    package struct ConnectionDetails: Sendable, Equatable {
        package var clientID: String?
        package var connectionKey: String?
        /// How long the server keeps the state of a lost connection.
        package var connectionStateTTL: Duration?
        /// After this time without another frame, the server sends a heartbeat; zero: it sends none.
        package var maxIdleInterval: Duration?
        package var maxMessageSize: Int64?
        package var maxFrameSize: Int64?
        package var maxInboundRate: Int64?
        package var maxOutboundRate: Int64?
        package var serverID: String?
        package var siteCode: String?

        package init() {}
    }
}

/// An error of Ably (Ably's feature specification, "ErrorInfo").
package struct ErrorInfo: Error, Sendable, Hashable {
    /// Such as 40142, "token expired"; 0: unknown.
    package var code: Int
    /// The HTTP status; nil: unknown.
    package var status: Int?
    /// The server's text, cut to ``maximumMessageSize``; empty if there is none. It is not trusted.
    package var message: String
    /// A page about the error.
    package var href: String?

    /// The maximum length of ``message``, in UTF-8 bytes.
    package static let maximumMessageSize = 300

    package init(code: Int, status: Int? = nil, message: String = "", href: String? = nil) {
        self.code = code
        self.status = status
        self.message = message
        self.href = href
    }

    /// Whether another token can help (Ably's feature specification, RSA4b and RTN15h).
    package var isTokenError: Bool { (40140..<40150).contains(code) && (status ?? 401) == 401 }

    /// The token does not permit the operation on the channel.
    package static let notPermitted = 40160
}
