import AgentInterface
import DBus
import Foundation
import Sandbox
import TestSupport
import Testing

@testable import Agent

/// The state file of another version of Feedbell.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct DowngradeTests {
    @Test("The state file of a later version is kept aside and reported, and the agent works with a new one")
    func laterFile() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            let path = file.directory + "/state/feedbell/feedbell.sqlite3"
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
            do {
                let database = try Database(path)
                try database.execute("PRAGMA user_version = \(Schema.version + 1)")
            }
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
            let versions = try [path + ".aside-1", path].map { try Database($0).query("PRAGMA user_version") }
            #expect(versions == [[[.integer(Schema.version + 1)]], [[.integer(Schema.version)]]])
        }
    }

    @Test("feedbell.toml(5) states the version of the state file") func manual() throws {
        let page = Checkout.root.appending(path: "packaging/build/man/feedbell.toml.5.scd")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("The file has version \(Schema.version) "))
    }
}
