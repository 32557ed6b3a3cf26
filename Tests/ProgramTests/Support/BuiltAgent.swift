import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built agent as a process on the test's bus, against the test's sandbox.
///
/// The trait `.builtAgent(…)` provides one that is online. `with` runs one in the middle of a test, `alone` one without
/// a notification server, and `keepingState` one whose state file is there for the next one.
struct BuiltAgent: Sendable {
    let program: RunningProgram
    /// A connection of the test to the bus.
    let bus: Bus
    /// The notification server. With `alone` and `keepingState` it serves only if the test calls `serving`.
    let server: TerminalServer
    let opened: OpenedAddresses

    /// Shortens the agent's waits before further attempts to a twentieth.
    static let shortWaits: [Environment.Key: String?] = ["FEEDBELL_TEST_WAIT_SCALE": "0.05"]

    /// The agent object.
    var root: Proxy { Proxy(bus, AgentNames.busName, AgentNames.agentPath) }

    /// The account `work`.
    var account: Proxy { account("work") }

    func account(_ name: String) -> Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath(name)) }

    /// The next popup, except those that ask the user to sign in again: how long a refusal lasts depends on the
    /// computer's speed.
    func popup(sourceLocation: SourceLocation = #_sourceLocation) async throws -> RecordedNotification {
        let popup = await server.notifications.next("a popup", sourceLocation: sourceLocation) {
            !$0.summary.hasPrefix("Sign in again: ") && !$0.summary.hasPrefix("No access: ")
        }
        return try #require(popup, sourceLocation: sourceLocation)
    }

    /// Waits until `List` returns this number of notifications; the state, the counts and the popups may be there
    /// before.
    func waitForList(
        count: Int,
        of name: String = "work",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await waiting(
            for: "a list of \(count)",
            sourceLocation: sourceLocation,
            seeing: { try await listCount(account(name)) },
            until: { $0 == count }
        )
    }

    /// Waits until the service has counted the unread notifications of `work`, the only account: they are this many.
    func waitForUnread(_ count: UInt32) async throws {
        try await account.wait(AgentAccount.lastEvent) { $0 != 0 }
        try await account.wait(AgentInbox.unreadCount, is: count)
        try await root.wait(AgentRoot.unreadCount, is: count)
    }

    /// nil: the inbox is not loaded yet.
    private func listCount(_ account: Proxy) async throws -> Int? {
        do {
            return try await account.call(AgentInbox.list, [:]).count
        } catch {
            guard error.name == AgentErrors.offline else { throw error }
            return nil
        }
    }

    /// Waits for the request with this action on the notification and returns it.
    @discardableResult
    func waitForRequest(
        _ action: String,
        of id: String,
        at sandbox: Sandbox = .current,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> LoggedRequest {
        try await sandbox.waitForRequest(sourceLocation: sourceLocation) {
            $0.path == "/v1/feed/notifications/\(id)/\(action)"
        }
    }
}

extension BuiltAgent {
    /// Runs `body` beside an agent whose account `work` is online, with a notification server.
    static func with(
        _ configuration: String = AgentConfiguration.account(),
        sandbox: Sandbox = .current,
        capabilities: [String] = TerminalServer.defaultCapabilities,
        environment: [Environment.Key: String?] = [:],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        try await OpenedAddresses.with { opened in
            try await TemporaryFile.with(configuration) { file in
                try await withBus { bus in
                    let server = TerminalServer(bus: bus, capabilities: capabilities)
                    try await server.serving {
                        try await run(file, bus, server, opened, environment: environment) { agent in
                            try await bus.waitForAgent()
                            try await agent.account.wait(AgentAccount.state, is: "online")
                            try await sandbox.waitForConnection()
                            try await body(agent)
                        }
                    }
                }
            }
        }
        let violations = await sandbox.violations
        #expect(violations.isEmpty)
    }

