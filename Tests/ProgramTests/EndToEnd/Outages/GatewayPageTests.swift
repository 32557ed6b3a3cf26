import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// For a while a gateway answers with pages of its own in the place of the service, as an ingress does during a
/// deployment.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct GatewayPageTests {
    /// Two attempts, so that one answer alone does not decide.
    private func attempts(at sandbox: Sandbox, _ isAttempt: @escaping @Sendable (LoggedRequest) -> Bool) async throws {
        _ = try await sandbox.wait { state in state.requests.count(where: isAttempt) >= 2 ? true : nil }
    }

    @Test(
        "Actions and preferences survive the pages of a gateway",
        arguments: TestedService.allCases,
        [200, 400, 403, 404, 502]
    )
    func changes(service: TestedService, status: Int) async throws {
        try await service.withAgent { sandbox, agent in
            let account = agent.account
            let read = try await sandbox.publish(service.fields("Read"))
            let archived = try await sandbox.publish(service.fields("Archived"))
            _ = try await (agent.popup(), agent.popup())
            // The first count may include a notification whose event adds it once more, until the next count.
            try await account.wait(AgentInbox.unreadCount, is: 2)
            _ = try await account.call(AgentPreferences.list)
            let name = service.switches[0]
            let before = service.preference(name, in: await sandbox.state)
            let wanted = before == "opt_in" ? "opt_out" : "opt_in"
            await sandbox.inject(.page(status, path: service.apiPath, times: 10_000))
            try await account.call(AgentInbox.markRead, [read])
            try await account.call(AgentInbox.archive, [archived])
            try await service.set(name, wanted, of: account)
            try await attempts(at: sandbox) { $0.method == service.method && $0.path.hasPrefix(service.listPath) }
            try await attempts(at: sandbox) { service.changesPreferences($0) }
            let unread = try await account.get(AgentInbox.unreadCount)
            #expect(unread == 0, "they show all the same")
            try await account.wait(AgentAccount.pendingActions, is: 2)
            #expect(try await account.get(AgentPreferences.pending) == 1)
            try await sandbox.execute("clear-faults")
            _ = try await sandbox.wait { state in
                let isDone =
                    service.row(read, in: state)?.isRead == true && service.row(archived, in: state)?.isArchived == true
                    && service.preference(name, in: state) == wanted
                return isDone ? true : nil
            }
            try await account.wait(AgentAccount.pendingActions, is: 0)
            try await account.wait(AgentPreferences.pending, is: 0)
        }
    }

    /// When an agent comes online it compares open popups with the newest page of the inbox, and asks for the
    /// notifications that are not on it.
    @Test(
        "A gateway's page in the place of a notification closes no popup",
        arguments: TestedService.allCases,
        [400, 404]
    )
    func popups(service: TestedService, status: Int) async throws {
        try await Sandbox.with(service.options) { sandbox in
            try await popups(service, status, sandbox)
            #expect(await sandbox.violations.isEmpty)
        }
    }

    private func popups(_ service: TestedService, _ status: Int, _ sandbox: Sandbox) async throws {
        let text = service.account(at: sandbox.baseURL)
        try await TemporaryFile.with(text + "page_size = 1\n[popups]\ngroup_above = 1000\n") { file in
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                func publish(_ header: String) async throws -> (id: String, popup: UInt32) {
                    let id = try await sandbox.publish(service.fields(header))
                    return (id, try #require(await server.notifications.next()).id)
                }
                try await server.serving {
                    var open: [(id: String, popup: UInt32)] = []
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        for number in 1...3 { open.append(try await publish("\(number)")) }
                        // A popup that is not on the disk yet is shown again.
                        try await waiting(for: "three recorded popups") {
                            try await StateFile(beside: file).number("SELECT count(*) FROM popups")
                        } until: {
                            $0 ?? 0 >= 3
                        }
                    }
                    let (first, second) = (open[0], open[1])
                    // A page of newer ones, which were read elsewhere.
                    let read = service.readElsewhere("Read")
                    try await sandbox.execute(
                        "publish",
                        ["notifications": .array(Array(repeating: read, count: 100)), "announce": false]
                    )
                    try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        // When this one is shown, the agent knows its server, and has taken over the popups.
                        open.append(try await publish("4"))
                        let last = await sandbox.requests.last?.number ?? 0
                        await sandbox.inject(.page(status, method: "GET", path: service.listPath + "/", times: 10_000))
                        try await sandbox.execute("drop", ["how": "reset"])
                        for (id, _) in [first, second] {
                            try await sandbox.waitForRequest(after: last) {
                                $0.path == "\(service.listPath)/\(id)"
                            }
                        }
                        // The service's own answer that a notification does not exist still counts.
                        try await sandbox.execute("clear-faults")
                        try await sandbox.execute("remove", .object([service.idKey: .string(first.id)]))
                        try await sandbox.execute("drop", ["how": "reset"])
                        try await waiting(for: "a closed popup") {
                            await server.popups.count
                        } until: {
                            $0 != open.count
                        }
                        let left = await server.popups.map(\.id).sorted()
                        #expect(left == open.dropFirst().map(\.popup))
                        #expect(await Set(server.closeCalls) == [first.popup])
                    }
                }
            }
        }
    }

    @Test(
        "An action that the service forbids is refused, and the others arrive",
        arguments: TestedService.allCases
    )
    func forbidden(service: TestedService) async throws {
        try await service.withAgent { sandbox, agent in try await forbidden(service, sandbox, agent) }
    }

    private func forbidden(_ service: TestedService, _ sandbox: Sandbox, _ agent: BuiltAgent) async throws {
        let account = agent.account
        let signals = try await account.signals(of: AgentInbox.self)
        let forbidden = try await sandbox.publish(service.fields("Forbidden"))
        let other = try await sandbox.publish(service.fields("Other"))
        _ = try await (agent.popup(), agent.popup())
        let path = "\(service.listPath)/\(forbidden)/read"
        await sandbox.inject(service.refusal(403, path: path, times: 10_000))
        try await account.call(AgentInbox.markRead, [forbidden])
        try await account.call(AgentInbox.markRead, [other])
        try await sandbox.wait { state in service.row(other, in: state)?.isRead == true ? true : nil }
        let failure = try await signals.pick { try AgentInbox.actionFailed.decode($0) }
        let (action, ids, error, _) = try #require(failure)
        #expect(action == "MarkRead" && ids == [forbidden] && error == AgentErrors.rejected.text)
        try await account.wait(AgentAccount.pendingActions, is: 0)
        try await account.wait(AgentInbox.unreadCount, is: 1)
        #expect(try await account.get(AgentAccount.state) == "online")
    }
}
