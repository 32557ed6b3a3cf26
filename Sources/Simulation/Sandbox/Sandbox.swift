import FoundationEssentials
import NIOPosix

/// A local server with the API of SuprSend or MagicBell on one port of 127.0.0.1: REST, sockets and control.
///
/// MagicBell's user API is below `/v2`. Ably's REST API and the WebSockets of Ably and MagicBell are at `/`.
///
/// ```swift
/// try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
///     let id = try await sandbox.publish(["header": "Hi", "text": "there"])
///     try await sandbox.waitForRequest { $0.path.hasSuffix(id) }
///     #expect(await sandbox.violations.isEmpty)
/// }
/// ```
package struct Sandbox: Sendable {
    /// A line of the log or a violation.
    package enum Report: Sendable, Equatable {
        case line(String)
        case violation(Violation)
    }

    package let port: Int
    private let engine: Engine

    /// The thread of the service.
    package var executor: any TaskExecutor { EventLoopTaskExecutor(engine.loop) }

    /// `http://127.0.0.1:PORT`, the address of SuprSend's hub, API and socket, and of the APIs of MagicBell and Ably.
    package var baseURL: String { "http://127.0.0.1:\(port)" }
    /// `ws://127.0.0.1:PORT`, the address of Ably's realtime server and of MagicBell's own socket.
    package var socketURL: String { "ws://127.0.0.1:\(port)" }

    /// Runs a sandbox until `body` returns, then closes its port and all connections.
    ///
    /// - Parameters:
    ///   - other: the service to simulate in place of SuprSend and MagicBell; nil: none.
    ///   - wall: the real time in milliseconds since the Unix epoch.
    ///   - report: called for each event in order; it must not block.
    @discardableResult
    package static func with<Result: Sendable>(
        _ options: SandboxOptions = SandboxOptions(),
        simulating other: (any SimulatedService)? = nil,
        wall: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
        report: @escaping @Sendable (Report) -> Void = { _ in },
        _ body: (Sandbox) async throws -> Result
    ) async throws -> Result {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let engine = Engine(options: options, simulating: other, loop: loop, wall: wall, report: report)
        let listener = try await SandboxListener.bind(port: options.port, engine: engine)
        await engine.listens(on: listener.port)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            // On one thread: an answer waits for no other, which is part of what benchmarks measure.
            group.addTask(executorPreference: EventLoopTaskExecutor(loop)) { await listener.run() }
            let outcome: Swift.Result<Result, any Error>
            do { outcome = .success(try await body(Sandbox(port: listener.port, engine: engine))) } catch {
                outcome = .failure(error)
            }
            await engine.end()
            group.cancelAll()
            try await group.waitForAll()
            return try outcome.get()
        }
    }

    // MARK: Commands

    /// Executes a command and returns the same JSON as over HTTP.
    @discardableResult
    package func execute(_ name: String, _ arguments: JSON = [:]) async throws(CommandMistake) -> JSON {
        try await execute(SandboxCommand(name, arguments))
    }

    @discardableResult
    package func execute(_ command: SandboxCommand) async throws(CommandMistake) -> JSON {
        try await engine.execute(command)
    }

    /// Injects a fault, as the command `fault` does.
    package func inject(_ fault: RequestFault) async { await engine.inject(fault) }

    /// Publishes one notification and returns its id.
    @discardableResult
    package func publish(_ fields: JSON, to recipient: Recipient = Recipient()) async throws(CommandMistake) -> String {
        let answer = try await execute("publish", recipient.arguments(with: ["notifications": [fields]]))
        return (answer["ids"] ?? answer["n_ids"])?.array?.first?.string ?? ""
    }

    /// A new token. `lifetime` is in seconds; nil = the configured lifetime, negative = already expired.
    package func token(for recipient: Recipient = Recipient(), lifetime: Int64? = nil) async throws(CommandMistake)
        -> String
    {
        let arguments = recipient.arguments(with: lifetime.map { ["lifetime_s": .integer($0)] } ?? [:])
        return try await execute("token", arguments)["token"]?.string ?? ""
    }

    /// Changes the service that the sandbox was started with in place of SuprSend and MagicBell.
    package func change<Service: SimulatedService>(
        _ body: @Sendable (inout Service, _ now: Int64) -> [SocketEffect]
    ) async { await engine.change(body) }

    // MARK: State

    /// A copy of the current state.
    package var state: SandboxState { get async { await engine.state } }
    package var requests: [LoggedRequest] { get async { await engine.state.requests } }
    package var violations: [Violation] { get async { await engine.state.violations } }

    /// A copy of one user's inbox.
    package func inbox(_ user: String = "user-1", tenant: String = "default") async -> StoredInbox {
        await engine.state.service[InboxKey(user: user, tenant: tenant)]
    }

    /// A copy of the inbox of a user of MagicBell, by its external id or e-mail address.
    package func magicBellInbox(_ user: String = "user-1") async -> SimulatedInbox {
        let service = await engine.state.magicBell.service
        return service.users.named(user).map { service[$0.id] } ?? SimulatedInbox()
    }

    /// Returns the first non-nil result of `fact`, which runs now and after each change of the state.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the sandbox ends.
    @discardableResult
    package func firstFact<Fact: Sendable>(_ fact: @Sendable (SandboxState) -> Fact?) async throws -> Fact {
        try await engine.wait(for: fact)
    }
}
