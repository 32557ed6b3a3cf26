import ClientKit

/// Close codes of an experimental version of the server: token missing, invalid, forbidden; too many attempts, too
/// many requests. Policy violation (RFC 6455 §7.4.1) is the general code for a refusal.
private let refusingCodes: Set<UInt16> = [1008, 4001, 4002, 4003]
private let limitingCodes: Set<UInt16> = [4006, 4007]

extension InboxSocketSession.End {
    /// Whether another token can help.
    var needsNewToken: Bool {
        switch self {
        case .tokenRefused, .refused: true
        case .closed(let code?): refusingCodes.contains(code)
        default: false
        }
    }
}

extension ConnectionEnd {
    /// The end of a session with the service's own socket. `secrets` are removed from its texts.
    init(_ end: InboxSocketSession.End, secrets: [String]) {
        switch end {
        case .tokenRefused(let error):
            // The token is the library's own: the user can do nothing about it.
            var error = MagicBellError(ably: error, "The realtime server refused the inbox token", secrets: secrets)
            error.kind = .unreachable
            self.init(error, .failed, isRetriedAtOnce: true)
        case .refused(let error):
            var error = MagicBellError(ably: error, "The realtime server refused the connection", secrets: secrets)
            error.kind = .rejected
            self.init(error, .refused)
        case .closedByServer:
            self.init(MagicBellError(.unreachable, "The realtime server closed the connection."), .announced)
        case .closed(let code):
            self.init(closedWith: code)
            if let code, refusingCodes.contains(code) {
                cause = .refused
                isRetriedAtOnce = true
            } else if let code, limitingCodes.contains(code) {
                cause = .refused
                error.kind = .rateLimited
            }
        case .silence:
            self.init(MagicBellError(.unreachable, "The realtime server stopped responding."), .lost)
        case .frameTooLong:
            self.init(MagicBellError(.unexpectedAnswer, "The realtime server sent a frame that is too long."), .failed)
        case .hungUp:
            self = .cancelled
        }
    }

    /// The socket did not open. With 401 and 403, the server refuses the token.
    init(notOpened error: TransportError) {
        self.init(error)
        if case .refused(let status) = error.kind, [401, 403].contains(status) {
            cause = .refused
            isRetriedAtOnce = true
        }
    }
}

extension TransportError {
    /// Whether a server answered, though not as expected.
    var isFromServer: Bool {
        switch kind {
        case .refused, .protocolViolation, .closed: true
        default: false
        }
    }
}
