import Basics
import ClientKit
import FoundationEssentials
import Logging
import MagicBell
import Synchronization
import TestSupport

/// A service in memory: records every request, and gives the prepared answers, or those of a function.
actor ScriptedHTTP: HTTPTransport {
    private(set) var requests: [HTTPRequest] = []
    private var answers: [Result<HTTPResponse, TransportError>]
    private let otherwise: @Sendable (HTTPRequest) -> HTTPResponse

    /// The first requests get `answers`, one each, all further ones the result of `otherwise`.
    init(
        _ answers: HTTPResponse...,
        otherwise: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { _ in HTTPResponse(status: 204) }
    ) {
        self.answers = answers.map { .success($0) }
        self.otherwise = otherwise
    }

    init(failing error: TransportError) {
        answers = [.failure(error)]
        otherwise = { _ in HTTPResponse(status: 204) }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
        return answers.isEmpty ? otherwise(request) : try answers.removeFirst().get()
    }

    /// Each request as `METHOD /path?query body`, without the host.
    var lines: [String] {
        requests.map { request in
            let target = request.url.dropFirst("https://api.magicbell.com".count)
            let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
            return "\(request.method) \(target)\(body)"
        }
    }
}

/// No test of the API opens a socket.
struct NoWebSocket: WebSocketTransport {
    func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        throw TransportError(.unreachable, "no sockets in this test")
    }
}

func answer(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) -> HTTPResponse {
    HTTPResponse(
        status: status,
        headers: headers.map { HTTPField($0.key, $0.value) },
        body: Array(body.utf8)
    )
}

extension RequestContext {
    /// A context with these answers, numbers instead of UUIDs, and no jitter.
    static func scripted(
        _ http: any HTTPTransport,
        hosts: Hosts = Hosts(),
        app: AppInfo? = nil,
        limits: RequestLimits = .documented,
        clock: any Clock<Duration> = ManualClock(),
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_767_225_600) }
    ) throws -> RequestContext {
        let last = Mutex(0)
        let ids: @Sendable () -> String = {
            last.withLock { last in
                last += 1
                return "id-\(last)"
            }
        }
        let environment = ClientEnvironment(now: now, clock: clock, jitter: { 0 }, makeID: ids)
        return try RequestContext(
            hosts: hosts,
            app: app,
            limits: limits,
            http: http,
            webSocket: NoWebSocket(),
            environment: environment,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }
}

extension UserCredentials {
    static var mary: UserCredentials {
        get throws { try .apiKey("pk_test_demo", user: UserIdentity(email: "mary@example.com")) }
    }

    static var maryToken: UserCredentials { get throws { try .userToken(AnswerSamples.token) } }
}

extension RESTAPI {
    static func scripted(_ http: ScriptedHTTP, clock: any Clock<Duration> = ManualClock()) throws -> RESTAPI {
        try RESTAPI(.mary, context: .scripted(http, clock: clock))
    }
}

extension UserAPI {
    static func scripted(_ http: ScriptedHTTP, clock: any Clock<Duration> = ManualClock()) throws -> UserAPI {
        try UserAPI(.maryToken, context: .scripted(http, clock: clock))
    }
}
