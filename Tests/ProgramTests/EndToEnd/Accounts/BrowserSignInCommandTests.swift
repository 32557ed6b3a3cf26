import AgentInterface
import AgentTestSupport
import Basics
import ClientKit
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Accounts whose users sign in with the browser, through the built programs.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct BrowserSignInCommandTests {
    static func options(_ users: String...) -> SandboxOptions {
        var options = SandboxOptions(users: users)
        options.hasSignIn = true
        return options
    }

    static func account(_ sandbox: Sandbox = .current) -> String {
        AgentConfiguration.account(url: sandbox.baseURL, hasToken: false) + signIn(at: sandbox.baseURL)
    }

    /// The rest of an account's table, at a simulated service that may not run yet.
    static func signIn(at url: String, tokenKey: String = "token_url") -> String {
        """
        \(tokenKey) = "\(url)\(SimulatedSignIn.backendPath)"
        [accounts.work.sign_in]
        issuer = "\(url)\(SimulatedSignIn.issuerPath)"
        client_id = "feedbell"

        """
    }

    private static let item = ["application": "org.feedbell.Agent", "sign-in": "work"]

    /// The text of the only sign-in that is kept; nil: there is none.
    static func kept(by keyring: FakeSecretService) async -> String? {
        let items = await keyring.items.filter { item in Self.item.allSatisfy { item.attributes[$0] == $1 } }
        #expect(items.count < 2)
        return items.first.map { String(decoding: $0.secret, as: UTF8.self) }
    }

    private static func address(in line: String) throws -> String {
        try #require(line.split(separator: " ").last { $0.hasPrefix("http") }.map(String.init))
    }

    /// Signs in with the command.
    ///
    /// - Parameter user: Who answers the browser's page; nil: nobody is let in.
    /// - Returns: The command's output and the browser's last page.
    @discardableResult
    static func signIn(
        as user: String?,
        _ options: [String] = []
    ) async throws -> (lines: [String], status: TerminationStatus, page: String) {
        let arguments = ["accounts", "sign-in", "work", "--no-browser"] + options
        let (result, status) = try await RunningProgram.with("feedbell", arguments) { program in
            let address = try address(in: try await program.wait(for: "Open this address"))
            let page = try await Person.answers(address, as: user)
            await program.ended()
            return (program.log, page)
        }
        return (result.0, status, result.1)
    }

    static func withKeyring(_ body: (FakeSecretService) async throws -> Void) async throws {
        try await withBus { bus in
            let keyring = FakeSecretService(bus: bus)
            try await keyring.appear()
            try await body(keyring)
        }
    }

    @Test(
        "A person signs in once: notifications come, also after a kill, and tokens are renewed in silence",
        .sandbox(options("anna"))
    )
    func life() async throws {
        let sandbox = Sandbox.current
        try await Self.withKeyring { keyring in
            try await TemporaryFile.with(Self.account()) { file in
                var secrets: [String] = []
                var since: Int64 = 0
                try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.0 == AgentErrors.notSignedIn.text
                    }
                    #expect(try await agent.account.get(AgentAccount.capabilities).contains("sign-in"))
                    let (lines, status, page) = try await Self.signIn(as: "anna")
                    #expect(status == .exited(0), "\(lines)")
                    #expect(lines.last == "You are signed in to work.")
                    #expect(lines.contains { $0.contains("ssh -L ") })
                    #expect(page.contains("<h1>You are signed in</h1>"))
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(try await agent.account.get(AgentAccount.signInRequest).isEmpty)
                    try await agent.account.wait(AgentAccount.signInStatus) { status in
                        guard let record = SignInRecord(status) else { return false }
                        since = record.since
                        return since > 0 && record.refreshed >= since && record.attempted >= since
                            && record.error.isEmpty && record.message.isEmpty
                    }
                    try await agent.server.serving {
                        _ = try await sandbox.waitForConnection()
                        try await sandbox.publish(["header": "Signed in", "text": "x"])
                        #expect(try await agent.popup().summary == "Signed in")
                    }
                    let first = try #require(await Self.kept(by: keyring))
                    secrets.append(try Self.refreshToken(in: first))
                    // The service refuses the token: the backend gives another one.
                    try await sandbox.execute("rotate-tokens")
                    try await sandbox.publish(["header": "Later", "text": "x"])
                    try await agent.waitForList(count: 2)
                    #expect(agent.program.log.allSatisfy { line in !secrets.contains { line.contains($0) } })
                    agent.program.send(SIGKILL)
                }
                try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    let next = try Self.refreshToken(in: try #require(await Self.kept(by: keyring)))
                    #expect(!secrets.contains(next))
                    let record = SignInRecord(try await agent.account.get(AgentAccount.signInStatus))
                    #expect(record?.since == since && (record?.refreshed ?? 0) > since)
                    let json = try await Programs.run("feedbell", ["status", "--json"])
                    #expect(
                        json.output.contains("\"sign_in\":{") && json.output.contains("\"since\":\(since)"),
                        "\(json)"
                    )
                }
            }
        }
    }

    private static func refreshToken(in text: String) throws -> String {
        let object = try #require(JSON(parsing: text))
        return try #require(object["refresh_token"]?.string)
    }

    @Test(
        "A sign-in that has ended is said once, and nothing more is sent until the person acts",
        .sandbox(options("anna"))
    )
    func ended() async throws {
        let sandbox = Sandbox.current
        try await Self.withKeyring { _ in
            try await BuiltAgent.alone(Self.account(), environment: BuiltAgent.shortWaits) { agent in
                #expect(try await Self.signIn(as: "anna").status == .exited(0))
                try await agent.account.wait(AgentAccount.state, is: "online")
                try await sandbox.execute("sign-in", ["end": true])
                try await sandbox.execute("rotate-tokens")
                try await sandbox.execute("drop", ["how": "reset"])
                try await agent.account.wait(AgentAccount.lastError) {
                    $0.elements.0 == AgentErrors.signInEnded.text
                        && $0.elements.1.contains("feedbell accounts sign-in work")
                }
                try await agent.account.wait(AgentAccount.signInStatus) { status in
                    SignInRecord(status)?.error == AgentErrors.signInEnded.text
                }
                let requests = try await Self.tokenRequests(sandbox)
                let refusals = agent.program.log.count { $0.contains("user token not refreshed") }
                try await agent.account.call(AgentAccount.reconnect)
                try await agent.program.wait(for: "user token not refreshed", times: refusals + 1)
                #expect(try await Self.tokenRequests(sandbox) == requests)
                #expect(try await Self.signIn(as: "anna").status == .exited(0))
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
        }
    }

    private static func tokenRequests(_ sandbox: Sandbox) async throws -> Int {
        await sandbox.requests.count {
            $0.path == SimulatedSignIn.issuerPath + "/token" || $0.path == SimulatedSignIn.backendPath
        }
    }

    @Test(
        "Another person than the account's is refused by name, nothing of that sign-in is kept, and doctor says why",
        .sandbox(options("anna", "bob"))
    )
    func otherPerson() async throws {
        let sandbox = Sandbox.current
        try await Self.withKeyring { keyring in
            try await BuiltAgent.alone(Self.account()) { agent in
                let (lines, status, page) = try await Self.signIn(as: "bob")
                #expect(status == .exited(6))
                #expect(
                    lines.last?.contains("signed in bob") == true && lines.last?.contains("belongs to anna") == true
                )
                #expect(page.contains("<h1>You are not signed in</h1>") && page.contains("bob"))
                #expect(await Self.kept(by: keyring) == nil)
                #expect(await sandbox.requests.contains { $0.path == SimulatedSignIn.issuerPath + "/revoke" })
                try await agent.account.wait(AgentAccount.signInStatus) { status in
                    SignInRecord(status)?.error == AgentErrors.rejected.text
                }
                try await agent.account.call(AgentAccount.reconnect)
                let doctor = try await Programs.run("feedbell", ["doctor"]).output
                #expect(doctor.contains("The last attempt to sign in ("), "\(doctor)")
                #expect(doctor.contains("belongs to anna"), "\(doctor)")
                let (_, second, _) = try await Self.signIn(as: "anna", ["--other-person"])
                #expect(second == .exited(0))
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(await sandbox.requests.contains { $0.query?.contains("prompt=select_account") == true })
            }
        }
    }

    @Test("A person who does not allow it, a cancel, and a wrong issuer end with a sentence", .sandbox(options("anna")))
    func refusals() async throws {
        let sandbox = Sandbox.current
        try await Self.withKeyring { keyring in
            try await BuiltAgent.alone(Self.account()) { agent in
                let (lines, status, page) = try await Self.signIn(as: nil)
                #expect(status == .exited(6))
                #expect(lines.last?.contains("did not allow the sign-in") == true, "\(lines)")
                #expect(page.contains("<h1>You are not signed in</h1>"))

                let arguments = ["accounts", "sign-in", "work", "--no-browser"]
                let (_, cancelled) = try await RunningProgram.with("feedbell", arguments) { program in
                    _ = try await program.wait(for: "Open this address")
                    #expect(try await !agent.account.get(AgentAccount.signInRequest).isEmpty)
                    program.send(SIGINT)
                    await program.ended()
                }
                #expect(cancelled == .signaled(SIGINT))
                try await agent.account.wait(AgentAccount.signInRequest) { $0.isEmpty }

                try await sandbox.execute("sign-in", ["issuer": "https://login.example.com"])
                let outcome = try await Programs.run("feedbell", arguments)
                #expect(outcome.status == .exited(4))
                #expect(outcome.errors.contains("calls its issuer \"https://login.example.com\""), "\(outcome.errors)")
                #expect(await Self.kept(by: keyring) == nil)
            }
        }
    }

    @Test("A second start of a sign-in ends the first one, and goes on itself", .sandbox(options("anna")))
    func secondStart() async throws {
        try await Self.withKeyring { _ in
            try await BuiltAgent.alone(Self.account()) { agent in
                let arguments = ["accounts", "sign-in", "work", "--no-browser"]
                let (_, first) = try await RunningProgram.with("feedbell", arguments) { program in
                    _ = try await program.wait(for: "Open this address")
                    let (lines, second, _) = try await Self.signIn(as: "anna")
                    #expect(second == .exited(0), "\(lines)")
                    await program.ended()
                }
                // Its user is signed in as well; or it has seen its own end before.
                #expect(first == .exited(0) || first == .exited(6))
                try await agent.account.wait(AgentAccount.state, is: "online")

                // Many at once: one is left, and a cancel ends it.
                await withTaskGroup { group in
                    for _ in 1...6 {
                        group.addTask {
                            try? await agent.root.call(AgentRoot.signIn, "work", SignInOptions().dictionary)
                        }
                    }
                }
                #expect(agent.program.listeningSockets.count == 1)
                try await agent.root.call(AgentRoot.cancelSignIn, "work")
                #expect(agent.program.listeningSockets.isEmpty)
            }
        }
    }

    @Test(
        "Without a browser a person enters a code on another device",
        .sandbox(options("anna"), expectsNoViolations: false)
    ) func device() async throws {
        let sandbox = Sandbox.current
        let arguments = ["accounts", "sign-in", "work", "--device"]
        try await Self.withKeyring { keyring in
            try await BuiltAgent.alone(Self.account()) { agent in
                for user in ["nobody", "anna"] {
                    let (_, status) = try await RunningProgram.with("feedbell", arguments) { program in
                        let line = try await program.wait(for: "in a browser of any device")
                        let request = try #require(
                            SignInRequest(try await agent.account.get(AgentAccount.signInRequest))
                        )
                        #expect(request.step == .device && line.contains(request.url) && line.hasSuffix(request.code))
                        try await Person.visits("\(request.url)?user_code=\(request.code)&user=\(user)")
                        await program.ended()
                        if user == "anna" { #expect(program.log.last == "You are signed in to work.") }
                    }
                    #expect(status == .exited(user == "anna" ? 0 : 6))
                }
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(await Self.kept(by: keyring) != nil)

                try await sandbox.execute("sign-in", ["codes": false])
                let outcome = try await Programs.run("feedbell", arguments)
                #expect(outcome.status == .exited(4) && outcome.errors.contains("--no-browser"), "\(outcome.errors)")
            }
        }
    }

    @Test("Without a network an account that is signed in is offline, not refused", .sandbox(options("anna")))
    func offline() async throws {
        let sandbox = Sandbox.current
        try await Self.withKeyring { keyring in
            try await TemporaryFile.with(Self.account()) { file in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    #expect(try await Self.signIn(as: "anna").status == .exited(0))
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
                let fault = RequestFault(.reset, path: SimulatedSignIn.issuerPath, times: 10_000)
                await sandbox.inject(fault)
                try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.0 == AgentErrors.offline.text
                    }
                    try await sandbox.execute("clear-faults")
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(await Self.kept(by: keyring) != nil)
                }
            }
        }
    }

    @Test(
        "A click on the popup opens the browser, with an address that a list of processes does not give away",
        .sandbox(options("anna"))
    )
    func popup() async throws {
        try await Self.withKeyring { _ in
            try await BuiltAgent.alone(Self.account(), environment: ["DISPLAY": ":0"]) { agent in
                try await agent.server.serving {
                    let popup = try #require(await agent.server.notifications.next())
                    #expect(popup.summary == "Sign in: work")
                    try await agent.server.invoke(id: popup.id, action: "sign-in")
                    let opened = try await agent.opened.next()
                    #expect(opened[0].contains("/start/") && !opened[0].contains("state="))
                    try await Person.answers(opened[0], as: "anna")
                    let next = try #require(await agent.server.notifications.next())
                    #expect(next.summary == "Signed in: work" && next.actions.contains("Open inbox"))
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
            }
        }
    }

    @Test("Signing out revokes the sign-in and removes it, and is no fault", .sandbox(options("anna"))) func signOut()
        async throws
    {
        let sandbox = Sandbox.current
        try await Self.withKeyring { keyring in
            try await TemporaryFile.with(Self.account()) { file in
                let state: [Environment.Key: String?] = ["XDG_STATE_HOME": file.directory + "/state"]
                try await BuiltAgent.keepingState(beside: file) { agent in
                    #expect(try await Self.signIn(as: "anna").status == .exited(0))
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    let arguments = ["accounts", "sign-out", "work", "--yes", "--config", file.path]
                    let outcome = try await Programs.run("feedbell", arguments, environment: state)
                    #expect(outcome.status == .exited(0), "\(outcome.errors)")
                    #expect(outcome.output.contains("Feedbell: work (sign-in)"))
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.0 == AgentErrors.signedOut.text
                            && $0.elements.1.contains("feedbell accounts sign-in work")
                    }
                    #expect(try await !agent.account.get(AgentAccount.attentionNeeded))
                    #expect(await Self.kept(by: keyring) == nil)
                    try await waiting(for: "the revocation") {
                        await sandbox.requests.contains { $0.path == SimulatedSignIn.issuerPath + "/revoke" }
                    }
                    #expect(try await Self.signIn(as: "anna").status == .exited(0))
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
            }
        }
    }

    @Test(
        "doctor says what can be seen of a sign-in without using it",
        .sandbox(options("anna"), expectsNoViolations: false)
    ) func doctor() async throws {
        try await Self.withKeyring { _ in
            try await TemporaryFile.with(Self.account()) { file in
                let arguments = ["accounts", "test", "work", "--config", file.path]
                let before = try await Programs.run("feedbell", arguments)
                #expect(before.status == .exited(4))
                #expect(before.output.contains("Nobody has signed in yet."), "\(before.output)")
                try await BuiltAgent.keepingState(beside: file) { agent in
                    #expect(try await Self.signIn(as: "anna").status == .exited(0))
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
                let after = try await Programs.run("feedbell", arguments)
                #expect(after.output.contains("The keyring keeps the sign-in"), "\(after.output)")
                #expect(after.output.contains("It was last refreshed "), "\(after.output)")
                #expect(after.output.contains("gives tokens to users who are signed in."))
            }
        }
    }
}
