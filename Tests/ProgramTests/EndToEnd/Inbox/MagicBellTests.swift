import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// The built agent with accounts at a simulated MagicBell.
@Suite(.sessionBus, .sandbox(.magicBell()), .timeLimit(.minutes(5))) struct MagicBellTests {
    private let sandbox = Sandbox.current

    @Test("A notification is shown, and a click opens its link and marks it as read", arguments: ["ably", "socket"])
    func click(realtime: String) async throws {
        try await BuiltAgent.with(AgentConfiguration.magicBell(realtime: realtime)) { agent in
            let id = try await sandbox.publish([
                "title": "Build 812 failed", "content": "<b>3</b> tests", "action_url": "https://ci.example/812",
            ])
            let popup = try await agent.popup()
            #expect(popup.summary == "Build 812 failed")
            try await agent.server.invoke(id: popup.id)
            try await agent.wait(for: id) { $0?.readAt != nil }
            #expect(try await agent.opened.next().first == "https://ci.example/812")
            try await agent.account.wait(AgentInbox.unreadCount, is: 0)
            let item = try await agent.account.call(AgentInbox.get, id)
            #expect(item["title"] == .string("Build 812 failed"))
        }
    }

    @Test("A user token is enough") func userToken() async throws {
        let token = try await sandbox.token()
        try await BuiltAgent.with(AgentConfiguration.magicBell("work", .token(token))) { agent in
            let id = try await sandbox.publish(["title": "Hello"])
            #expect(try await agent.popup().summary == "Hello")
            try await agent.account.wait(AgentInbox.unreadCount, is: 1)
            let capabilities = try await agent.account.get(AgentAccount.capabilities)
            #expect(capabilities.contains("seen") && !capabilities.contains("delete"))
            try await agent.account.call(AgentInbox.markSeen, [id])
            try await agent.wait(for: id) { $0?.seenAt != nil }
        }
    }

    @Test("The token of the inbox socket is registered once, also after a restart") func inboxToken() async throws {
        let token = try await sandbox.token()
        try await TemporaryFile.with(AgentConfiguration.magicBell("work", .token(token))) { file in
            for number in 1...3 {
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.publish(["title": .string("Nr \(number)")])
                    try await agent.account.wait(AgentInbox.unreadCount, is: UInt32(number))
                }
            }
        }
        let requests = await sandbox.requests
        #expect(requests.count { $0.method == "PUT" && $0.path.hasSuffix("/in_app/inbox/tokens") } == 1)
        #expect(await sandbox.violations.isEmpty)
    }

    @Test("Signing out deletes the token of the inbox socket at the service") func signOut() async throws {
        let token = try await sandbox.token()
        try await BuiltAgent.with(AgentConfiguration.magicBell("work", .token(token))) { agent in
            func tokens() async -> [StoredTokens.Token] {
                await sandbox.magicBellInbox().tokens.all.filter { $0.kind == .inbox }
            }
            #expect(await tokens().map(\.discardedAt) == [nil])
            try await agent.root.call(AgentRoot.signOut, "work")
            #expect(await tokens().first?.discardedAt != nil)
            // The command still gives a token.
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await sandbox.publish(["title": "Hello"])
            #expect(try await agent.popup().summary == "Hello")
            #expect(await tokens().count == 2)
        }
    }

    @Test(
        "An HMAC is read from its source",
        .sandbox(.magicBell(MagicBellOptions(users: ["anna@example.com"], requireHMAC: true)))
    ) func hmac() async throws {
        let sandbox = Sandbox.current
        let answer = try await sandbox.execute("hmac", ["user": "anna@example.com"])
        let hmac = try #require(answer["hmac"]?.string)
        let configuration = AgentConfiguration.magicBell(
            "work",
            .user("anna@example.com"),
            keys: "hmac_command = [\"echo\", \"\(hmac)\"]",
            sandbox: sandbox
        )
        try await BuiltAgent.with(configuration, sandbox: sandbox) { agent in
            try await sandbox.publish(["title": "Hello"])
            #expect(try await agent.popup().summary == "Hello")
            #expect(try await agent.account.get(AgentAccount.user) == "anna@example.com")
        }
    }

    @Test("An agent follows accounts of both services") func bothServices() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { other in
            let configuration =
                AgentConfiguration.magicBell() + AgentConfiguration.account("shop", url: other.baseURL)
            try await BuiltAgent.with(configuration) { agent in
                try await agent.account("shop").wait(AgentAccount.state, is: "online")
                try await sandbox.publish(["title": "From MagicBell"])
                #expect(try await agent.popup().summary == "From MagicBell")
                try await other.publish(["header": "From SuprSend", "text": "x"], to: Recipient("anna"))
                #expect(try await agent.popup().summary == "From SuprSend")
                try await agent.root.wait(AgentRoot.unreadCount, is: 2)
                try await agent.account.call(AgentInbox.markAllRead)
                try await agent.root.wait(AgentRoot.unreadCount, is: 1)
                #expect(try await agent.account("shop").get(AgentAccount.provider) == "suprsend")
            }
            #expect(await other.violations.isEmpty)
        }
    }

    @Test("Actions reach the service: unread, archive, unarchive, delete, all read, badge") func actions() async throws
    {
        let ids = [
            try await sandbox.publish(["title": "A"]), try await sandbox.publish(["title": "B"]),
            try await sandbox.publish(["title": "C"]),
        ]
        try await BuiltAgent.with(AgentConfiguration.magicBell()) { agent in
            let account = agent.account
            try await account.wait(AgentInbox.badgeCount, is: 3)
            try await account.call(AgentInbox.resetBadge)
            try await agent.wait(for: ids[2]) { $0?.seenAt != nil }
            try await account.wait(AgentInbox.badgeCount, is: 0)
            try await account.call(AgentInbox.markRead, [ids[0]])
            try await account.wait(AgentInbox.unreadCount, is: 2)
            try await account.call(AgentInbox.markUnread, [ids[0]])
            try await account.wait(AgentInbox.unreadCount, is: 3)
            try await account.call(AgentInbox.archive, [ids[0]])
            try await agent.wait(for: ids[0]) { $0?.archivedAt != nil }
            try await account.call(AgentInbox.unarchive, [ids[0]])
            try await agent.wait(for: ids[0]) { $0?.archivedAt == nil }
            try await account.call(AgentInbox.delete, [ids[1]])
            try await agent.wait(for: ids[1]) { $0 == nil }
            try await account.call(AgentInbox.markAllRead)
            try await agent.wait(for: ids[2]) { $0?.readAt != nil }
            try await account.wait(AgentInbox.unreadCount, is: 0)
            try await account.wait(AgentInbox.totalCount, is: 2)
            try await account.wait(AgentAccount.pendingActions, is: 0)
        }
    }

    @Test("What another client does is shown, and its popup closes") func otherClient() async throws {
        try await BuiltAgent.with(AgentConfiguration.magicBell()) { agent in
            let id = try await sandbox.publish(["title": "A"])
            _ = try await agent.popup()
            try await agent.account.wait(AgentInbox.unreadCount, is: 1)
            try await sandbox.execute("act", ["id": .string(id), "action": "archive"])
            try await agent.account.wait(AgentInbox.totalCount, is: 0)
            try await sandbox.execute("act", ["id": .string(id), "action": "unarchive"])
            try await agent.account.wait(AgentInbox.totalCount, is: 1)
            try await sandbox.execute("read-all")
            try await agent.account.wait(AgentInbox.unreadCount, is: 0)
            try await sandbox.execute("delete", ["id": .string(id)])
            try await agent.account.wait(AgentInbox.totalCount, is: 0)
        }
    }

    @Test("What came while the agent was not running is shown once afterwards") func restart() async throws {
        try await TemporaryFile.with(AgentConfiguration.magicBell()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.server.serving {
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.publish(["title": "Before"])
                    #expect(try await agent.popup().summary == "Before")
                }
            }
            try await sandbox.publish(["title": "Between"])
            for expected in ["Between", "After"] {
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.server.serving {
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        if expected == "After" { try await sandbox.publish(["title": "After"]) }
                        #expect(try await agent.popup().summary == expected)
                    }
                }
            }
        }
    }

    @Test("A preference is changed by its channel; a category has no switch") func preferences() async throws {
        try await BuiltAgent.with(AgentConfiguration.magicBell()) { agent in
            let account = agent.account
            let category = try #require(SimulatedPreferences.sample.categories.first)
            let channel = try #require(category.channels.first)
            let value = channel.enabled ? "opt_out" : "opt_in"
            let listed = try await account.call(AgentPreferences.list)
            #expect(listed.count == SimulatedPreferences.sample.categories.count)
            try await account.call(AgentPreferences.setCategoryChannel, category.slug, channel.slug, value)
            try await account.call(AgentPreferences.flush)
            let inbox = await sandbox.magicBellInbox()
            #expect(inbox.preferences.isEnabled(channel.slug, of: category.slug) == !channel.enabled)
            let error = await #expect(throws: DBusError.self) {
                try await account.call(AgentPreferences.setCategory, category.slug, "opt_out")
            }
            #expect(error?.name == AgentErrors.notSupported)
        }
    }

    @Test("doctor says what is wrong with an account") func check() async throws {
        let good = try await AgentCheck.findings(AgentConfiguration.magicBell())
        #expect(good.allSatisfy { $0.level == .ok || $0.topic == .clock }, "\(good)")
        let wrong = AgentConfiguration.magicBell().replacing("pk_sandbox", with: "pk_other")
        let findings = try await AgentCheck.findings(wrong)
        #expect(findings.contains { $0.topic == .credentials && $0.level == .problem }, "\(findings)")
    }
}