    /// Runs `body` beside an agent that owns its name. There is no notification server, and maybe no service.
    static func alone(
        _ configuration: String = AgentConfiguration.account(),
        environment: [Environment.Key: String?] = [:],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        try await TemporaryFile.with(configuration) { file in try await alone(file, environment: environment, body) }
    }

    /// Runs `body` beside an agent that owns its name. There is no notification server, and maybe no service.
    ///
    /// - Parameter waitsForName: Whether `body` begins when the agent owns its name, or as soon as the process runs.
    static func alone(
        _ configuration: TemporaryFile,
        waitsForName: Bool = true,
        environment: [Environment.Key: String?] = [:],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        try await OpenedAddresses.with { opened in
            try await withBus { bus in
                // The bus may not have noticed yet that the previous agent ended.
                try await bus.waitForNoAgent()
                let server = TerminalServer(bus: bus)
                try await run(configuration, bus, server, opened, environment: environment) { agent in
                    if waitsForName { try await bus.waitForAgent() }
                    try await body(agent)
                }
            }
        }
    }

    /// Runs `body` as `alone` does. The state file and what is recorded for it are beside the configuration, for the
    /// next agent.
    static func keepingState(
        beside configuration: TemporaryFile,
        waitsForName: Bool = true,
        environment: [Environment.Key: String?] = [:],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        let directory = configuration.directory
        let state: [Environment.Key: String?] = [
            "XDG_STATE_HOME": directory + "/state", "XDG_RUNTIME_DIR": directory,
        ]
        try await alone(configuration, waitsForName: waitsForName, environment: environment.merging(state) { $1 }, body)
    }

    /// Runs an agent until it has recorded that the present notifications are old: what comes later is new to the next
    /// ones. The state file is beside the configuration.
    static func recordPresent(beside configuration: TemporaryFile) async throws {
        try await keepingState(beside: configuration) { _ in
            try await waiting(for: "a watermark") {
                try await StateFile(beside: configuration).number("SELECT count(*) FROM delivery_floors")
            } until: {
                $0 ?? 0 > 0
            }
        }
    }

    /// Runs `body` beside an agent with the default configuration in this `XDG_CONFIG_HOME`.
    static func withDefaultConfiguration(xdg: String, _ body: (BuiltAgent) async throws -> Void) async throws {
        try await withDefaultConfiguration(environment: ["XDG_CONFIG_HOME": xdg], body)
    }

    /// Runs `body` beside an agent with the configuration that this environment names.
    static func withDefaultConfiguration(
        environment: [Environment.Key: String?],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        try await OpenedAddresses.with { opened in
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                try await run(arguments: [], bus, server, opened, environment: environment) { agent in
                    try await bus.waitForAgent()
                    try await body(agent)
                }
            }
        }
    }

    private static func run(
        _ configuration: TemporaryFile,
        _ bus: Bus,
        _ server: TerminalServer,
        _ opened: OpenedAddresses,
        environment: [Environment.Key: String?],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        let arguments = ["--config", configuration.path]
        try await run(arguments: arguments, bus, server, opened, environment: environment, body)
    }

    private static func run(
        arguments: [String],
        _ bus: Bus,
        _ server: TerminalServer,
        _ opened: OpenedAddresses,
        environment: [Environment.Key: String?],
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        let (_, status) = try await RunningProgram.with(
            "feedbell-agent",
            arguments + ["--log-level", "debug"],
            environment: environment,
            searching: [opened.directory]
        ) { program in
            try await body(BuiltAgent(program: program, bus: bus, server: server, opened: opened))
        }
        #expect(status == .exited(0) || status == .signaled(9), "the agent ended with \(status)")
    }
}

extension Bus {
    /// Waits until an agent's account `work` is online.
    func waitForOnlineAgent() async throws {
        try await waitForAgent()
        try await Proxy(self, AgentNames.busName, AgentNames.accountPath("work")).wait(AgentAccount.state, is: "online")
    }
}
