import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell inbox` on a pseudo-terminal, with agent and service.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct InboxCommandTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current
    private static let restored = "\u{1B}[?1049l"

    @Test("Notifications are listed, read, opened and archived, and the terminal is restored") func session()
        async throws
    {
        let first = try await sandbox.publish(["header": "One\u{1B}[31m", "text": "first"])
        let second = try await sandbox.publish([
            "header": "Two", "text": "A text.", "url": "https://example.com/two",
        ])
        try await agent.waitForList(count: 2)
        let terminal = try PseudoTerminal("feedbell", ["inbox"])
        let list = try await terminal.wait(for: "Two — A text.")
        #expect(list.contains("\u{1B}[?1049h") && !list.contains("One\u{1B}"))
        #expect(!terminal.isRestored)

        terminal.type("\r")
        try await terminal.wait(for: "https://example.com/two")
        try await agent.waitForRequest("read", of: second)
        terminal.type("o")
        #expect(try await agent.opened.next().first == "https://example.com/two")
        terminal.type("\u{1B}")
        try await terminal.wait(for: "One")
        terminal.type("\u{1B}[Ba")
        try await agent.waitForRequest("archive", of: first)

        // A new notification is listed at once.
        _ = try await sandbox.publish(["header": "日本語", "text": "x"])
        try await terminal.wait(for: "日本語")
        terminal.resize(columns: 60, rows: 12)
        try await terminal.wait(for: "\u{1B}[12;1H")

        terminal.type("q")
        let end = try await terminal.end()
        #expect(end.status == 0 && end.written.hasSuffix(Self.restored) && terminal.isRestored)
    }

    @Test("A link that cannot be opened is a sentence, and its notification stays unread") func refusedLink()
        async throws
    {
        let id = try await sandbox.publish(["header": "Orders", "text": "x", "url": "/orders"])
        try await agent.waitForList(count: 1)
        let terminal = try PseudoTerminal("feedbell", ["inbox"])
        try await terminal.wait(for: "Orders")
        terminal.type("o")
        try await terminal.wait(for: "link_base")
        #expect(await sandbox.inbox("anna").row(id)?["interacted_on"] == .null)
        #expect(try await agent.account.call(AgentInbox.get, id)["read"] == .int64(0))
        terminal.type("q")
        #expect(try await terminal.end().status == 0)
    }

    @Test("What is pasted acts on no notification, and is searched for in the search", arguments: [[], ["--plain"]])
    func paste(options: [String]) async throws {
        try await sandbox.execute(
            "publish",
            ["notifications": .array((1...6).map { ["header": .string("Nr \($0)"), "text": "x"] })]
        )
        try await agent.waitForList(count: 6)
        let terminal = try PseudoTerminal("feedbell", ["inbox"] + options)
        #expect(try await terminal.wait(for: "Nr 6").contains("\u{1B}[?2004h"))
        terminal.type("\u{1B}[200~Read all: dddd, aaaa\rA\u{1B}[201~")
        try await terminal.wait(for: "Pasted text is ignored here")
        terminal.type("/\u{1B}[200~Nr 4\r\u{1B}[201~")
        try await terminal.wait(for: "Search: Nr 4")
        terminal.type("\u{3}")
        let end = try await terminal.end()
        #expect(end.status == 0 && end.written.contains("\u{1B}[?2004l"))
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        let listed = try await agent.account.call(AgentInbox.list, [:])
        #expect(listed.count == 6 && listed.allSatisfy { $0["read"] == .int64(0) && $0["archived"] == .bool(false) })
    }

    @Test("Rows on the screen are marked as seen once, and opening the inbox resets the badge; list does neither")
    func seenAndBadge() async throws {
        try await sandbox.execute(
            "publish",
            ["notifications": .array((1...3).map { ["header": .string("Nr \($0)"), "text": "x"] })]
        )
        try await agent.waitForList(count: 3)
        try await agent.account.wait(AgentInbox.badgeCount, is: 3)
        #expect(try await Programs.run("feedbell", ["list"]).status == .exited(0))
        #expect(try await Programs.run("feedbell", ["inbox"]).status == .exited(0))
        #expect(await sandbox.inbox("anna").interactions.isEmpty)

        let terminal = try PseudoTerminal("feedbell", ["inbox"])
        try await terminal.wait(for: "Nr 3")
        try await agent.account.wait(AgentInbox.badgeCount, is: 0)
        try await waitUntilSeen(count: 3)
        #expect(try await agent.account.get(AgentInbox.unreadCount) == 3)
        // A new one is seen, too, with a request of its own; the badge stays.
        _ = try await sandbox.publish(["header": "Nr 4", "text": "x"])
        try await waitUntilSeen(count: 4)
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        #expect(try await agent.account.get(AgentInbox.badgeCount) == 1)
        terminal.type("q")
        #expect(try await terminal.end().status == 0)
        let requests = await sandbox.requests
        #expect(requests.filter { $0.path.hasSuffix("/bulk/notifications/seen") }.count == 2)
        #expect(requests.filter { $0.path.hasSuffix("/reset_bell_count") }.count == 1)
    }

    private func waitUntilSeen(count: Int) async throws {
        try await sandbox.wait { state in
            let rows = TestedService.suprSend.rows(in: state)
            return rows.count == count && rows.allSatisfy { $0.isSeen } ? true : nil
        }
    }

    @Test("A key presses a button, and what expires leaves the list for the archive") func buttonAndExpiry()
        async throws
    {
        let id = try await sandbox.publish([
            "header": "Sale", "text": "x", "is_expiry_visible": true, "expiry": 4_102_444_800_000,
            "actions": [["name": "Buy", "url": "https://example.com/buy"]],
        ])
        try await agent.waitForList(count: 1)
        let terminal = try PseudoTerminal("feedbell", ["inbox"], columns: 80)
        try await terminal.wait(for: " d ")
        terminal.type("1")
        #expect(try await agent.opened.next().first == "https://example.com/buy")
        try await agent.waitForRequest("interacted", of: id)
        try await sandbox.execute(
            "update",
            ["n_id": .string(id), "patch": ["expiry": .integer(Int64(time(nil)) * 1000 + 20_000)]]
        )
        try await terminal.wait(for: "0:1")
        try await terminal.wait(for: "0:1")
        try await sandbox.execute("expire", ["n_id": .string(id)])
        try await terminal.wait(for: "No notifications.")
        terminal.type("q")
        #expect(try await terminal.end().status == 0)
        let archive = try await Programs.run("feedbell", ["list", "--archived"])
        #expect(archive.status == .exited(0), "\(archive.errors)")
        #expect(archive.output.hasPrefix(id), "\(archive.errors)")
    }

    @Test("What was requested before quitting is performed") func quit() async throws {
        let id = try await sandbox.publish(["header": "One", "text": "x"])
        try await agent.waitForList(count: 1)
        let terminal = try PseudoTerminal("feedbell", ["inbox"])
        try await terminal.wait(for: "One")
        terminal.type("aq")
        #expect(try await terminal.end().status == 0)
        try await agent.waitForRequest("archive", of: id)
    }

    @Test("A signal restores the terminal", arguments: [SIGTERM, SIGINT, SIGHUP]) func signals(_ signal: Int32)
        async throws
    {
        let terminal = try PseudoTerminal("feedbell", ["inbox", "--account", "work"])
        try await terminal.wait(for: "No notifications.")
        terminal.send(signal)
        let end = try await terminal.end()
        #expect(end.written.hasSuffix(Self.restored) && terminal.isRestored)
    }

    @Test("Without an account of the name, the terminal is not touched") func noAccount() async throws {
        let terminal = try PseudoTerminal("feedbell", ["inbox", "--account", "x"])
        let end = try await terminal.end()
        #expect(end.status == 5 && end.written.contains("There is no account \"x\".") && terminal.isRestored)
        #expect(!end.written.contains("\u{1B}"))
    }

    @Test("An agent that ends is reported, and its successor's inbox is shown") func lostAgent() async throws {
        let terminal = try PseudoTerminal("feedbell", ["inbox"])
        try await terminal.wait(for: "No notifications.")
        agent.program.send(SIGTERM)
        await agent.program.ended()
        try await terminal.wait(for: "No Feedbell agent is running")
        terminal.type("\u{03}")
        #expect(try await terminal.end().status == 0)
    }

    @Test("In a pipe, it prints the list") func pipe() async throws {
        let id = try await sandbox.publish(["header": "One", "text": "x"])
        try await agent.waitForList(count: 1)
        let outcome = try await Programs.run("feedbell", ["inbox"])
        #expect(outcome.status == .exited(0) && outcome.output.hasPrefix("\(id)\tunread\t"))
    }
}
