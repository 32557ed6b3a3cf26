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

    /// Access tokens that end at once, so that each user token needs a refresh.
    private static func shortenAccess(_ sandbox: Sandbox) async throws {
        var settings = SimulatedSignIn.Settings()
        settings.accessLifetime = 1
        try await sandbox.perform(.signIn(settings))
    }

    /// The service no longer accepts the user token, and the connection is lost.
    private static func endUserToken(_ sandbox: Sandbox) async throws {
        try await sandbox.perform(.rotateTokens)
        try await sandbox.perform(.drop(.hangUp(.reset)))
    }

    @Test(
        "An outage of the backend or of the authorization server is no refusal, whatever a gateway answers meanwhile",
        .sandbox(Command.options("anna")),
        arguments: [SimulatedSignIn.backendPath, tokenPath]
    )
    func outages(path: String) async throws {
        let sandbox = Sandbox.current
        try await Command.withKeyring { keyring in
            try await TemporaryFile.with(Command.account()) { file in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await Self.shortenAccess(sandbox)
                    try await Command.signIn(as: "anna")
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
                for answer in Self.answers {
                    // Each with an agent of its own: a new token that is refused is not replaced for five seconds.
                    try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                        try await expectOutage(answer, path, agent)
                        #expect(await Command.kept(by: keyring) != nil)
                    }
                }
            }
        }
    }

    private func expectOutage(_ answer: RequestFault.Kind, _ path: String, _ agent: BuiltAgent) async throws {
        let sandbox = Sandbox.current
        try await agent.account.wait(AgentAccount.state, is: "online")
        try await sandbox.perform(.fault(RequestFault(answer, path: path, times: 10_000)))
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
        try await sandbox.perform(.clearFaults)
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
        .sandbox(Command.options("anna")),
        arguments: Disturbance.allCases
    )
    private func refreshUnderWay(disturbance: Disturbance) async throws {
        let sandbox = Sandbox.current
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                try await DBusMock.networkManager { manager in
                    try await manager.primaryConnection(1)
                    try await Command.withKeyring { keyring in
                        try await TemporaryFile.with(Command.account()) { file in
                            try await keep(file, keyring) { agent in
                                switch disturbance {
                                case .reconnect: try await agent.root.call(AgentRoot.reconnect)
                                case .edit:
                                    let edited = Command.account()
                                        .replacing("token_url", with: "page_size = 10\ntoken_url")
                                    try file.replace(edited)
                                    try await agent.root.call(AgentRoot.reload)
                                case .sleep: try await logind.prepareForSleep(true)
                                case .network: try await manager.primaryConnection(2)
                                case .end: agent.program.send(SIGTERM)
                                }
                                try await sandbox.perform(.release)
                                if disturbance == .end { return await agent.program.ended() }
                                if disturbance == .sleep {
                                    try await logind.inhibitors(0)
                                    try await logind.prepareForSleep(false)
                                }
                                try await agent.account.wait(AgentAccount.state, is: "online")
                            }
                        }
                    }
                }
            }
        }
    }

    /// Disturbs a refresh at the server, and sees that the sign-in is kept.
    private func keep(
        _ file: TemporaryFile,
        _ keyring: FakeSecretService,
        _ disturb: (BuiltAgent) async throws -> Void
    ) async throws {
        let sandbox = Sandbox.current
        try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
            try await Self.shortenAccess(sandbox)
            try await Command.signIn(as: "anna")
            try await agent.account.wait(AgentAccount.state, is: "online")
            let kept = try #require(await Command.kept(by: keyring))
            try await sandbox.perform(.fault(RequestFault(.hold, path: Self.tokenPath, times: 10_000)))
            let count = await Self.refreshCount(sandbox)
            try await Self.endUserToken(sandbox)
            try await waiting(for: "a refresh") { await Self.refreshCount(sandbox) > count }
            try await disturb(agent)
            #expect(await Command.kept(by: keyring) != kept)
        }
        // Had the old token been used again, the server would have ended the sign-in.
        try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
            try await agent.account.wait(AgentAccount.state, is: "online")
        }
    }

    private static func refreshCount(_ sandbox: Sandbox) async -> Int {
        await sandbox.requests.count { $0.path == tokenPath }
    }

    @Test(
        "A keyring that starts after the agent is waited for, and its sign-in is used then",
        .sandbox(Command.options("anna"))
    )
    func lateKeyring() async throws {
        try await TemporaryFile.with(Command.account()) { file in
            var items: [FakeSecretService.Item] = []
            try await Command.withKeyring { keyring in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await Command.signIn(as: "anna")
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
                items = await keyring.items
            }
            try await withBus { bus in
                let keyring = FakeSecretService(bus: bus, items: items)
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.0 == AgentErrors.offline.text && $0.elements.1.contains("Secret Service")
                    }
                    #expect(try await !agent.account.get(AgentAccount.attentionNeeded))
                    try await keyring.appear()
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
            }
        }
    }

    @Test(
        "A change of the client id by mistake costs nobody a sign-in: it is kept, and used again after the correction",
        .sandbox(Command.options("anna"))
    )
    func otherClient() async throws {
        try await Command.withKeyring { keyring in
            try await TemporaryFile.with(Command.account()) { file in
                try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                    try await Command.signIn(as: "anna")
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    let kept = await Command.kept(by: keyring)
                    let mistyped = Command.account().replacing(
                        "client_id = \"feedbell\"",
                        with: "client_id = \"feedbel\""
                    )
                    try file.replace(mistyped)
                    try await agent.root.call(AgentRoot.reload)
                    try await agent.account.wait(AgentAccount.lastError) {
                        $0.elements.1.contains("for another client or server")
                    }
                    #expect(await Command.kept(by: keyring) == kept)
                    try file.replace(Command.account())
                    try await agent.root.call(AgentRoot.reload)
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
            }
        }
    }
}
