import Basics
import ClientKit
import FoundationEssentials
import Inbox

/// The service's requests for one user.
struct EchoAPI: Sendable {
    /// A page of a view. Times are in milliseconds.
    struct Page {
        var predicate = InboxPredicate.inbox
        /// Up to this time of creation; nil: from the newest on.
        var last: Timestamp?
        var size: Int
    }

    let context: EchoContext
    let tokens: RefreshedToken<EchoToken, EchoError>

    init(context: EchoContext, token: @escaping @Sendable () async throws -> String?) {
        self.context = context
        tokens = RefreshedToken(provider: { _ in try await token() }, token: nil, user: nil, context: context)
    }

    func page(_ page: Page) async throws(EchoError) -> EchoAnswer {
        var query = ["size=\(page.size)", "archived=\(page.predicate.archived)"]
        if let last = page.last { query.append("last=\(last.milliseconds)") }
        if let read = page.predicate.read { query.append("read=\(read)") }
        if let seen = page.predicate.seen { query.append("seen=\(seen)") }
        query += page.predicate.categories.map { "category=\($0.percentEncoded)" }
        return try await perform("GET", "/notifications?" + query.joined(separator: "&"))
    }

    func notification(_ id: NotificationID) async throws(EchoError) -> EchoAnswer {
        try await perform("GET", "/notifications/" + id.rawValue.percentEncoded)
    }

    /// Sets marks of a notification, such as `read`. The answer contains it as it now is.
    func change(_ id: NotificationID, _ marks: [String: JSONValue]) async throws(EchoError) -> EchoAnswer {
        try await perform("PATCH", "/notifications/" + id.rawValue.percentEncoded, .object(marks))
    }

    func delete(_ id: NotificationID) async throws(EchoError) -> EchoAnswer {
        try await perform("DELETE", "/notifications/" + id.rawValue.percentEncoded)
    }

    /// Marks as read what was created up to this time.
    func readAll(upTo last: Timestamp) async throws(EchoError) -> EchoAnswer {
        try await perform("POST", "/read-all", ["last": .integer(last.milliseconds)])
    }

    func preferences() async throws(EchoError) -> EchoCategories { try await perform("GET", "/preferences") }

    /// Sets members of a category. The answer contains it as it now is.
    func setPreference(_ category: String, _ members: [String: JSONValue]) async throws(EchoError) -> EchoCategories {
        try await perform("PATCH", "/preferences/" + category.percentEncoded, .object(members))
    }

    // MARK: Requests

    private func perform<Contents: Decodable>(
        _ method: String,
        _ target: String,
        _ body: JSONValue? = nil
    ) async throws(EchoError) -> Contents {
        let token = try await tokens.current()
        do { return try await send(method, target, body, token) } catch {
            guard error.asksForNewToken, let next = try await tokens.replacement(for: token?.rawValue) else {
                throw error
            }
            return try await send(method, target, body, next)
        }
    }

    private func send<Contents: Decodable>(
        _ method: String,
        _ target: String,
        _ body: JSONValue?,
        _ token: EchoToken?
    ) async throws(EchoError) -> Contents {
        if let rest = context.pause.rest(isRead: method == "GET") { throw .paused(for: rest) }
        var headers = [HTTPField("Accept-Language", context.language)]
        if let token { headers.append(HTTPField("Authorization", "Bearer \(token.rawValue)")) }
        if body != nil { headers.append(HTTPField("Content-Type", "application/json")) }
        let sent = context.environment.now()
        let response: HTTPResponse
        do {
            response = try await context.http.send(
                HTTPRequest(
                    method: method,
                    url: context.url + target,
                    headers: headers,
                    body: body.map { Array($0.text.utf8) }
                )
            )
        } catch {
            throw EchoError.failed(error)
        }
        do throws(EchoError) {
            let contents: Contents = try Self.contents(of: response)
            context.recordTime(response.date, sent: sent)
            return contents
        } catch {
            if error.kind == .rateLimited, let pause = error.retryAfter {
                context.pause.begin(for: pause, isRead: method == "GET")
            }
            throw error
        }
    }

    /// Only an object with a text `error` is a refusal of the service itself.
    private static func contents<Contents: Decodable>(of response: HTTPResponse) throws(EchoError) -> Contents {
        let body = try? JSONValue(parsing: response.body, isTolerant: true)
        guard (200..<300).contains(response.status) else {
            let message = body?["error"]?.string?.cut(to: 300)
            throw EchoError(
                kind: kind(of: response, isByTheService: message != nil),
                message: response.refusal(by: EchoError.service, message: message),
                status: response.status,
                retryAfter: response.pause
            )
        }
        if let contents = try? body?.decode(Contents.self) { return contents }
        throw EchoError(
            kind: .unexpectedAnswer,
            message: response.unreadableContents(of: EchoError.service),
            status: response.status,
            retryAfter: nil
        )
    }

    private static func kind(of response: HTTPResponse, isByTheService: Bool) -> EchoError.Kind {
        if let kind = EchoError.Kind(status: response.status) { return kind }
        if response.status >= 500 { return .serverFailure }
        return isByTheService ? EchoError.Kind(refusal: response.status) : .unexpectedAnswer
    }
}
