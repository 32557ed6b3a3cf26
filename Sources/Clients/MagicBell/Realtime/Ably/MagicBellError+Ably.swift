import ClientKit

extension MagicBellError {
    /// An error that Ably has sent. The service issued the token that Ably refuses: the user's credentials are
    /// unrelated.
    ///
    /// - Parameters:
    ///   - what: The beginning of the sentence: who refused what.
    ///   - status: Of the HTTP response, if there was one.
    ///   - secrets: Removed from Ably's text.
    init(
        ably error: ErrorInfo?,
        _ what: String,
        status: Int? = nil,
        secrets: [String] = [],
        retryAfter: Duration? = nil
    ) {
        let status = status ?? error?.status
        let kind: Kind =
            switch status {
            case 429: .rateLimited
            case let status? where (400..<500).contains(status): .rejected
            default: .serverFailure
            }
        let code = error.flatMap { $0.code == 0 ? nil : String($0.code) }
        var sentence = what
        if let code { sentence += " (\(code))" }
        let text = Redaction.tokens(in: error?.message ?? "", secrets: secrets)
        sentence += text.isEmpty ? "." : ": \(text)"
        self.init(kind, sentence, status: status, codes: code.map { [$0] } ?? [], retryAfter: retryAfter)
    }

    /// The error of a failed request to Ably.
    init(ably error: TransportError) {
        switch error.kind {
        case .cancelled: self = .cancelled
        case .shutDown: self = .shutDown
        case .invalidURL, .insecure: self.init(.invalidArgument, "Ably's address cannot be used: \(error.detail)")
        case .protocolViolation, .tooLarge:
            self.init(.unexpectedAnswer, "Ably's answer cannot be read: \(error.detail)")
        case .timeout, .tls, .unreachable, .closed, .proxy, .refused:
            self.init(.unreachable, "Cannot reach Ably: \(error.detail)", retryAfter: error.retryAfter)
        }
    }
}
