import Agent
import AgentInterface
import AgentTestSupport
import DBus
import Inbox
import Logging
import TestSupport
import Testing

/// An agent in the test's own process, on the test's bus, against fake services.
///
/// The trait `.inProcessAgent(…)` provides one. `with` runs one in the middle of a test, with a store, a clock or
/// services that the test holds.
struct InProcessAgent: Sendable {
    /// A connection of the test to the bus.
    let bus: Bus
    let services: FakeServices
    let configuration: TemporaryFile

    var root: Proxy { Proxy(bus, AgentNames.busName, AgentNames.agentPath) }

    /// The account `work`.
    var account: Proxy { account("work") }

    func account(_ name: String) -> Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath(name)) }

    func service(_ name: String = "work") throws -> FakeService { try #require(services[name]) }

    /// Runs `body` beside an agent that owns its name. The agent ends with it.
    ///
    /// - Parameter busClock: The clock of the timeouts of its calls.
    static func with<Result: Sendable>(
        accounts: [String] = ["work"],
        popups: String = "",
        environment: AgentEnvironment = AgentEnvironment(),
        store: StateStore = StateStore(),
        services: FakeServices = FakeServices(),
        pictures: (any PictureSource)? = nil,
        busClock: any Clock<Duration> = ContinuousClock(),
        _ body: (InProcessAgent) async throws -> Result
    ) async throws -> Result {
        try await TemporaryFile.with(text(accounts) + popups) { file in
            let agent = try await agent(file, services, environment, store, pictures, busClock)
            // The bus may not have noticed yet that the previous agent ended.
            try await withBus { bus in try await bus.waitForNoAgent() }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await agent.run() }
                let result = try await withBus { bus in
                    try await bus.waitForAgent()
                    return try await body(InProcessAgent(bus: bus, services: services, configuration: file))
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
        _ services: FakeServices,
        _ environment: AgentEnvironment = AgentEnvironment(),
        _ store: StateStore = StateStore(),
        _ pictures: (any PictureSource)? = nil,
        _ busClock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Agent {
        let configuration = ConfigurationFile(path: file.path)
        return Agent(
            version: "1.2.3",
            file: configuration,
            configuration: try await configuration.read(),
            bus: try await Bus.connect(to: .address(SessionBus.address), clock: busClock),
            environment: environment,
            store: store,
            pictures: pictures,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { account, _ in
            let identity = AccountSession.Identity(
                name: account.name,
                provider: "suprsend",
                user: "anna",
                key: account.name
            )
            return Agent.AccountInbox(identity: identity, service: services.make(account.name))
        }
    }

    static func text(_ accounts: [String]) -> String {
        accounts.map { name in
            "[accounts.\"\(name)\"]\nprovider = \"suprsend\"\npublic_key = \"\(name)\"\ndistinct_id = \"anna\"\n"
        }
        .joined()
    }
}

/// Gives each test an agent in its process, then ``InProcessAgent/current``. A test's own trait replaces that of its
/// suite.
struct InProcessAgentTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var current: InProcessAgent?

    let accounts: [String]
    let environment: AgentEnvironment

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil, Self.current == nil else { return try await body() }
        let trait = test.traits.compactMap { $0 as? InProcessAgentTrait }.last ?? self
        try await InProcessAgent.with(accounts: trait.accounts, environment: trait.environment) { agent in
            try await Self.$current.withValue(agent) { try await body() }
        }
    }
}

extension Trait where Self == InProcessAgentTrait {
    /// An agent in each test's process, against fake services.
    static func inProcessAgent(
        accounts: [String] = ["work"],
        environment: AgentEnvironment = AgentEnvironment()
    ) -> Self {
        InProcessAgentTrait(accounts: accounts, environment: environment)
    }
}

extension InProcessAgent {
    /// The agent of the running test, which has the trait `.inProcessAgent(…)`.
    static var current: InProcessAgent {
        guard let agent = InProcessAgentTrait.current else {
            preconditionFailure("The test lacks the trait .inProcessAgent(…).")
        }
        return agent
    }
}
