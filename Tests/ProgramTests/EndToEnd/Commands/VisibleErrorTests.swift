import AgentTestSupport
import Subprocess
import TestSupport
import Testing
import VisibleText

/// Errors that hold words from elsewhere.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct VisibleErrorTests {
    @Test("The agent's log and the command's errors contain no invisible characters") func inLogAndErrors()
        async throws
    {
        let dirty = "[accounts.work]\nprovider = \"\u{202E}x\u{2066}\u{9B}2J\"\n"
        try await TemporaryFile.with(dirty) { file in
            let outcome = try await Programs.run("feedbell-agent", ["--config", file.path])
            #expect(outcome.status == .exited(78))
            #expect(outcome.errors.contains("cannot be \"x2J\". Choose one of"), "\(outcome.errors.debugDescription)")
            #expect(VisibleText.lines(outcome.errors) == outcome.errors)
        }
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { agent in
                try file.write(dirty)
                let refused = try await Programs.run("feedbell", ["reload"])
                #expect(refused.status == .exited(64), "\(refused.errors)")
                #expect(
                    refused.errors.contains("cannot be \"x2J\". Choose one of"),
                    "\(refused.errors.debugDescription)"
                )
                #expect(VisibleText.lines(refused.errors) == refused.errors)
                #expect(agent.program.log.allSatisfy { VisibleText.line($0) == $0 })
            }
        }
    }
}
