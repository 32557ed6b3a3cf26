import AgentInterface
import DBus
import NotificationTerminal
import Sandbox
import Store
import TestSupport
import Testing

/// For a while a gateway answers with pages of its own in the place of the service, as an ingress does during a
/// deployment.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct GatewayPageTests {
    /// Two attempts of each, so that one answer alone does not decide.
    private func attempts(_ path: String, at sandbox: Sandbox) async throws {
        for number in 1...2 {
            _ = try await sandbox.wait { state in
                state.requests.count { $0.method == "PATCH" && $0.path.hasPrefix(path) } >= number ? true : nil
            }
        }
    }

    @Test("Actions and preferences survive the pages of a gateway", .builtAgent(), arguments: [400, 403, 404])
    func changes(status: Int) async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let account = agent.account
        let read = try await sandbox.publish(["header": "Read"])
        let archived = try await sandbox.publish(["header": "Archived"])
        _ = try await (agent.popup(), agent.popup())
        _ = try await account.call(AgentPreferences.list)
        try await sandbox.perform(.fault(.page(status, path: "/v", times: 10_000)))
        try await account.call(AgentInbox.markRead, [read])
        try await account.call(AgentInbox.archive, [archived])
        try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
        try await attempts("/v1/feed/notifications/", at: sandbox)
        try await attempts("/v2/subscriber/", at: sandbox)
        #expect(try await account.get(AgentInbox.unreadCount) == 0, "they show all the same")
        #expect(try await account.get(AgentAccount.pendingActions) == 2)
        #expect(try await account.get(AgentPreferences.pending) == 1)
        try await sandbox.perform(.clearFaults)
        _ = try await sandbox.wait { state in
            let storedInbox = state.service[InboxKey(user: "anna")]
            let category = storedInbox.preferences.category("refund-news")
            let isDone =
                storedInbox.row(read)?.isRead == true && storedInbox.row(archived)?.isArchived == true
                && category?["preference"]?.string == "opt_out"
            return isDone ? true : nil
        }
        try await account.wait(AgentAccount.pendingActions, is: 0)
        try await account.wait(AgentPreferences.pending, is: 0)
    }

    /// When an agent comes online it compares open popups with the newest page of the inbox, and asks for the
    /// notifications that are not on it.
    @Test(
        "A gateway's page in the place of a notification closes no popup",
        .sandbox(users: ["anna"]),
        arguments: [400, 404]
    )
    func popups(status: Int) async throws {
        let sandbox = Sandbox.current
        let text = AgentConfiguration.account()
        try await TemporaryFile.with(text + "page_size = 1\n[popups]\ngroup_above = 1000\n") { file in
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                func publish(_ header: String) async throws -> (id: String, popup: UInt32) {
                    let id = try await sandbox.publish(["header": .string(header), "text": "x"])
                    return (id, try #require(await server.notifications.next()).id)
                }
                try await server.serving {
                    var open: [(id: String, popup: UInt32)] = []
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        for number in 1...3 { open.append(try await publish("\(number)")) }
                        // A popup that is not on the disk yet is shown again.
                        let store = StateStore(path: file.directory + "/state/feedbell/feedbell.sqlite3") { _ in }
                        while try await store.popups().count < 3 { try await Task.sleep(for: .milliseconds(5)) }
                    }
                    let (first, second) = (open[0], open[1])
                    // A page of newer ones, which were read elsewhere.
                    let read: JSON = ["header": "Read", "text": "x", "seen_on": 1, "read_on": 1]
                    try await sandbox.perform(.publish(Array(repeating: read, count: 100), announced: false))
                    try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        // When this one is shown, the agent knows its server, and has taken over the popups.
                        open.append(try await publish("4"))
                        let last = await sandbox.requests.last?.number ?? 0
                        try await sandbox.perform(
                            .fault(.page(status, method: "GET", path: "/v1/feed/notifications/", times: 10_000))
                        )
                        try await sandbox.perform(.drop(.hangUp(.reset)))
                        for (id, _) in [first, second] {
                            try await sandbox.waitForRequest(after: last) {
                                $0.path == "/v1/feed/notifications/\(id)"
                            }
                        }
                        // What the service itself says of a notification that is gone still counts.
                        try await sandbox.perform(.clearFaults)
                        try await sandbox.perform(.remove(first.id))
                        try await sandbox.perform(.drop(.hangUp(.reset)))
                        while await server.popups.count == open.count {
                            try await Task.sleep(for: .milliseconds(5))
                        }
                        let left = await server.popups.map(\.id).sorted()
                        #expect(left == open.dropFirst().map(\.popup))
                        #expect(await Set(server.closeCalls) == [first.popup])
                    }
                }
            }
        }
    }

    @Test("An action that the service forbids is refused, and the others arrive", .builtAgent())
    func forbidden() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let account = agent.account
        let signals = try await account.signals(of: AgentInbox.self)
        let forbidden = try await sandbox.publish(["header": "Forbidden"])
        let other = try await sandbox.publish(["header": "Other"])
        _ = try await (agent.popup(), agent.popup())
        let path = "/v1/feed/notifications/\(forbidden)/read"
        try await sandbox.perform(.fault(.status(403, type: "PERMISSION_DENIED", path: path, times: 10_000)))
        try await account.call(AgentInbox.markRead, [forbidden])
        try await account.call(AgentInbox.markRead, [other])
        try await agent.waitForRequest("read", of: other)
        for await signal in signals {
            guard let (action, ids, error, _) = try AgentInbox.actionFailed.decode(signal) else { continue }
            #expect(action == "MarkRead" && ids == [forbidden] && error == AgentErrors.rejected.text)
            break
        }
        try await account.wait(AgentAccount.pendingActions, is: 0)
        try await account.wait(AgentInbox.unreadCount, is: 1)
        #expect(try await account.get(AgentAccount.state) == "online")
    }
}
