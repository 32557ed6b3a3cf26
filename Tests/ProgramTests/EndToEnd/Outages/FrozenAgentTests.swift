import AgentInterface
import AgentTestSupport
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The command with an agent that is stopped.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct FrozenAgentTests {
    /// What commands need besides their names.
    private static let operands: [String: [String]] = [
        "accounts token": ["work"], "accounts sign-out": ["work"], "accounts remove": ["work", "--yes"],
        "delete": ["x", "--yes"], "hide-text": ["on"], "pause": ["1h"], "preferences set": ["x", "on", "--wait"],
        "preferences channel": ["email", "all"], "preferences digest": ["x", "--time", "09:00"],
        "preferences property": ["x", "y", "z"], "preferences topic": ["x", "off"],
        "snooze": ["x", "1h"], "unmute": ["x"],
    ]
    /// Those that change or show one notification.
    private static let withID: Set = [
        "show", "open", "read", "unread", "seen", "archive", "unarchive", "unsnooze", "rules test",
    ]

    private func withFrozenAgent(_ body: () async throws -> Void) async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { agent in
                agent.program.send(SIGSTOP)
                defer { agent.program.send(SIGCONT) }
                try await body()
            }
        }
    }

    @Test("Every command with --timeout ends with 70 and a sentence when the agent does not answer")
    func commands() async throws {
        let paths = try await CommandTree.read("feedbell").paths(withOption: "timeout").map { $0.dropFirst() }
            // The first one needs a terminal, and the timeout of the second one is that of its programs.
            .filter { $0 != ["preferences", "edit"] && $0 != ["follow"] }
        #expect(paths.count > 25, "\(paths)")
        try await withFrozenAgent {
            for path in paths {
                let name = path.joined(separator: " ")
                let operands = Self.operands[name] ?? (Self.withID.contains(name) ? ["x"] : [])
                let outcome = try await Programs.run("feedbell", path + operands + ["--timeout", "0.2"])
                #expect(outcome.status == .exited(70), "\(name): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
                let sentence = "feedbell: The agent is busy: it did not answer within 0.2 s. Try again, or "
                #expect(outcome.errors.hasPrefix(sentence), "\(name): \(outcome.errors)")
            }
        }
    }

    @Test("The inbox in the terminal says that the agent does not answer, until it answers", .sandbox(users: ["anna"]))
    func inbox() async throws {
        try await BuiltAgent.alone { agent in
            _ = try await Sandbox.current.publish(["header": "Nr 1", "text": "x"])
            try await agent.waitForList(count: 1)
            let program = ["feedbell", "inbox", "--timeout", "0.3"]
            try await TmuxTerminal.with(program, columns: 80, rows: 24) { terminal in
                _ = try await terminal.screen(with: "1 of 1")
                agent.program.send(SIGSTOP)
                defer { agent.program.send(SIGCONT) }
                try await terminal.press("r")
                _ = try await terminal.screen(with: "The agent does not answer. If this lasts, see: feedbell doctor")
                agent.program.send(SIGCONT)
                _ = try await terminal.screen(with: "Enter show")
            }
        }
    }

    @Test(
        "Quitting does not wait for an agent that does not answer, and says what may be lost",
        .sandbox(users: ["anna"])
    )
    func quit() async throws {
        try await BuiltAgent.alone { agent in
            _ = try await Sandbox.current.publish(["header": "Nr 1", "text": "x"])
            try await agent.waitForList(count: 1)
            let terminal = try PseudoTerminal("feedbell", ["inbox", "--timeout", "0.3"], columns: 100)
            try await terminal.wait(for: "1 of 1")
            agent.program.send(SIGSTOP)
            defer { agent.program.send(SIGCONT) }
            terminal.type("uq")
            let end = try await terminal.end()
            #expect(end.status == 70 && terminal.isRestored)
            #expect(
                end.written.contains("The agent does not answer: your last changes may be lost. See: feedbell doctor")
            )
        }
    }

    @Test("The default timeout is two seconds")
    func usualTimeout() async throws {
        try await withFrozenAgent {
            let outcome = try await Programs.run("feedbell", ["status"], environment: ["FEEDBELL_TIMEOUT": nil])
            #expect(outcome.status == .exited(70))
            #expect(outcome.errors.contains("did not answer within 2 s."))
            let short: [Environment.Key: String?] = ["FEEDBELL_TIMEOUT": "0.1"]
            let other = try await Programs.run("feedbell", ["status"], environment: short)
            #expect(other.status == .exited(70), "\(other.errors)")
            #expect(other.errors.contains("did not answer within 0.1 s."))
        }
    }

    @Test("A timeout outside of its range is refused", arguments: ["0", "-1", "4000", "x", "nan", "inf"])
    func range(text: String) async throws {
        let outcome = try await Programs.run("feedbell", ["status", "--timeout=\(text)"])
        #expect(outcome.status == .exited(64))
    }
}
