import Agent
import AgentInterface
import DBus
import Inbox
import Logging
import Store
import TestSupport
import Testing

/// An agent in the test's own process, on the test's own bus, with fake services.
struct RunningAgent {
    /// A connection of the test's own to the bus.
    let bus: Bus
    let providers: FakeProviders
    let configuration: TemporaryFile

    var root: Proxy { Proxy(bus, AgentNames.busName, AgentNames.agentPath) }

    func account(_ name: String = "work") -> Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath(name)) }

    func provider(_ name: String = "work") throws -> FakeProvider { try #require(providers[name]) }

    /// Runs `body` beside an agent that owns its name. The agent ends with it.
    static func with<Result: Sendable>(
        accounts: [String] = ["work"],
        popups: String = "",
        environment: AgentEnvironment = AgentEnvironment(),
        store: StateStore = StateStore(),
        providers: FakeProviders = FakeProviders(),
        _ body: (RunningAgent) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFile.with(text(accounts) + popups) { file in
            let agent = try await agent(file, providers, environment, store)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await agent.run() }
                let result = try await withBus { bus in
                    for await change in try await bus.nameOwnerChanges(of: AgentNames.busName) where change.new != nil {
                        break
                    }
                    return try await body(RunningAgent(bus: bus, providers: providers, configuration: file))
                }
                group.cancelAll()
                try await group.waitForAll()
                return result
            }
        }
    }

    /// An agent that does not run yet.
    static func agent(
        _ file: TemporaryFile,
        _ providers: FakeProviders,
        _ environment: AgentEnvironment = AgentEnvironment(),
        _ store: StateStore = StateStore()
    ) async throws -> Agent {
        let configuration = ConfigurationFile(path: file.path)
        return Agent(
            version: "1.2.3",
            file: configuration,
            configuration: try configuration.read(),
            bus: try await Bus.connect(to: .address(SessionBus.address)),
            environment: environment,
            store: store,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { account in
            let identity = AccountSession.Identity(
                name: account.name,
                provider: "suprsend",
                user: "anna",
                key: account.name
            )
            return Agent.AccountProvider(identity: identity, provider: providers.make(account.name))
        }
    }

    static func text(_ accounts: [String]) -> String {
        accounts.map { "[accounts.\"\($0)\"]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"anna\"\n" }
            .joined()
    }

    /// Waits until a property has a value.
    func wait<I: Interface, Content: Equatable>(
        _ property: InterfaceProperty<I, Content>,
        _ proxy: Proxy,
        is expected: Content
    ) async throws {
        try await proxy.wait(property, is: expected)
    }

    /// Waits until a property has a value that fits.
    func wait<I: Interface, Content>(
        _ property: InterfaceProperty<I, Content>,
        _ proxy: Proxy,
        until fits: (Content) -> Bool
    ) async throws {
        try await proxy.wait(property, until: fits)
    }
}
