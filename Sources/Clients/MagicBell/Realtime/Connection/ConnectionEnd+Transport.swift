import ClientKit

extension ConnectionEnd {
    /// A normal end, going away, restarting, overloaded: <https://www.iana.org/assignments/websocket>.
    private static let announcingCodes: Set<UInt16> = [1000, 1001, 1012, 1013]

    /// The WebSocket could not be opened, or broke.
    init(_ error: TransportError) {
        let cause: ReconnectPolicy.Cause =
            switch error.kind {
            // The close came while something was being sent.
            case .closed(let code?) where Self.announcingCodes.contains(code): .announced
            case .invalidURL, .insecure, .shutDown: .refused
            default: .lost
            }
        self.init(MagicBellError(realtime: error), cause)
    }

    /// The server closed the WebSocket in an orderly way. Without a fault of this client, it most likely closes all.
    init(closedWith code: UInt16?) {
        let how = code.map { " with code \($0)" } ?? ""
        // The close frame of a server that just closes has no code (RFC 6455 §7.1.5).
        let isAnnounced = code.map(Self.announcingCodes.contains) ?? true
        self.init(
            MagicBellError(.unreachable, "The realtime server closed the connection\(how)."),
            isAnnounced ? .announced : .lost
        )
    }
}

extension MagicBellError {
    /// The error of a realtime connection.
    init(realtime error: TransportError) {
        switch error.kind {
        case .cancelled: self = .cancelled
        case .shutDown: self = .shutDown
        case .invalidURL, .insecure:
            self.init(.invalidArgument, "The realtime server's address cannot be used: \(error.detail)")
        case .refused(let status):
            self.init(
                .unreachable,
                "The realtime server refused the connection: \(error.detail)",
                status: status,
                retryAfter: error.retryAfter
            )
        case .protocolViolation, .tooLarge:
            self.init(.unexpectedAnswer, "The realtime server violated the protocol: \(error.detail)")
        case .timeout, .tls, .unreachable, .closed, .proxy:
            self.init(.unreachable, "Cannot reach the realtime server: \(error.detail)")
        }
    }
}
