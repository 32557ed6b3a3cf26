import AgentInterface
import AgentTestSupport
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The findings of `feedbell-agent check` about the configuration, the token and the account.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct CheckTests {
    // MARK: The configuration

    @Test("A missing configuration is a problem") func noConfiguration() async throws {
        let findings = try await AgentCheck.run(["check"])
        #expect(
            findings.filter { $0.topic != .notifications } == [
                Finding(
                    .configuration,
                    .problem,
                    "There is no configuration at /nonexistent/feedbell/config.toml.",
                    remedy: "Add an account with: feedbell accounts add"
                )
            ]
        )
        let named = try await AgentCheck.run(["check", "--config", "/nonexistent.toml"])
        #expect(AgentCheck.problems(named).count == 1)
        #expect(named.first?.sentence.hasPrefix("/nonexistent.toml: Cannot read the file.") == true)
    }

    @Test("A mistake in the configuration is a problem with its line") func invalidConfiguration() async throws {
        let findings = try await AgentCheck.findings("[popups]\ngroup_abov = 3\n")
        #expect(findings.map(\.level) == [.problem])
        #expect(
            findings.first?.sentence
                == "FILE:2: \"group_abov\" is not a key of [popups]. The nearest valid key is \"group_above\"."
        )
    }

    @Test("A configuration that other users can change is rejected") func writableConfiguration() async throws {
        let findings = try await AgentCheck.findings("", mode: 0o622)
        #expect(findings.map(\.level) == [.problem])
        let sentence =
            "FILE: The file is rejected, because it can run programs as you. "
            + "Other users can change it: its mode is 0622. Restrict access: chmod go-w FILE"
        #expect(findings.first?.sentence == sentence)
    }

    @Test("A token in a configuration that others can read is a finding")
    func readableToken() async throws {
        let account = AgentConfiguration.account(url: "http://127.0.0.1:1", hasToken: false)
        let secret = account + "token_command = [\"echo\", \"eyJhbGciOiJub25lIn0.e30.\"]\n"
        let readable = try await AgentCheck.findings(secret, mode: 0o644)
        #expect(readable.contains { $0.remedy == "Restrict access: chmod 600 FILE" })
        #expect(try await AgentCheck.findings(secret).filter { $0.topic == .configuration }.map(\.level) == [.ok])
        #expect(
            try await AgentCheck.findings(account, mode: 0o644).filter { $0.topic == .configuration }.map(\.level) == [
                .ok
            ]
        )
    }

    // MARK: The account

    @Test("A working account has no problems") func workingAccount() async throws {
        let findings = try await AgentCheck.findings(requiringTokens: true) { sandbox in
            let token = try await sandbox.token(for: Recipient("anna"), lifetime: 7200)
            return "token_command = [\"echo\", \"\(token)\"]\n"
        }
        #expect(AgentCheck.problems(findings).isEmpty)
        #expect(
            findings.map(\.topic) == [
                .configuration, .notifications, .token, .network, .network, .network, .credentials, .clock,
            ]
        )
        #expect(findings[2].sentence == "The token is well-formed and expires in 2 hours.")
    }

    @Test(
        "A token command that is missing, fails or prints what is no token is reported as such",
        arguments: [
            (#"["/nonexistent/pass", "geheim"]"#, "could not be started: it does not exist"),
            (#"["nonexistent-pass", "geheim"]"#, "could not be started: it does not exist"),
            (#"["sh", "-c", "echo geheim; exit 7"]"#, "\"sh\" (token_command) failed: it exited with status 7."),
            (#"["sh", "-c", "echo geheim; kill -9 $$"]"#, "failed: signal 9 ended it."),
            (#"["head", "-c", "70000", "/dev/zero"]"#, "printed more than the limit"),
            (#"["echo", "geheim"]"#, "The source returned no valid token"),
        ]
    )
    func commandFailures(command: String, words: String) async throws {
        let findings = AgentCheck.problems(try await AgentCheck.findings { _ in "token_command = \(command)\n" })
        #expect(findings.map(\.topic) == [.token] && findings.map(\.level) == [.problem])
        #expect(findings.first?.sentence.contains(words) == true, "\(findings)")
        #expect(!"\(findings)".contains("geheim"))
    }

    @Test("Without a Secret Service the remedy is to start one") func noSecretService() async throws {
        let findings = AgentCheck.problems(try await AgentCheck.findings { _ in "token_secret = true\n" })
        #expect(findings.map(\.topic) == [.token])
        #expect(findings.first?.sentence.contains("There is no Secret Service in this session") == true)
        #expect(findings.first?.remedy == "Install or start one, or use token_command or token_file.")
    }

    /// It reads the keyring, and leaves a locked one locked.
    @Test("The token is read from the keyring, and a locked keyring stays locked") func tokenInTheKeyring() async throws
    {
        try await withBus { bus in
            let attributes = ["application": "org.feedbell.Agent", "account": "work"]
            let fake = FakeSecretService(bus: bus)
            try await fake.appear()
            let findings = try await AgentCheck.findings(requiringTokens: true) { sandbox in
                try await fake.replace([.init(attributes, try await sandbox.token(for: Recipient("anna")))])
                return "token_secret = true\n"
            }
            #expect(AgentCheck.problems(findings).isEmpty)
            let locked = AgentCheck.problems(
                try await AgentCheck.findings { _ in
                    try await fake.replace([.init(attributes, "t", isLocked: true)])
                    return "token_secret = true\n"
                }
            )
            #expect(locked.map(\.topic) == [.token])
            #expect(locked.first?.sentence.contains("The keyring with the item is locked.") == true)
            #expect(locked.first?.remedy?.hasPrefix("Unlock it") == true)
            #expect(await fake.promptCount == 0)
        }
    }

    /// The service returns the token in its message; the token is not printed.
    @Test("A refusal that contains the token is reported without the token", .sandbox(users: ["anna"]))
    func refusalWithToken() async throws {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"))
        for _ in 0..<2 {
            await sandbox.inject(
                .status(401, type: "token_invalid", message: "bad token \(token)", path: "/v", times: 1)
            )
        }
        try await TemporaryFile.with(token + "\n", named: "token") { file in
            let account = AgentConfiguration.account(url: sandbox.baseURL, hasToken: false)
            let findings = AgentCheck.problems(
                try await AgentCheck.findings(account + "token_file = \"\(file.path)\"\n")
            )
            #expect(findings.map(\.sentence) == ["SuprSend refused with status 401: bad token …."])
            for part in token.split(separator: ".") { #expect(!"\(findings)".contains(part)) }
        }
    }

    /// As the feed joins: with the same payload, by the same code.
    @Test("A realtime server that refuses the join is found") func refusedJoin() async throws {
        let findings = AgentCheck.problems(
            try await AgentCheck.findings { sandbox in
                try await sandbox.execute("refuse")
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.credentials])
        #expect(findings.first?.level == .problem)
        #expect(findings.first?.sentence.contains("wrong auth token") == true)
        #expect(findings.first?.sentence.contains("refused the public key, which was sent without a token.") == true)
    }

    @Test("A realtime server that ends the connection before the join is found")
    func endedJoin() async throws {
        let findings = AgentCheck.problems(
            try await AgentCheck.findings { sandbox in
                try await sandbox.execute("drop", ["how": "reset", "at": "connect"])
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.network])
        #expect(findings.first?.sentence.hasPrefix("Cannot reach the server for realtime events: ") == true)
    }

    @Test("A clock that differs from the service's is a finding") func wrongClock() async throws {
        let findings = AgentCheck.problems(try await AgentCheck.findings(clockOffset: 400_000))
        #expect(findings.map(\.sentence) == ["This computer's clock is 7 minutes behind the service's."])
    }
}
