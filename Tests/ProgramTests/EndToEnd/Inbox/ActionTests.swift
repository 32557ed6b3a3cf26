import AgentInterface
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// Actions of a script over the bus, all the way to the service and back.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ActionTests {
    private static let stores = """
        page_size = 2
        [[accounts.work.stores]]
        id = "all"
        label = "All"
        [[accounts.work.stores]]
        id = "archive"
        archived = true

        """

    @Test("Actions on the bus reach the service, and its answers change the properties", .builtAgent())
    func actionsReachTheService() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let id = try await sandbox.publish(["header": "One"])
        let other = try await sandbox.publish(["header": "Two"])
        _ = try await (agent.popup(), agent.popup())
        try await agent.account.wait(AgentInbox.unreadCount, is: 2)
        try await agent.account.call(AgentInbox.markRead, [id])
        try await agent.waitForRequest("read", of: id)
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        try await agent.account.call(AgentInbox.markUnread, [id])
        try await agent.waitForRequest("unread", of: id)
        try await agent.account.call(AgentInbox.archive, [other])
        try await agent.waitForRequest("archive", of: other)
        try await agent.account.call(AgentInbox.resetBadge)
        try await sandbox.waitForRequest { $0.path == "/v1/feed/reset_bell_count" }
        try await agent.account.call(AgentInbox.markAllRead)
        try await sandbox.waitForRequest { $0.path == "/v1/feed/mark_all_read" }
        try await agent.account.wait(AgentInbox.unreadCount, is: 0)
        try await agent.account.wait(AgentInbox.badgeCount, is: 0)
        try await agent.waitForList(count: 1)
        #expect(try await agent.account.call(AgentInbox.list, [:]).map { $0["id"] } == [.string(id)])
        let error = await #expect(throws: DBusError.self) {
            try await agent.account.call(AgentInbox.delete, [id])
        }
        #expect(error?.name == AgentErrors.notSupported)
    }

    @Test("Each tab has pages of its own", .sandbox(users: ["anna"])) func tabsAndPages() async throws {
        let sandbox = Sandbox.current
        // Distinct times: a page begins after a creation time, so rows with equal times would share one position.
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        for number in 1...5 {
            let created = JSON.integer(now - Int64(10_000 * (5 - number)))
            try await sandbox.publish(["header": .string("\(number)"), "created_on": created])
        }
        try await BuiltAgent.with(AgentConfiguration.account(url: sandbox.baseURL) + Self.stores, sandbox: sandbox) {
            agent in
            try await agent.account.wait(AgentInbox.totalCount, is: 5)
            #expect(try await agent.account.get(AgentInbox.tabs).map { $0.elements.1 } == ["All", "archive"])
            var steps = [try await agent.account.call(AgentInbox.fetchMore, "archive")]
            steps.append(try await agent.account.call(AgentInbox.fetchMore, "all"))
            steps.append(UInt32(try await agent.account.call(AgentInbox.list, ["tab": .string("all")]).count))
            for _ in 1...2 { steps.append(try await agent.account.call(AgentInbox.fetchMore, "all")) }
            #expect(steps == [0, 2, 4, 1, 0])
        }
    }

    @Test("Changes of preferences reach the service", .builtAgent()) func preferences() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let signals = try await agent.account.signals(of: AgentPreferences.self)
        let category = try #require(
            try await agent.account.call(AgentPreferences.list).first { $0["category"] == .string("refund-news") }
        )
        #expect(category["section"] == .string("Offers") && category["preference"] == .string("opt_in"))
        try await agent.account.call(AgentPreferences.setCategoryChannel, "refund-news", "inbox", "opt_out")
        #expect(try await agent.account.get(AgentPreferences.pending) <= 1)
        try await agent.account.call(AgentPreferences.flush)
        let request = try await sandbox.waitForRequest {
            $0.method == "PATCH" && $0.path.contains("refund-news")
        }
        #expect(request.path.hasPrefix("/v2/subscriber/anna/category/refund-news"))
        _ = await signals.next { $0.member == AgentPreferences.updated.name }
    }
}
