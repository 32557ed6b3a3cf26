import Agent
import AgentInterface
import AgentTestSupport
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

@Suite(.sessionBus, .inProcessAgent(), .timeLimit(.minutes(5))) struct ReloadTests {
    private let agent = InProcessAgent.current

    @Test("A popup stays open while an account has its inbox, whatever else of the account changes")
    func popupsOfChangedAccounts() async throws {
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await agent.service().arrive(.sample("n1"))
                let popup = try #require(await server.notifications.next())
                try agent.configuration.write(InProcessAgent.text(["work"]) + "page_size = 7\n")
                try await agent.root.call(AgentRoot.reload)
                #expect(agent.services.count == 2, "another session")
                try await server.invoke(id: popup.id)
                #expect(try await agent.service().applied.next() == .interacted("n1"))
                try await waiting(for: "a closed popup", seeing: { await server.closeCalls.count }) { $0 >= 1 }

                try await agent.service().arrive(.sample("n2"))
                let other = try #require(await server.notifications.next())
                try agent.configuration.write(InProcessAgent.text(["home"]))
                try await agent.root.call(AgentRoot.reload)
                try await waiting(for: "two closed popups", seeing: { await server.closeCalls.count }) { $0 >= 2 }
                #expect(await server.closeCalls == [popup.id, other.id])
            }
        }
    }

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
        try await waiting(for: "two services", seeing: { agent.services.runningCount }) { $0 == 2 }
        #expect(agent.services.count == 21, "one for each account of each configuration")
    }
}
