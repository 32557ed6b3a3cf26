import Logging
import Transport

/// The REST side of one feed: a call in, its typed answer out. Refreshes the token when the service refuses it, and resends once.
struct Service: Sendable {
    let http: any HTTPTransport
    let builder: RequestBuilder
    let tokens: UserTokenSource
    let logger: Logger

    func perform<Contents: Decodable & Sendable>(
        _ call: FeedCall,
        as type: Contents.Type = Contents.self
    ) async throws(SuprSendError) -> Contents {
        let token = try await tokens.current()
        do {
            return try await send(call, token: token)
        } catch {
            guard error.asksForNewToken, let next = try await tokens.replacement(for: token?.rawValue) else {
                throw error
            }
            return try await send(call, token: next)
        }
    }

    /// The same, for those who have something to do in either case.
    func result<Contents: Decodable & Sendable>(
        of call: FeedCall,
        as type: Contents.Type = Contents.self
    ) async -> Result<Contents, SuprSendError> {
        do { return .success(try await perform(call)) } catch { return .failure(error) }
    }

    /// Performs a call whose answer holds nothing to read.
    func perform(_ call: FeedCall) async throws(SuprSendError) {
        _ = try await perform(call, as: Acknowledgement.self)
    }

    private func send<Contents: Decodable>(_ call: FeedCall, token: UserToken?) async throws(SuprSendError) -> Contents
    {
        let response: HTTPResponse
        do {
            response = try await http.send(builder.request(for: call, token: token?.rawValue))
        } catch {
            throw SuprSendError(error)
        }
        do {
            return try Answer.decode(response, as: Contents.self)
        } catch {
            throw explained(error, token: token)
        }
    }

    private func explained(_ error: SuprSendError, token: UserToken?) -> SuprSendError {
        var error = error
        error.message = Redaction.tokens(in: error.message, secrets: token.map { [$0.rawValue] } ?? [])
        if error.kind == .forbidden, let token, !(token.tenantIDs ?? ["default"]).contains(builder.tenantID) {
            error.message += " (the user token's scope does not include the tenant \"\(builder.tenantID)\")"
        }
        return error
    }
}

extension SuprSendError {
    /// What a failed exchange means to the caller.
    init(_ error: TransportError) {
        switch error.kind {
        case .cancelled: self = .cancelled
        case .invalidURL, .insecure: self.init(.invalidArgument, "The host cannot be used: \(error.detail)")
        case .refused(let status):
            self.init(.unreachable, "The host refuses the connection: \(error.detail)", status: status)
        case .protocolViolation: self.init(.unexpectedAnswer, "The host does not speak the protocol: \(error.detail)")
        case .tooLarge: self.init(.unexpectedAnswer, "The host's answer is too large: \(error.detail)")
        case .timeout: self.init(.unreachable, "SuprSend did not answer in time: \(error.detail)")
        case .tls: self.init(.unreachable, "No secure connection to SuprSend: \(error.detail)")
        case .unreachable, .closed: self.init(.unreachable, "SuprSend cannot be reached: \(error.detail)")
        }
    }
}
