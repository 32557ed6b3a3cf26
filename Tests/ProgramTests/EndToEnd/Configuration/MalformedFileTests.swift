import AgentTestSupport
import Subprocess
import TestSupport
import Testing

/// A configuration that is not TOML, with the built programs. Its kinds are in `MalformedConfigurationTests`.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct MalformedFileTests {
    @Test("feedbell reload of a malformed file: the agent keeps running with its last good configuration")
    func reload() async throws {
        let account = AgentConfiguration.account(url: "http://127.0.0.1:1", hasToken: false)
        try await TemporaryFile.with(account) { file in
            try await BuiltAgent.alone(file) { _ in
                try file.replace(account + "\n[\n")
                let refused = try await Programs.run("feedbell", ["reload"])
                #expect(refused.status == .exited(64))
                #expect(refused.errors.hasPrefix("feedbell: \(file.path):9: This is not valid TOML: "))
                let status = try await Programs.run("feedbell", ["status", "--json"])
                #expect(status.status == .exited(0), "\(status.errors)")
                #expect(status.output.contains("\"name\":\"work\""), "\(status.errors)")
                try file.replace(account)
                #expect(try await Programs.run("feedbell", ["reload"]).status == .exited(0))
            }
        }
    }

    @Test("An agent that starts with a malformed file ends with the error")
    func start() async throws {
        try await TemporaryFile.with("[@x]\n") { file in
            let outcome = try await Programs.run("feedbell-agent", ["--config", file.path])
            #expect(outcome.errors.contains("config.toml:1: This is not valid TOML: "), "\(outcome.errors)")
            #expect(outcome.status == .exited(78))
        }
    }
}
