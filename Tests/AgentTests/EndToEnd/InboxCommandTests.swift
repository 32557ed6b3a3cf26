import AgentInterface
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell inbox` on a pseudo-terminal, with agent and service.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(1))) struct InboxCommandTests {
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
