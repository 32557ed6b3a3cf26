import Agent
import AgentInterface
import DBus
import Inbox
import TestSupport
import Testing

@Suite(.sessionBus, .inProcessAgent(), .timeLimit(.minutes(1))) struct ReloadTests {
    private let agent = InProcessAgent.current

    @Test("Concurrent reloads leave no account running that is not configured")
    func concurrentReloads() async throws {
        for round in 1...10 {
            // Every round ends the account of the round before and begins another one.
            let text = InProcessAgent.text(["a\(round)", "b\(round)"])
            try agent.configuration.write(text)
            try await withThrowingTaskGroup { group in
                for _ in 0..<5 { group.addTask { try await agent.root.call(AgentRoot.reload) } }
                try await group.waitForAll()
            }
        }
        let accounts = try await agent.root.get(AgentRoot.accounts)
        #expect(accounts == ["a10", "b10"].map { AgentNames.accountPath($0) })
        let exported = try await agent.root.getManagedObjects().keys.filter { $0 != AgentNames.agentPath }
        #expect(Set(exported) == Set(accounts))
        while agent.providers.runningCount != 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(agent.providers.count == 21, "one for each account of each configuration")
    }
}
