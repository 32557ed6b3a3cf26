import ClientKit
import Logging
import Synchronization
import TestSupport

@testable import MagicBell

/// A client whose users have APIs and realtime feeds in memory, and a clock that the test moves.
struct ClientWorld: Sendable {
    let client: MagicBellClient
    let clock = ManualClock()
    private let parts = Parts()

    /// The objects that the client made, by user.
    final class Parts: Sendable {
        struct Part: Sendable {
            var authorization: UserAuthorization
            var hasToken: Bool
            var api: FakeInboxAPI
            var realtime: FakeRealtime
        }

        let all = Mutex<[Part]>([])
    }

    /// - Parameter rows: The notifications of every user.
    init(
        _ rows: [InboxNotification] = [],
        pageSize: Int = 50,
        apiKey: String? = "pk_test",
        hmacSecret: String? = nil,
        capabilities: APICapabilities = [.totalCount, .unseenCount, .delete, .seen, .archiveAll, .filtersAll]
    ) throws {
        let parts = parts
        let context = try RequestContext(
            http: NoNetwork(),
            webSocket: NoNetwork(),
            environment: ClientEnvironment(clock: clock, jitter: { 1 }),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let services = UserServices(
            makeAPI: { authorization, hasToken in
                let api = FakeInboxAPI(rows, capabilities: capabilities)
                let part = Parts.Part(
                    authorization: authorization,
                    hasToken: hasToken,
                    api: api,
                    realtime: FakeRealtime()
                )
                parts.all.withLock { $0.append(part) }
                return api
            },
            makeRealtime: { api in
                parts.all.withLock { all in all.first { $0.api === api as? FakeInboxAPI }!.realtime }
            }
        )
        client = try MagicBellClient(
            context,
            services: services,
            apiKey: apiKey,
            hmacSecret: hmacSecret,
            pageSize: pageSize
        )
    }

    /// The part of the user who was made as number `index`.
    func part(_ index: Int = 0) -> Parts.Part { parts.all.withLock { $0[index] } }

    var api: FakeInboxAPI { part().api }
    var realtime: FakeRealtime { part().realtime }

    /// Runs the client beside `body`.
    func running<Result: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result = await withDiscardingTaskGroup { group -> Swift.Result<Result, Failure> in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// Nothing is reachable.
struct NoNetwork: HTTPTransport, WebSocketTransport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        throw TransportError(.unreachable, "There is no network.")
    }

    func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        throw TransportError(.unreachable, "There is no network.")
    }
}
