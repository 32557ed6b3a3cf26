import Glibc
import Subprocess
import TestSupport
import Testing

/// The command with an agent that is stopped.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct FrozenAgentTests {
    static let commands: [[String]] = [
        ["status", "--timeout", "0.2"], ["status", "--json", "--timeout=0.2"], ["list", "--timeout", "0.2"],
        ["read", "--timeout", "0.2", "x"], ["pause", "--timeout", "0.2"], ["resume", "--timeout", "0.2"],
        ["reload", "--timeout", "0.2"], ["accounts", "--timeout", "0.2"], ["preferences", "--timeout", "0.2"],
        ["preferences", "set", "x", "on", "--wait", "--timeout", "0.2"], ["tabs", "--timeout", "0.2"],
        ["badge", "reset", "--timeout", "0.2"], ["more", "--timeout", "0.2"],
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

    @Test("Every command ends with 70 and a sentence when the agent does not answer")
    func commands() async throws {
        try await withFrozenAgent {
            for command in Self.commands {
                let outcome = try await Programs.run("feedbell", command)
                #expect(outcome.status == .exited(70), "\(command)")
                #expect(outcome.output.isEmpty)
                let sentence =
                    "feedbell: The agent is busy: it did not answer within 0.2 s. Try again, or "
                #expect(outcome.errors.hasPrefix(sentence), "\(command): \(outcome.errors)")
            }
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
            #expect(other.errors.contains("did not answer within 0.1 s."))
        }
    }

    @Test("A timeout outside of its range is refused", arguments: ["0", "-1", "4000", "x", "nan", "inf"])
    func range(text: String) async throws {
        let outcome = try await Programs.run("feedbell", ["status", "--timeout=\(text)"])
        #expect(outcome.status == .exited(64))
    }
}
