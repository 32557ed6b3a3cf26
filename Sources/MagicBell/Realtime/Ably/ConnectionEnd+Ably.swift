import Ably
import ClientKit

extension AblySession.End {
    /// Whether another token can help, or is needed for another channel.
    var needsNewToken: Bool {
        switch self {
        case .disconnected(let error): error?.isTokenError == true
        case .failed, .channelFailed: true
        default: false
        }
    }

    /// Whether the channel may have changed at the service.
    var needsNewChannel: Bool {
        switch self {
        case .failed(let error): error?.isTokenError != true
        case .channelFailed: true
        default: false
        }
    }
}

extension ConnectionEnd {
    /// The end of a session with Ably. `secrets` are removed from its texts.
    init(_ end: AblySession.End, secrets: [String]) {
        func refusal(_ error: ErrorInfo?, _ what: String) -> MagicBellError {
            MagicBellError(ably: error, what, secrets: secrets)
        }
        switch end {
        case .disconnected(let error?) where error.isTokenError, .failed(let error?) where error.isTokenError:
            // The token is the service's and Ably's: the user can do nothing about it.
            var error = refusal(error, "The realtime server refused the token")
            error.kind = .unreachable
            self.init(error, .failed, isRetriedAtOnce: true)
        case .disconnected(let error):
            var error = refusal(error, "The realtime server ended the connection")
            error.kind = .unreachable
            self.init(error, .lost)
        case .failed(let error):
            self.init(refused: refusal(error, "The realtime server refused the connection"))
        case .channelFailed(let error):
            self.init(refused: refusal(error, "The realtime server refused the user's channel"))
            isRetriedAtOnce = error?.code == ErrorInfo.notPermitted
        case .detached(let error):
            self.init(refusal(error, "The realtime server detached the user's channel"), .failed)
            self.error.kind = .unreachable
        case .connectTimeout:
            self.init(
                MagicBellError(.unreachable, "The realtime server did not accept the connection in time."),
                .failed
            )
        case .attachTimeout:
            self.init(MagicBellError(.unreachable, "The realtime server did not attach the channel in time."), .failed)
        case .silence:
            self.init(MagicBellError(.unreachable, "The realtime server stopped responding."), .lost)
        case .closedByServer:
            self.init(MagicBellError(.unreachable, "The realtime server closed the connection."), .announced)
        case .closed(let code):
            self.init(closedWith: code)
        case .protocolViolation(let rule):
            let sentence = "The realtime server violated the protocol: \(rule)."
            self.init(MagicBellError(.unexpectedAnswer, sentence), .failed)
        case .hungUp:
            self = .cancelled
        }
    }

    /// Only a change at the service helps, unless the server failed.
    private init(refused error: MagicBellError) {
        self.init(error, error.kind == .serverFailure ? .failed : .refused)
    }
}
