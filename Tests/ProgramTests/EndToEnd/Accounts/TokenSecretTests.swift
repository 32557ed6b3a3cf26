import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Accounts whose tokens are in the Secret Service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TokenSecretTests {
    private func item(_ account: String) -> [String: String] {
        ["application": "org.feedbell.Agent", "account": account]
    }

    private func account(_ name: String, _ sandbox: Sandbox) -> String {
        let user = name == "home" ? "bob" : "anna"
        return AgentConfiguration.account(name, user: user, url: sandbox.baseURL, hasToken: false)
            + "token_secret = true\n"
    }

    /// Waits until the account "work" is unauthorized for a fitting reason.
    private func isUnauthorized(
        _ bus: Bus,
        named name: ErrorName = AgentErrors.unauthorized,
        because fits: (String) -> Bool
    ) async throws {
        try await Proxy(bus, AgentNames.busName, AgentNames.accountPath("work")).wait(AgentAccount.lastError) {
            $0.elements.0 == name.text && fits($0.elements.1)
        }
    }

    /// With a real keyring: the token is read, refreshed when the service rejects it, and not printed.
    @Test("The token is read from GNOME Keyring, and read again when the service rejects it", .sandbox(users: ["anna"]))
    func gnomeKeyring() async throws {
        let sandbox = Sandbox.current
        var tokens = [try await sandbox.token(for: Recipient("anna"), lifetime: 3600)]
        let traffic = try await GNOMEKeyring.running { _ in
            try await BusTraffic.recorded {
                try await Self.store(tokens[0])
                try await BuiltAgent.alone(account("work", sandbox)) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    // It notices only when the new token is there.
                    agent.program.send(SIGSTOP)
                    try await sandbox.execute("rotate-tokens")
                    tokens.append(try await sandbox.token(for: Recipient("anna"), lifetime: 3600))
                    try await Self.store(tokens[1])
                    agent.program.send(SIGCONT)
                    try await agent.server.serving {
                        _ = try await sandbox.waitForConnection()
                        _ = try await sandbox.publish(["header": "Renewed", "text": "x"])
                        #expect(await agent.server.notifications.next()?.summary == "Renewed")
                    }
                    for token in tokens { #expect(!agent.program.log.contains { $0.contains(token) }) }
                }
            }
        }
        #expect(tokens.count == 2 && tokens[0] != tokens[1])
        for token in tokens { #expect(!traffic.contains(token)) }
        #expect(traffic.contains("GetSecret") && traffic.contains("org.feedbell.Token"))
    }

    private static let someToken = SandboxToken.make(entityID: "anna", expiresAt: 4_102_444_800)

    /// With a configuration that has the accounts "work" and "home".
    private static func storeToken(
        _ account: String,
        _ token: String
    ) async throws -> Result<[String], AgentRequest.Failure> {
        let url = "http://127.0.0.1:1"
        let names = ["work", "home"].map { name in
            AgentConfiguration.account(name, user: name, url: url, hasToken: false) + "token_secret = true\n"
        }
        return try await TemporaryFile.with(names.joined()) { file in
            let request = AgentRequest.storeToken(token, account: account, isVerified: false)
            return try await AgentAnswer.result(of: request, configuration: file.path)
        }
    }

    private static func store(_ token: String) async throws {
        let sentences = try await storeToken("work", token + "\n").get()
        #expect(sentences == ["Stored it in the Secret Service as \"Feedbell: work\"."])
    }

    /// Two accounts and one locked keyring: one prompt, and no further one until the user requests it.
    @Test("A dismissed prompt is not repeated", .sandbox(users: ["anna", "bob"])) func dismissedPrompt() async throws {
        let sandbox = Sandbox.current
        var items: [FakeSecretService.Item] = []
        for (name, user) in [("work", "anna"), ("home", "bob")] {
            items.append(.init(item(name), try await sandbox.token(for: Recipient(user)), isLocked: true))
        }
        try await withBus { bus in
            let fake = FakeSecretService(
                bus: bus,
                items: items,
                answer: .dismiss
            )
            try await fake.appear()
            try await BuiltAgent.alone(account("work", sandbox) + account("home", sandbox)) { agent in
                for name in ["work", "home"] {
                    try await agent.account(name).wait(AgentAccount.state, is: "unauthorized")
                }
                #expect(await fake.promptCount == 1)
                try await isUnauthorized(agent.bus) {
                    $0.hasSuffix("Unlock it, or run \"feedbell reconnect\" to be prompted again.")
                }
                let root = agent.root
                #expect(try await root.get(AgentRoot.attentionNeeded))

                await fake.answers(.agree)
                try await root.call(AgentRoot.reconnect)
                for name in ["work", "home"] { try await agent.account(name).wait(AgentAccount.state, is: "online") }
                #expect(await fake.promptCount == 2)
            }
        }
    }

    /// A keyring unlocked by another program is detected without a prompt, even if searching would prompt.
    @Test("A keyring that another program unlocks is used without a prompt", .sandbox(users: ["anna"]))
    func unlockedElsewhere() async throws {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"))
        try await withBus { bus in
            let locked = FakeSecretService.Item(item("work"), token, isLocked: true)
            let fake = FakeSecretService(
                bus: bus,
                items: [locked],
                answer: .dismiss,
                isCollectionLocked: true,
                searchPrompts: true
            )
            try await fake.appear()
            try await BuiltAgent.alone(account("work", sandbox)) { agent in
                try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                // It has retried without a prompt.
                let account = agent.account
                try await account.wait(AgentAccount.lastError) { $0.elements.1.contains("is locked.") }
                #expect(await fake.promptCount == 1)
                try await fake.replace([.init(item("work"), token)])
                await fake.unlock()
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(await fake.promptCount == 1)
            }
        }
    }

    @Test("Errors of the Secret Service are reported", .sandbox(users: ["anna"])) func secretErrors() async throws {
        let sandbox = Sandbox.current
        // For a minute after the start, the session may be about to start one.
        try await BuiltAgent.alone(account("work", sandbox), environment: BuiltAgent.shortWaits) { agent in
            try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            try await isUnauthorized(agent.bus) { $0.contains("There is no Secret Service in this session") }
        }
        let cases: [([FakeSecretService.Item], String)] = [
            (
                [],
                "The Secret Service has no item with these attributes. "
                    + "Store the token with: feedbell accounts token work"
            ),
            ([.init(item("work"), "a"), .init(item("work"), "b")], "The Secret Service has 2 items"),
            ([.init(item("work"), "")], "The Secret Service (token_secret) returned no token."),
            ([.init(item("work"), "two words")], "returned an invalid token on its first line."),
        ]
        for (items, expected) in cases {
            try await withBus { bus in
                try await FakeSecretService(bus: bus, items: items).appear()
                try await BuiltAgent.alone(account("work", sandbox)) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                    let name = items.isEmpty ? AgentErrors.notSignedIn : AgentErrors.unauthorized
                    try await isUnauthorized(agent.bus, named: name) {
                        $0.contains(expected) && !$0.contains("two words")
                    }
                    #expect(!agent.program.log.contains { $0.contains("two words") })
                }
            }
        }
    }

    @Test("An open prompt blocks no other \"accounts add\", and its service's end is an error")
    func additionWithOpenPrompt() async throws {
        try await TemporaryFile.with("") { file in
            func add(_ name: String, _ arguments: [String], input: String = "") async throws -> Programs.Outcome {
                let required = ["--public-key", "k", "--distinct-id", "anna", "--config", file.path]
                return try await Programs.run(
                    "feedbell",
                    ["accounts", "add", name, "--no-verify"] + required + arguments,
                    input: input
                )
            }
            try await withThrowingTaskGroup { (group) async throws in
                try await withBus { (bus) async throws in
                    let fake = FakeSecretService(bus: bus, answer: .nothing, isCollectionLocked: true)
                    try await fake.appear()
                    group.addTask { try await add("first", ["--token-stdin"], input: "secret\n") }
                    #expect(await fake.prompts.next() == "unlock")
                    let other = try await add("second", ["--no-token"])
                    #expect(other.status == .exited(0), "\(other.errors)")
                }
                let first = try #require(try await group.next())
                #expect(first.status == .exited(77))
                #expect(first.errors.contains("The Secret Service ended while its prompt was open."), "\(first.errors)")
            }
            #expect(try Files.names(file.directory + "/accounts.d") == ["second.toml"])
        }
    }

    @Test("A configuration that another program keeps locked is an error after some seconds")
    func lockedConfiguration() async throws {
        try await TemporaryFile.with("") { file in
            let path = file.directory + "/accounts.d"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(directory) }
            try #require(flock(directory, LOCK_EX) == 0)
            let outcome = try await Programs.run(
                "feedbell",
                ["accounts", "add", "work", "--public-key", "k", "--distinct-id", "a", "--no-token", "--no-verify"]
                    + ["--config", file.path]
            )
            #expect(outcome.status == .exited(73))
            #expect(outcome.errors.contains("another program has locked \(path)."), "\(outcome.errors)")
        }
    }

    @Test("A token is not stored for an account that is not configured")
    func storeTokenForNoAccount() async throws {
        try await withBus { (bus) async throws in
            let fake = FakeSecretService(bus: bus)
            try await fake.appear()
            let unknown = AgentRequest.Failure(
                .invalidValue,
                "There is no account \"nosuch\". Configured accounts: work, home."
            )
            #expect(try await Self.storeToken("nosuch", "token") == .failure(unknown))
            let none = try await Programs.run("feedbell", ["accounts", "token", "work"], input: "token")
            #expect(none.status == .exited(64))
            #expect(none.errors.hasSuffix("No account is configured. Add one with: feedbell accounts add\n"))
            #expect(await fake.items.isEmpty)
            _ = try await Self.storeToken("home", Self.someToken).get()
            #expect(await fake.items.count == 1)
        }
    }

    @Test("A token that cannot be stored is reported") func storeTokenErrors() async throws {
        func failure(_ token: String) async throws -> AgentRequest.Failure? {
            if case .failure(let failure) = try await Self.storeToken("work", token) { failure } else { nil }
        }
        let noService = try await failure(Self.someToken)
        #expect(noService?.kind == .unavailable)
        #expect(noService?.reason.hasPrefix("There is no Secret Service in this session") == true)
        let sentence = "Standard input has no valid token. A token is one line without spaces."
        for token in ["", "\n\n", "two words", String(repeating: "x", count: 70_000)] {
            #expect(try await failure(token) == AgentRequest.Failure(.invalidInput, sentence))
        }
        try await withBus { (bus) async throws in
            try await FakeSecretService(bus: bus, answer: .dismiss, isCollectionLocked: true).appear()
            let sentences =
                "The keyring is locked: its prompt was dismissed, or this session cannot show it. "
                + "The present token was kept."
            #expect(try await failure(Self.someToken) == AgentRequest.Failure(.refused, sentences))
        }
    }
}
