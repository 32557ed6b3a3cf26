import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Accounts that sign in with the browser, added and changed by the built command.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct BrowserAccountCommandTests {
    private static var backend: String { Sandbox.current.baseURL + SimulatedSignIn.backendPath }
    private static var issuer: String { Sandbox.current.baseURL + SimulatedSignIn.issuerPath }

    private static func arguments(_ file: TemporaryFile, backend: String = backend) -> [String] {
        let url = Sandbox.current.baseURL
        return ["work"] + AccountsCommand.required + [
            "--hub-url", url, "--api-url", url, "--socket-url", url, "--config", file.path,
            "--token-url", backend, "--issuer", issuer, "--client-id", "feedbell",
        ]
    }

    @Test(
        "An account is added once its servers answer, and its user is told how to sign in",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func add() async throws {
        try await withBus { bus in
            try await FakeSecretService(bus: bus).appear()
            try await TemporaryFile.with("") { file in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    let added = try await AccountsCommand.add(Self.arguments(file), isVerified: true)
                    #expect(added.status == .exited(0), "\(added.errors)")
                    #expect(added.output.hasSuffix("Sign in: feedbell accounts sign-in work\n"), "\(added.output)")
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.0 == AgentErrors.notSignedIn.text
                    }
                    let servers = try await agent.account.get(AgentAccount.signInServers).elements
                    let host = try #require(Sandbox.current.baseURL.split(separator: "/").last.map(String.init))
                    #expect(servers == (host, host))
                }
            }
        }
    }

    @Test(
        "Removing an account revokes its sign-in, ends one that is under way, and says which secret was removed",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func remove() async throws {
        let sandbox = Sandbox.current
        try await BrowserSignInCommandTests.withKeyring { keyring in
            try await TemporaryFile.with("") { file in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    for isUnderWay in [false, true] {
                        let added = try await AccountsCommand.add(Self.arguments(file))
                        #expect(added.status == .exited(0), "\(added.errors)")
                        try await agent.root.call(AgentRoot.reload)
                        if isUnderWay {
                            try await agent.root.call(AgentRoot.signIn, "work", SignInOptions().dictionary)
                        } else {
                            try await BrowserSignInCommandTests.signIn(as: "anna")
                            try await agent.account.wait(AgentAccount.state, is: "online")
                        }
                        let arguments = ["accounts", "remove", "work", "--yes", "--config", file.path]
                        let removed = try await Programs.run("feedbell", arguments)
                        #expect(removed.status == .exited(0), "\(removed.errors)")
                        let secret = "Removed its secret from the Secret Service, \"Feedbell: work (sign-in)\".\n"
                        #expect(removed.output == "Removed the account \"work\".\n" + (isUnderWay ? "" : secret))
                        #expect(await BrowserSignInCommandTests.kept(by: keyring) == nil)
                        #expect(try await agent.root.get(AgentRoot.accounts).isEmpty)
                        #expect(agent.program.listeningSockets.isEmpty)
                    }
                    try await sandbox.waitForRequest { $0.path == SimulatedSignIn.issuerPath + "/revoke" }
                }
            }
        }
    }

    @Test("Without a keyring and without a sign-in an account is signed out and removed, and nothing else is said")
    func removeWithoutKeyring() async throws {
        try await TemporaryFile.with("") { file in
            let state: [Environment.Key: String?] = ["XDG_STATE_HOME": file.directory + "/state"]
            let hosts = ["--hub-url", "--api-url", "--socket-url", "--token-url", "--issuer"]
            let added = try await AccountsCommand.add(
                ["work", "--client-id", "feedbell", "--config", file.path] + AccountsCommand.required
                    + hosts.flatMap { [$0, "http://127.0.0.1:1"] }
            )
            #expect(added.status == .exited(0), "\(added.errors)")
            let outputs = [
                ("sign-out", "Feedbell has stored no secret for \"work\".\n"),
                ("remove", "Removed the account \"work\".\n"),
            ]
            for (command, output) in outputs {
                let arguments = ["accounts", command, "work", "--yes", "--config", file.path]
                let outcome = try await Programs.run("feedbell", arguments, environment: state)
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                #expect(outcome.output == output)
            }
            #expect(!file.ofAccount("work").exists)
        }
    }

    @Test(
        "What does not answer as a backend or as a server is refused, and nothing is added",
        .sandbox(BrowserSignInCommandTests.options("anna"), expectsNoViolations: false)
    )
    func refusals() async throws {
        let url = Sandbox.current.baseURL
        try await TemporaryFile.with("") { file in
            var outcome = try await AccountsCommand.add(
                Self.arguments(file, backend: url + "/elsewhere"),
                isVerified: true
            )
            #expect(outcome.status == .exited(77))
            #expect(outcome.errors.contains("Correct the address that gives tokens."), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("Nothing was added.\n"))
            let others = Array(Self.arguments(file).dropLast(4)) + ["--issuer", url, "--client-id", "feedbell"]
            outcome = try await AccountsCommand.add(others, isVerified: true)
            #expect(outcome.status == .exited(77), "\(outcome.errors)")
            outcome = try await AccountsCommand.add(
                Self.arguments(file).dropLast(2) + ["--tenant-id", "default"],
                isVerified: true
            )
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.contains("--client-id"), "\(outcome.errors)")
            outcome = try await AccountsCommand.add(Self.arguments(file) + ["--no-token"], isVerified: true)
            #expect(outcome.errors.contains("exclude each other: --no-token, --token-url."), "\(outcome.errors)")
            #expect(outcome.status == .exited(64))
            #expect(!file.ofAccount("work").exists)
        }
    }

    @Test(
        "A change keeps what the options do not name, and another token ends the sign-in with the browser",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func change() async throws {
        try await TemporaryFile.with("") { file in
            let added = try await AccountsCommand.add(Self.arguments(file) + ["--scopes", "openid inbox"])
            #expect(added.status == .exited(0), "\(added.errors)")
            let account = file.ofAccount("work")
            #expect(try account.read().contains("scopes = [\"openid\", \"inbox\"]"))
            let text = try account.read().replacing("client_id =", with: "redirect_port = 8765, client_id =")
            try account.write(text)

            let edit = ["accounts", "edit", "work", "--no-verify", "--config", file.path]
            var changed = try await Programs.run("feedbell", edit + ["--client-id", "other"])
            #expect(changed.status == .exited(0), "\(changed.errors)")
            let new = try account.read()
            #expect(new.contains("client_id = \"other\"") && new.contains("redirect_port = 8765"))
            #expect(new.contains("token_url = \"\(Self.backend)\"") && new.contains("\"inbox\""))

            changed = try await Programs.run("feedbell", edit + ["--issuer", "https://login.example.com"])
            #expect(changed.status == .exited(0), "\(changed.errors)")
            #expect(try !account.read().contains("redirect_port"), "it belonged to another server")

            let token = SandboxToken.make(entityID: "anna", expiresAt: 4_102_444_800)
            let options = ["--token-stdin", "--no-secret-service"]
            changed = try await Programs.run("feedbell", edit + options, input: token)
            #expect(changed.status == .exited(0), "\(changed.errors)")
            let last = try account.read()
            #expect(last.contains("token_file") && !last.contains("sign_in") && !last.contains("token_url"))

            changed = try await Programs.run(
                "feedbell",
                edit + ["--token-url", Self.backend, "--issuer", Self.issuer, "--client-id", "feedbell"]
            )
            #expect(changed.status == .exited(0), "\(changed.errors)")
            #expect(try account.read().contains("token_url") && !account.read().contains("token_file"))
        }
    }
}
