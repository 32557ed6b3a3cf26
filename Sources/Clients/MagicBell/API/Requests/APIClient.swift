import Basics
import ClientKit
import FoundationEssentials

/// The requests of one user to one generation of the API: credentials, limits, retries.
struct APIClient: Sendable {
    /// The differences between the generations of the API.
    struct Generation: Sendable, Equatable {
        /// For messages.
        var name: String
        /// The path below the host.
        var base: String
        /// The errors of the user API are not documented: besides `errors`, one bare message is accepted.
        var acceptsBareProblems: Bool
        /// Whether the limits of the REST API apply.
        var isLimited: Bool

        /// The REST API (v1).
        static let rest = Generation(name: "REST API", base: "", acceptsBareProblems: false, isLimited: true)
        /// The user API (v2).
        static let user = Generation(name: "user API", base: "/v2", acceptsBareProblems: true, isLimited: false)
    }

    let generation: Generation
    let context: RequestContext
    let authorization: UserAuthorization
    let pageLimit = SharedPageLimit()

    /// Sends a call: waits for the service's limits, retries what a retry can mend, and repeats it once with new
    /// credentials.
    func send<Contents: Decodable & Sendable>(
        _ call: APICall,
        as type: Contents.Type = Contents.self
    ) async throws(MagicBellError) -> Contents {
        try contents(of: await response(to: call))
    }

    /// Sends a call whose response has no contents to read: any success of the service will do.
    func send(_ call: APICall) async throws(MagicBellError) { _ = try await response(to: call) }

    /// The response with a successful status to a call.
    func response(to call: APICall) async throws(MagicBellError) -> HTTPResponse {
        var retries = RetryPolicy(scale: context.environment.waitScale)
        // The service answers a repeated key with the first answer, for 24 hours (MagicBell's documentation,
        // "Idempotency keys").
        let key = call.method == .post ? "magicbell-retry-\(context.environment.makeID())" : nil
        var credentials = try await authorization.current()
        var hasNewCredentials = false
        while true {
            try context.checkNotShutDown()
            do throws(MagicBellError) {
                return try await attempt(call, idempotencyKey: key, credentials)
            } catch {
                if error.asksForNewToken, !hasNewCredentials,
                    let next = try await authorization.replacement(for: credentials)
                {
                    hasNewCredentials = true
                    credentials = next
                    continue
                }
                guard let delay = retries.delay(after: error, jitter: context.environment.jitter()) else { throw error }
                do { try await context.environment.clock.sleep(for: delay) } catch { throw .cancelled }
                credentials = try await authorization.current()
            }
        }
    }

    /// The contents of a response with a successful status.
    func contents<Contents: Decodable>(of response: HTTPResponse) throws(MagicBellError) -> Contents {
        try decoder.contents(of: response)
    }

    private func attempt(
        _ call: APICall,
        idempotencyKey key: String?,
        _ credentials: RequestCredentials
    ) async throws(MagicBellError) -> HTTPResponse {
        try await waitForPause(isRead: call.isRead)
        if generation.isLimited {
            try await context.limiter.admit(isRead: call.isRead)
            // It may have begun meanwhile.
            try await waitForPause(isRead: call.isRead)
        }
        let sent = context.environment.now()
        let response: HTTPResponse
        do {
            response = try await context.http.send(request(for: call, idempotencyKey: key, credentials))
        } catch {
            throw MagicBellError(error)
        }
        do {
            try decoder.check(response)
        } catch {
            // Only the service's own responses set the clock offset: a captive portal's `Date` is not used.
            if error.kind != .unexpectedAnswer { context.recordTime(response.date, sent: sent) }
            if error.kind == .rateLimited, let pause = error.retryAfter {
                context.pause.begin(for: pause, isRead: call.isRead)
            }
            throw redacted(error, secrets: credentials.secrets + call.secrets)
        }
        context.recordTime(response.date, sent: sent)
        return response
    }

    /// Waits until the end of the pause that the service has asked for. Throws `rateLimited` when that would take more
    /// than ``RetryPolicy/longestWait``, and `cancelled`.
    private func waitForPause(isRead: Bool) async throws(MagicBellError) {
        while let rest = context.pause.rest(isRead: isRead) {
            guard rest <= RetryPolicy.longestWait else { throw .paused(for: rest) }
            do { try await context.environment.clock.sleep(for: rest) } catch { throw .cancelled }
        }
    }

    /// The request for `call`.
    func request(for call: APICall, idempotencyKey key: String?, _ credentials: RequestCredentials) -> HTTPRequest {
        var headers = credentials.headers
        headers.append(HTTPField("Accept", "application/json"))
        headers.append(HTTPField("User-Agent", context.userAgent))
        var body: [UInt8]?
        switch call.body {
        case .json(let value):
            headers.append(HTTPField("Content-Type", "application/json"))
            body = Array(value.text.utf8)
        case .emptyForm:
            headers.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
            body = []
        case nil: break
        }
        if let key { headers.append(HTTPField("idempotency-key", key)) }
        headers += call.headers
        var request = HTTPRequest(
            method: call.method.rawValue,
            url: context.hosts.api + generation.base + call.target,
            headers: headers,
            body: body,
            maximumBodySize: call.maximumBodySize
        )
        (request.restartsTimeout, request.isDivisible) = (call.method == .get, call.isDivisible)
        return request
    }

    private var decoder: ResponseDecoder { ResponseDecoder(acceptsBareProblems: generation.acceptsBareProblems) }

    private func redacted(_ error: MagicBellError, secrets: [String]) -> MagicBellError {
        var error = error
        error.message = Redaction.tokens(in: error.message, secrets: secrets)
        error.codes = error.codes.map { Redaction.tokens(in: $0, secrets: secrets) }
        return error
    }
}
