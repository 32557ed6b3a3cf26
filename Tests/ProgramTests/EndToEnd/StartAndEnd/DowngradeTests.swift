import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// The state file of another version of Feedbell.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct DowngradeTests {
    @Test("The state file of a later version is kept aside and reported, and the agent works with a new one")
    func laterFile() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            let path = StateFile(beside: file).path
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
            let version = try #require(try await StateFile(path: path).number("PRAGMA user_version"))
            _ = try await StateFile(path: path).number("PRAGMA user_version = \(version + 1)")
            try await BuiltAgent.keepingState(beside: file) { agent in
                _ = try await agent.program.wait(
                    for: "\"\(path)\" was written by a later version of Feedbell. It was moved to \"\(path).aside-1\""
                )
                try await agent.account.wait(AgentAccount.state, is: "online")
                let id = try await Sandbox.current.publish(["header": "One", "text": "x"])
                try await agent.account.wait(AgentInbox.unreadCount, is: 1)
                try await agent.account.call(AgentInbox.markRead, [id])
                try await agent.waitForRequest("read", of: id)
            }
            for (path, expected) in [(path + ".aside-1", version + 1), (path, version)] {
                #expect(try await StateFile(path: path).number("PRAGMA user_version") == expected)
            }
        }
    }
}
