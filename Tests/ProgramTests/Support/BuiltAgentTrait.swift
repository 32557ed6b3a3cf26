import Sandbox
import Subprocess
import TestSupport
import Testing

/// Gives each test the built agent, online, then ``BuiltAgent/current``. A test without the trait `.sandbox(…)` gets a
/// sandbox with the agent's user, too. A test's own trait replaces that of its suite.
struct BuiltAgentTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal fileprivate static var current: BuiltAgent?

    let user: String
    let capabilities: [String]
    let configuration: String
    let environment: [Environment.Key: String?]

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil, Self.current == nil else { return try await body() }
        let trait = test.traits.compactMap { $0 as? BuiltAgentTrait }.last ?? self
        try await SandboxTrait.sandbox(users: [trait.user]).provideScope(for: test, testCase: testCase) {
            let account = AgentConfiguration.account(user: trait.user, url: Sandbox.current.baseURL)
            try await BuiltAgent.with(
                account + trait.configuration,
                capabilities: trait.capabilities,
                environment: trait.environment
            ) { agent in
                try await Self.$current.withValue(agent) { try await body() }
            }
        }
    }
}

extension Trait where Self == BuiltAgentTrait {
    /// The built agent for each test, online, with a notification server.
    ///
    /// - Parameter configuration: The part of the configuration after the account `work`.
    static func builtAgent(
        user: String = "anna",
        capabilities: [String] = TerminalServer.defaultCapabilities,
        configuration: String = "",
        environment: [Environment.Key: String?] = [:]
    ) -> Self {
        BuiltAgentTrait(
            user: user,
            capabilities: capabilities,
            configuration: configuration,
            environment: environment
        )
    }
}

extension BuiltAgent {
    /// The agent of the running test, which has the trait `.builtAgent(…)`.
    static var current: BuiltAgent {
        guard let agent = BuiltAgentTrait.current else {
            preconditionFailure("The test lacks the trait .builtAgent(…).")
        }
        return agent
    }
}
