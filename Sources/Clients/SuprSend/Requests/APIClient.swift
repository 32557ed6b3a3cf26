import ClientKit
import FoundationEssentials
import Logging

/// The REST client for one user. Refreshes a refused token and resends the request once.
struct APIClient: Sendable {
    let context: RequestContext
    let scope: RequestScope
    /// Nil: requests carry the public key only.
    let tokens: UserTokenSource?

    func send<Contents: Decodable & Sendable>(
        _ call: some ServiceCall,
        as type: Contents.Type = Contents.self
    ) async throws(SuprSendError) -> Contents {
        try context.checkNotShutDown()
        let token = try await tokens?.current()
        do {
            return try await attempt(call, token: token)
        } catch {
            guard error.asksForNewToken, let next = try await tokens?.replacement(for: token?.rawValue) else {
                throw error
            }
            return try await attempt(call, token: next)
        }
    }

    /// The same, with the error as a result.
    func result<Contents: Decodable & Sendable>(
        of call: some ServiceCall,
        as type: Contents.Type = Contents.self
    ) async -> Result<Contents, SuprSendError> {
        do { return .success(try await send(call)) } catch { return .failure(error) }
    }

    /// Sends a call whose response has no contents to read.
    func send(_ call: some ServiceCall) async throws(SuprSendError) {
        _ = try await send(call, as: Acknowledgement.self)
    }

    /// The request for `call`. Without a token, its header is omitted.
    func request(for call: some ServiceCall, token: String?) -> HTTPRequest {
        var headers = [
            HTTPField("Content-Type", "application/json"),
            HTTPField("Authorization", context.publicKey),
            HTTPField("X-Suprsend-Client-User-Agent", context.description.json),
            HTTPField("X-Suprsend-User-Agent", context.description.line),
        ]
        if let token { headers.append(HTTPField("x-ss-signature", token)) }
        var request = HTTPRequest(
            method: call.method,
            url: call.url(in: scope),
            headers: headers,
            body: call.body.map { Array($0.utf8) }
        )
        (request.restartsTimeout, request.isDivisible) = (call.isRead, call.isDivisible)
        return request
    }

    private func attempt<Contents: Decodable>(
        _ call: some ServiceCall,
        token: UserToken?
    ) async throws(SuprSendError) -> Contents {
        if let rest = context.pause.rest(isRead: call.isRead) { throw .paused(for: rest) }
        let sent = context.environment.now()
        let response: HTTPResponse
        do {
            response = try await context.http.send(request(for: call, token: token?.rawValue))
        } catch {
            throw SuprSendError(error)
        }
        do {
            return try contents(of: response, sentAt: sent, token: token)
        } catch {
            if error.kind == .rateLimited, let pause = error.retryAfter {
                context.pause.begin(for: pause, isRead: call.isRead)
            }
            throw error
        }
    }

    /// Decodes the response to a request that was `sent` at this time with `token`.
    func contents<Contents: Decodable>(
        of response: HTTPResponse,
        sentAt sent: Date,
        token: UserToken?,
        as type: Contents.Type = Contents.self
    ) throws(SuprSendError) -> Contents {
        do {
            let contents = try ResponseDecoder.decode(response, as: Contents.self)
            // Only the service's own responses set the clock offset: a captive portal's `Date` is not used.
            context.recordTime(response.date, sent: sent)
            return contents
        } catch {
            if error.serviceType != nil { context.recordTime(response.date, sent: sent) }
            throw explained(error, token: token)
        }
    }

    private func explained(_ error: SuprSendError, token: UserToken?) -> SuprSendError {
        var error = error
        error.message = Redaction.tokens(in: error.message, secrets: token.map { [$0.rawValue] } ?? [])
        let tenant = scope.tenantID ?? "default"
        if error.kind == .forbidden, let token, !(token.tenantIDs ?? ["default"]).contains(tenant) {
            error.message += " (the user token's scope does not include the tenant \"\(tenant)\")"
        }
        return error
    }
}
