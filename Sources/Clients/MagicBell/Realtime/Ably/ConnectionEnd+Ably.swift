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

    /// Whether another host may accept the connection (Ably's feature specification, RTN17f).
    var isHostFault: Bool {
        switch self {
        case .connectTimeout: true
        case .disconnected(let error): error?.status.map { 500...504 ~= $0 } ?? false
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

extension TransportError {
    /// Whether another host may be reachable (Ably's feature specification, RTN17f).
    var isHostFault: Bool {
        switch kind {
        case .unreachable, .timeout, .tls, .closed: true
        case .refused(let status): status >= 500
        default: false
        }
    }
}

extension ConnectionEnd {
    /// The end of a session with Ably. `secrets` are removed from its texts.
    init(_ end: AblySession.End, secrets: [String]) {
        switch end {
        case .disconnected(let error): self.init(disconnected: error, secrets)
        case .failed(let error): self.init(failed: error, secrets)
        case .channelFailed(let error): self.init(channelFailed: error, secrets)
        case .detached(let error): self.init(detached: error, secrets)
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

    private init(disconnected error: ErrorInfo?, _ secrets: [String]) {
        if let error, error.isTokenError {
            self.init(tokenRefused: error, secrets)
            return
        }
        var error = MagicBellError(ably: error, "The realtime server ended the connection", secrets: secrets)
        error.kind = .unreachable
        self.init(error, .lost)
    }

    private init(failed error: ErrorInfo?, _ secrets: [String]) {
        if let error, error.isTokenError {
            self.init(tokenRefused: error, secrets)
            return
        }
        self.init(
            refused: MagicBellError(ably: error, "The realtime server refused the connection", secrets: secrets)
        )
    }

    private init(channelFailed error: ErrorInfo?, _ secrets: [String]) {
        let isNotPermitted = error?.code == ErrorInfo.notPermitted
        self.init(
            refused: MagicBellError(ably: error, "The realtime server refused the user's channel", secrets: secrets)
        )
        isRetriedAtOnce = isNotPermitted
    }

    private init(detached error: ErrorInfo?, _ secrets: [String]) {
        var error = MagicBellError(ably: error, "The realtime server detached the user's channel", secrets: secrets)
        error.kind = .unreachable
        self.init(error, .failed)
    }

    /// The token is the service's and Ably's: the user can do nothing about it.
    private init(tokenRefused error: ErrorInfo, _ secrets: [String]) {
        var error = MagicBellError(ably: error, "The realtime server refused the token", secrets: secrets)
        error.kind = .unreachable
        self.init(error, .failed, isRetriedAtOnce: true)
    }

    /// Only a change at the service helps, unless the server failed.
    private init(refused error: MagicBellError) {
        self.init(error, error.kind == .serverFailure ? .failed : .refused)
    }
}
