import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The inbox for screen readers, and "undo", with agent and service.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct SpokenInboxTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("inbox --plain appends sentences, also about what arrives, and no control sequence") func plain() async throws
    {
        _ = try await sandbox.publish(["header": "Build 4711 finished\u{1B}[31m", "text": "x"])
        try await agent.waitForList(count: 1)
        let terminal = try PseudoTerminal("feedbell", ["inbox", "--plain"], columns: 80)
        var written = try await terminal.wait(for: "1 of 1, unread: Build 4711 finished")
        _ = try await sandbox.publish(["header": "Build 4712 failed", "text": "y"])
        written += try await terminal.wait(for: "\r\nNew: Build 4712 failed\r\n")
        terminal.type("o")
        written += try await terminal.wait(for: "The notification has no link.")
        terminal.type("\u{1B}[A")
        written += try await terminal.wait(for: "1 of 2, unread: Build 4712 failed")
        terminal.type("\r")
        written += try await terminal.wait(for: "\r\ny")
        terminal.type("qq")
        let end = try await terminal.end()
        #expect(end.status == 0 && terminal.isRestored)
        // Terminals do not show the modes of pasting.
        let shown = (written + end.written).replacing(/\u{1B}\[\?2004[hl]/, with: "")
        #expect(!shown.contains("\u{1B}"))
    }

    @Test("The cursor stays in the last line that was said, and the shell's prompt begins a line of its own")
    func lines() async throws {
        _ = try await sandbox.publish(["header": "Build 4711 finished", "text": "x"])
        try await agent.waitForList(count: 1)
        let terminal = try PseudoTerminal("feedbell", ["inbox", "--plain"], columns: 80)
        try await terminal.wait(for: "1 of 1, unread")
        terminal.type("?")
        #expect(try await terminal.wait(for: "inbox --plain").hasSuffix("For a screen reader: feedbell inbox --plain"))
        terminal.type("qq")
        #expect(try await terminal.end().written.hasSuffix("\r\n"))
    }

    @Test("follow --text prints new notifications and changed states as sentences") func followText() async throws {
        try await agent.account.wait(AgentAccount.state, is: "online")
        try await RunningProgram.with("feedbell", ["follow", "--text"]) { follower in
            _ = try await follower.wait(for: "0 unread")
            _ = try await sandbox.publish(["header": "Build 4711 finished", "text": "x"])
            #expect(try await follower.wait(for: "4711") == "New: Build 4711 finished")
            try await agent.root.call(AgentRoot.pause, 0)
            _ = try await follower.wait(for: "Popups are paused.")
            try await agent.root.call(AgentRoot.resume)
            _ = try await follower.wait(for: "Popups are shown again.")
            agent.program.send(15)
            await agent.program.ended()
            _ = try await follower.wait(for: "The Feedbell agent is not running.")
        }
        let both = try await Programs.run("feedbell", ["follow", "--text", "--json"])
        #expect(both.status == .exited(64))
    }

    @Test("What is taken back is not sent, and another one is sent without the terminal inbox") func undo() async throws
    {
        let first = try await sandbox.publish(["header": "One", "text": "x"])
        let second = try await sandbox.publish(["header": "Two", "text": "x"])
        try await agent.waitForList(count: 2)
        let terminal = try PseudoTerminal("feedbell", ["inbox"], columns: 80)
        try await terminal.wait(for: "1 of 2")
        terminal.type("e")
        try await terminal.wait(for: "1 notification archived")
        terminal.type("U")
        try await terminal.wait(for: "Taken back")
        terminal.type("\u{1B}[Ba")
        try await terminal.wait(for: "1 notification archived")
        try await agent.waitForList(count: 1)
        #expect(await sandbox.requests.filter { $0.path.hasSuffix("archive") }.isEmpty)
        terminal.send(15)
        #expect(try await terminal.end().status == 0)
        try await agent.waitForRequest("archive", of: first)
        let archived = await sandbox.requests.filter { $0.path.contains(second) && $0.path.contains("archive") }
        #expect(archived.isEmpty)
    }

    @Test("The table of preferences switches a channel at the service") func preferences() async throws {
        let terminal = try PseudoTerminal("feedbell", ["inbox"], columns: 80)
        try await terminal.wait(for: "No notifications.")
        terminal.type("P")
        try await terminal.wait(for: "Builds")
        let changes = try await agent.account.signals(of: AgentPreferences.self)
        // The first category, all of it.
        terminal.type(" ")
        _ = try await changes.next { try AgentPreferences.updated.decode($0) != nil }
        let category = try await agent.account.call(AgentPreferences.list).map(CategoryRecord.init).first
        #expect(category?.id == "refund-news" && category?.preference == .off)
        terminal.type("qq")
        #expect(try await terminal.end().status == 0)
    }
}
