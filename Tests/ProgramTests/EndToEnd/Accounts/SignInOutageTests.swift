import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Faults of what a sign-in needs, through the built programs: nobody is told to sign in again, and nothing is lost.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SignInOutageTests {
    private typealias Command = BrowserSignInCommandTests

    private static let tokenPath = SimulatedSignIn.issuerPath + "/token"

    /// What a gateway or a failing server answers.
    private static let answers: [RequestFault.Kind] = [
        .reset, .respond(ServiceResponse(status: 503, body: [])), text(404, "404 page not found"), text(405, ""),
        .respond(ServiceResponse(status: 403, headers: ["Content-Type": "text/html"], body: Array("<p>VPN</p>".utf8))),
        .respond(ServiceResponse(status: 401, headers: ["Content-Type": "text/html"], body: Array("<p>VPN</p>".utf8))),
        text(429, "later"),
    ]

    private static func text(_ status: Int, _ text: String) -> RequestFault.Kind {
        .respond(ServiceResponse(status: status, headers: ["Content-Type": "text/plain"], body: Array(text.utf8)))
    }

    /// The two services at which users sign in: each has another connection, and another form of user tokens.
    private static let services: [TestedService] = [.suprSend, .magicBellToken]

    /// Runs `body` beside a service with an authorization server and a keyring.
    ///
    /// - Parameter body: Gets the file of the configuration, too.
    private static func with(
        _ service: TestedService,
        _ body: (Sandbox, FakeSecretService, TemporaryFile) async throws -> Void
    ) async throws {
        var options = service.options
        options.hasSignIn = true
        try await Sandbox.with(options) { sandbox in
            try await Command.withKeyring { keyring in
                try await TemporaryFile.with(service.browserAccount(at: sandbox.baseURL)) { file in
                    try await body(sandbox, keyring, file)
                }
            }
        }
    }

    /// Access tokens that end at once, so that each user token needs a refresh.
    private static func shortenAccess(_ sandbox: Sandbox) async throws {
        try await sandbox.execute("sign-in", ["lifetime_s": 1])
    }

    /// The service no longer accepts the user token, and the connection is lost.
    private static func endUserToken(_ sandbox: Sandbox) async throws {
        try await sandbox.execute("rotate-tokens")
        try await sandbox.execute("drop", ["how": "reset"])
    }

    /// Signs anna in at an agent that goes on when `body` ends.
    private static func signIn(_ agent: BuiltAgent, _ sandbox: Sandbox) async throws {
        try await shortenAccess(sandbox)
        try await Command.signIn(as: "anna")
        try await agent.account.wait(AgentAccount.state, is: "online")
    }

    @Test(
        "An outage of the backend or of the authorization server is no refusal, whatever a gateway answers meanwhile",
        arguments: services,
        [SimulatedSignIn.backendPath, tokenPath]
    )
    private func outages(service: TestedService, path: String) async throws {
        try await Self.with(service) { sandbox, keyring, file in
            try await BuiltAgent.keepingState(beside: file) { try await Self.signIn($0, sandbox) }
            for answer in Self.answers {
                // Each with an agent of its own: a new token that is refused is not replaced for five seconds.
                try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                    try await expectOutage(answer, path, agent, sandbox)
                    #expect(await Command.kept(by: keyring) != nil)
                }
            }
        }
    }

    private func expectOutage(
        _ answer: RequestFault.Kind,
        _ path: String,
        _ agent: BuiltAgent,
        _ sandbox: Sandbox
    ) async throws {
        try await agent.account.wait(AgentAccount.state, is: "online")
        await sandbox.inject(RequestFault(answer, path: path, times: 10_000))
        try await Self.endUserToken(sandbox)
        var states: Set<String> = []
        try await agent.account.wait(AgentAccount.state) { state in
            states.insert(state)
            return state == "offline"
        }
        try await agent.account.wait(AgentAccount.lastError) {
            $0.elements.0 == AgentErrors.offline.text && $0.elements.1.contains("127.0.0.1")
        }
        try await agent.account.wait(AgentAccount.nextAttempt) { $0 != 0 }
        #expect(try await !agent.account.get(AgentAccount.attentionNeeded))
        try await sandbox.execute("clear-faults")
        try await agent.account.wait(AgentAccount.state) { state in
            states.insert(state)
            return state == "online"
        }
        #expect(!states.contains("unauthorized"), "\(answer)")
    }

    private enum Disturbance: CaseIterable {
        case reconnect, edit, sleep, network, end
    }

    @Test(
        "A refresh that is under way is not lost, whatever happens to the agent meanwhile",
        arguments: services,
        Disturbance.allCases
    )
    private func refreshUnderWay(service: TestedService, disturbance: Disturbance) async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                try await DBusMock.networkManager { manager in
                    try await manager.primaryConnection(1)
                    try await Self.with(service) { sandbox, keyring, file in
                        let fault = RequestFault(.hold, path: Self.tokenPath, times: 10_000)
                        try await beginRefresh(sandbox, file, fault) {
                            agent in
                            let kept = await Command.kept(by: keyring)
                            switch disturbance {
                            case .reconnect: try await agent.root.call(AgentRoot.reconnect)
                            case .edit:
                                let account = service.browserAccount(at: sandbox.baseURL)
                                try file.replace(account.replacing("provider", with: "page_size = 10\nprovider"))
                                try await agent.root.call(AgentRoot.reload)
                            case .sleep: try await logind.prepareForSleep(true)
                            case .network: try await manager.primaryConnection(2)
                            case .end: agent.program.send(SIGTERM)
                            }
                            try await sandbox.execute("release")
                            switch disturbance {
                            case .end: await agent.program.ended()
                            case .sleep:
                                try await logind.inhibitors(0)
                                try await logind.prepareForSleep(false)
                                fallthrough
                            default: break
                            }
                            try await waiting(for: "the refresh token") { await Command.kept(by: keyring) != kept }
                            if disturbance != .end { try await agent.account.wait(AgentAccount.state, is: "online") }
                        }
                        // Had the old token been used again, the server would have ended the sign-in.
                        try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                            try await agent.account.wait(AgentAccount.state, is: "online")
                        }
                    }
                }
            }
        }
    }

    /// Signs in, and performs `body` while the agent waits for the answer to a refresh.
    private func beginRefresh(
        _ sandbox: Sandbox,
        _ file: TemporaryFile,
        _ fault: RequestFault,
        _ body: (BuiltAgent) async throws -> Void
    ) async throws {
        try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
            try await Self.signIn(agent, sandbox)
            await sandbox.inject(fault)
            let count = await Self.refreshCount(sandbox)
            try await Self.endUserToken(sandbox)
            try await waiting(for: "a refresh") { await Self.refreshCount(sandbox) > count }
            try await body(agent)
        }
    }

    private enum Loss: CaseIterable {
        /// The connection breaks after the server has rotated the refresh token.
        case connection
        /// The agent is killed meanwhile.
        case kill
    }

    @Test(
        "An answer that is lost on its way ends the sign-in at a server that detects reuse: it is said once",
        arguments: services,
        Loss.allCases
    )
    private func lostAnswer(service: TestedService, loss: Loss) async throws {
        try await Self.with(service) { sandbox, keyring, file in
            let isKill = loss == .kill
            let fault = RequestFault(isKill ? .hold : .close, path: Self.tokenPath, applied: true)
            try await beginRefresh(sandbox, file, fault) { agent in
                if isKill { return agent.program.send(SIGKILL) }
                try await expectEnded(agent)
            }
            try await sandbox.execute("clear-faults")
            try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                try await expectEnded(agent)
                try await Command.signIn(as: "anna")
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(await Command.kept(by: keyring) != nil)
            }
        }
    }

    private func expectEnded(_ agent: BuiltAgent) async throws {
        try await agent.account.wait(AgentAccount.lastError) { $0.elements.0 == AgentErrors.signInEnded.text }
        try await agent.account.wait(AgentAccount.attentionNeeded, is: true)
    }

    private static func refreshCount(_ sandbox: Sandbox) async -> Int {
        await sandbox.requests.count { $0.path == tokenPath }
    }

    @Test("A keyring that starts after the agent is waited for, and its sign-in is used then", arguments: services)
    private func lateKeyring(service: TestedService) async throws {
        try await Self.with(service) { sandbox, keyring, file in
            try await BuiltAgent.keepingState(beside: file) { try await Self.signIn($0, sandbox) }
            try await keyring.giveUpName()
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.lastError) {
                    $0.elements.0 == AgentErrors.offline.text && $0.elements.1.contains("Secret Service")
                }
                #expect(try await !agent.account.get(AgentAccount.attentionNeeded))
                try await keyring.takeName()
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
        }
    }

    @Test(
        "A change of the client id by mistake costs nobody a sign-in: it is kept, and used again after the correction",
        arguments: services
    )
    private func otherClient(service: TestedService) async throws {
        try await Self.with(service) { sandbox, keyring, file in
            try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                try await Self.signIn(agent, sandbox)
                let kept = await Command.kept(by: keyring)
                let account = service.browserAccount(at: sandbox.baseURL)
                try file.replace(account.replacing("client_id = \"feedbell\"", with: "client_id = \"feedbel\""))
                try await agent.root.call(AgentRoot.reload)
                try await agent.account.wait(AgentAccount.lastError) {
                    $0.elements.1.contains("for another client or server")
                }
                #expect(await Command.kept(by: keyring) == kept)
                try file.replace(account)
                try await agent.root.call(AgentRoot.reload)
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
        }
    }
}
