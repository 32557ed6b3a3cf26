import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// A token that the service no longer accepts, and its replacement.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountTokenTests {
    private static func replace(_ file: TemporaryFile, _ token: String) async throws -> Programs.Outcome {
        try await Programs.run("feedbell", ["accounts", "token", "work", "--config", file.path], input: token)
    }

    @Test(
        "After a refusal the error names the command, which keeps the token unless the service accepts the new one",
        .sandbox(users: ["anna", "bob"], expectsNoViolations: false)
    )
    func replacement() async throws {
        let sandbox = Sandbox.current
        let old = try await sandbox.token(for: Recipient("anna"), lifetime: 3600)
        try await TemporaryFile.with(old + "\n", named: "token") { stored in
            let text = AgentConfiguration.account(hasToken: false) + "token_file = \"\(stored.path)\"\n"
            try await TemporaryFile.with(text) { file in
                try await sandbox.execute("rotate-tokens")
                try await BuiltAgent.alone(text) { agent in
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.1 == "SuprSend no longer accepts your token (401). "
                            + "Store a new one: feedbell accounts token work"
                    }
                    let garbage = try await Self.replace(file, "garbage\n")
                    #expect(garbage.status == .exited(65))
                    #expect(garbage.errors.contains("three parts separated by dots and begins with \"eyJ\"."))
                    for token in [old, try await sandbox.token(for: Recipient("bob"))] {
                        let refused = try await Self.replace(file, token)
                        #expect(refused.status == .exited(77), "\(refused.errors)")
                        #expect(refused.errors.contains("The present token was kept."))
                    }
                    #expect(try stored.read() == old + "\n")
                    let new = try await sandbox.token(for: Recipient("anna"), lifetime: 3600)
                    let outcome = try await Self.replace(file, new)
                    #expect(outcome.status == .exited(0), "\(outcome.errors)")
                    #expect(outcome.output.contains("SuprSend accepts the token.\n"))
                    #expect(outcome.output.hasSuffix("work is online.\n"), "\(outcome.output)")
                    #expect(!outcome.output.contains(new) && !outcome.output.contains("eyJ"))
                    #expect(try stored.read() == new + "\n")
                    #expect(try await agent.account.get(AgentAccount.state) == "online")
                }
            }
        }
    }

    @Test(
        "A command or a file that has given a token and fails for a while is an outage, not a refusal",
        .sandbox(users: ["anna"]),
        arguments: [true, false]
    )
    func outage(isCommand: Bool) async throws {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"), lifetime: 3600)
        try await TemporaryFile.with(token, named: "token") { stored in
            let source =
                isCommand ? "token_command = [\"cat\", \"\(stored.path)\"]" : "token_file = \"\(stored.path)\""
            let text = AgentConfiguration.account(hasToken: false) + source + "\n"
            try await BuiltAgent.alone(text, environment: BuiltAgent.shortWaits) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                chmod(stored.path, 0)
                try await sandbox.execute("rotate-tokens")
                try await sandbox.execute("drop", ["how": "reset"])
                try await agent.account.wait(AgentAccount.lastError) {
                    $0.elements.0 == AgentErrors.offline.text
                        && $0.elements.1.contains(isCommand ? "cat" : "token_file")
                }
                #expect(try await !agent.account.get(AgentAccount.attentionNeeded))
                try stored.replace(try await sandbox.token(for: Recipient("anna"), lifetime: 3600))
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
        }
    }

    @Test("On a terminal the token is asked for without echo, until it can be one") func dialogue() async throws {
        let new = SandboxToken.make(entityID: "anna", expiresAt: 4_102_444_800)
        try await TemporaryFile.with("old\n", named: "token") { stored in
            let text =
                AgentConfiguration.account(url: "http://127.0.0.1:1", hasToken: false)
                + "token_file = \"\(stored.path)\"\n"
            try await TemporaryFile.with(text) { file in
                let terminal = try PseudoTerminal(
                    "feedbell",
                    ["accounts", "token", "work", "--no-verify", "--config", file.path]
                )
                try await terminal.wait(for: "New token of work (not shown): ")
                terminal.type("hunter2\r")
                let again = try await terminal.wait(for: "Paste it again: ")
                #expect(again.contains("begins with \"eyJ\".") && !again.contains("hunter2"))
                terminal.type(new + "\r")
                let (status, written) = try await terminal.end()
                #expect(status == 0, "\(written)")
                #expect(!written.contains(new) && terminal.isRestored)
                #expect(try stored.read() == new + "\n")
            }
        }
    }

    @Test("A token that Feedbell does not store is replaced where it comes from") func otherSources() async throws {
        let start = AgentConfiguration.account(url: "http://127.0.0.1:1", hasToken: false)
        for (key, sentence) in [
            ("token_command = [\"pass\", \"x\"]\n", "Store a new one where \"pass\" (token_command) takes it from"),
            ("token_credential = \"c\"\n", "Replace the source of the credential \"c\""), ("", "uses no token"),
        ] {
            try await TemporaryFile.with(start + key) { file in
                let outcome = try await Self.replace(file, "eyJ")
                #expect(outcome.status == .exited(64))
                #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
            }
        }
    }
}
