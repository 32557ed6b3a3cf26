extension LibraryError {
    /// The error of a failed exchange for the caller.
    package init(_ error: TransportError) {
        func failure(_ kind: Kind, _ message: String, status: Int? = nil) -> Self {
            Self(kind: kind, message: "\(message): \(error.detail)", status: status, retryAfter: error.retryAfter)
        }
        switch error.kind {
        case .cancelled: self = .cancelled
        case .shutDown: self = .shutDown
        case .invalidURL, .insecure: self = failure(.invalidArgument, "The host cannot be used")
        case .refused(let status): self = failure(.unreachable, "The host refused the connection", status: status)
        case .protocolViolation: self = failure(.unexpectedAnswer, "The host does not speak the protocol")
        case .tooLarge:
            self = failure(.unexpectedAnswer, "The host's answer is too large")
            isTooLarge = true
        case .timeout:
            self = failure(.unreachable, "\(Self.service) did not answer in time")
            isTooSlow = error.isTooSlow
        case .tls: self = failure(.unreachable, "No secure connection to \(Self.service)")
        case .unreachable, .closed, .proxy: self = failure(.unreachable, "\(Self.service) cannot be reached")
        }
    }
}
