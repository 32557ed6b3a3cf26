import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Accounts whose user is known only from their token.
@Suite(.sessionBus, .sandbox(.magicBell(MagicBellOptions(users: ["anna", "bob"]))), .timeLimit(.minutes(5)))
struct TokenUserTests {
    private let sandbox = Sandbox.current

    /// Runs `body` with the configuration of an account whose token is in a file, and that file.
    private func withToken(
        of user: String,
        _ body: (_ configuration: TemporaryFile, _ token: TemporaryFile) async throws -> Void
    ) async throws {
        try await TemporaryFile.with("", named: "token") { token in
            try token.write(try await sandbox.token(for: Recipient(user)))
            let text = AgentConfiguration.magicBell("work", .token("T"))
                .replacing("user_token_command = [\"echo\", \"T\"]", with: "user_token_file = \"\(token.path)\"")
            try await TemporaryFile.with(text) { file in try await body(file, token) }
        }
    }

    /// Replaces the token, and makes the previous one invalid, unseen by the agent.
    private func replace(_ token: TemporaryFile, byTokenOf user: String, of agent: BuiltAgent) async throws {
        agent.program.send(SIGSTOP)
        try await sandbox.execute("rotate-tokens")
        try token.write(try await sandbox.token(for: Recipient(user)))
        try await sandbox.execute("drop", ["how": "reset"])
        agent.program.send(SIGCONT)
    }

    private func waitForUser(_ user: String, of agent: BuiltAgent) async throws {
        try await waiting(for: user, seeing: { try? await agent.account.get(AgentAccount.user) }) { $0 == user }
        try await waitUntilOnline(agent.account)
    }

    /// While an account changes its inbox it is not on the bus.
    private func waitUntilOnline(_ account: Proxy) async throws {
        try await waiting(for: "online", seeing: { try? await account.get(AgentAccount.state) }) { $0 == "online" }
    }

    @Test("The user is on the bus, also after a restart without the token") func user() async throws {
        try await withToken(of: "anna") { file, token in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await waitForUser("anna", of: agent)
                let list = try await Programs.run("feedbell", ["accounts"])
                #expect(list.status == .exited(0), "\(list.errors)")
                #expect(list.output == "work\tmagicbell\tanna\tonline\n")
            }
            try token.write("\n")
            try await BuiltAgent.keepingState(beside: file) { agent in
                #expect(try await agent.account.get(AgentAccount.user) == "anna")
                try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                #expect(try await agent.account.get(AgentAccount.user) == "anna")
            }
        }
    }

    @Test("Of two accounts whose tokens name the same user, one shows popups and the other needs attention")
    func twoAccounts() async throws {
        try await withToken(of: "anna") { file, token in
            let work = try file.read()
            let text = try token.read().split(separator: "\n").first.map(String.init)
            let home = AgentConfiguration.magicBell("home", .token(try #require(text)))
            try file.write(work + home)
            for _ in 1...2 {
                try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                    try await agent.server.serving {
                        try await agent.root.wait(AgentRoot.attentionNeeded, is: true)
                        var second: String?
                        try await waiting(for: "an account without an inbox of its own") {
                            for name in ["work", "home"] {
                                // While an account changes its inbox it is not on the bus.
                                let error = try? await agent.account(name).get(AgentAccount.lastError).elements.1
                                if error?.contains("are the same inbox, as their tokens say") == true { second = name }
                            }
                            return second != nil
                        }
                        try await waitUntilOnline(agent.account(second == "work" ? "home" : "work"))
                        let stopped = agent.account(try #require(second))
                        #expect(try await stopped.get(AgentAccount.state) == "unauthorized")
                        await #expect(throws: DBusError.self) { try await stopped.call(AgentInbox.markAllRead) }
                        for title in ["One", "Two"] {
                            try await sandbox.publish(["title": .string(title)], to: Recipient("anna"))
                            #expect(try await agent.popup().summary == title)
                        }
                        try file.replace(second == "work" ? work : home)
                        try await waitUntilOnline(stopped)
                        #expect(try await agent.root.get(AgentRoot.attentionNeeded) == false)
                        try file.replace(work + home)
                    }
                }
            }
        }
    }

    @Test("The actions of a user are not sent with the token of another one, and its popups are closed")
    func otherUser() async throws {
        try await withToken(of: "anna") { file, token in
            // The same id in both inboxes.
            let shared = "5ba6ed00-0000-4000-8000-000000000001"
            for user in ["anna", "bob"] {
                try await sandbox.publish(["id": .string(shared), "title": "Shared"], to: Recipient(user))
            }
            try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                try await agent.server.serving {
                    try await waitForUser("anna", of: agent)
                    try await sandbox.publish(["title": "For Anna"], to: Recipient("anna"))
                    let popup = try await agent.popup()
                    #expect(popup.summary == "For Anna")
                    try await agent.account.wait(AgentInbox.unreadCount, is: 2)
                    await sandbox.inject(.page(502, method: "POST", path: "/v2/", times: 10_000))
                    try await agent.account.call(AgentInbox.markRead, [shared])
                    try await agent.account.wait(AgentAccount.pendingActions, is: 1)

                    try await replace(token, byTokenOf: "bob", of: agent)
                    try await sandbox.execute("clear-faults")
                    try await waitForUser("bob", of: agent)
                    try await agent.account.wait(AgentInbox.unreadCount, is: 1)
                    #expect(try await agent.account.get(AgentAccount.pendingActions) == 0)
                    try await waiting(for: "a closed popup") {
                        await agent.server.closeCalls
                    } until: {
                        $0.contains(popup.id)
                    }
                    #expect(await sandbox.magicBellInbox("bob")[shared]?.readAt == nil)
                    #expect(await sandbox.magicBellInbox("anna")[shared]?.readAt == nil)

                    try await replace(token, byTokenOf: "anna", of: agent)
                    try await waitForUser("anna", of: agent)
                    try await agent.wait(for: shared, of: "anna") { $0?.readAt != nil }
                    #expect(await sandbox.magicBellInbox("bob")[shared]?.readAt == nil)
                    // Nothing is shown twice.
                    try await sandbox.publish(["title": "Last"], to: Recipient("anna"))
                    #expect(try await agent.popup().summary == "Last")
                }
            }
        }
    }
}
