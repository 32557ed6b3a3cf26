import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

/// `org.freedesktop.Application`, as desktops call it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ApplicationOnTheBusTests {
    private func application(_ agent: InProcessAgent) -> Proxy {
        Proxy(agent.bus, AgentNames.applicationName, AgentNames.applicationPath)
    }

    private func activate(
        _ agent: InProcessAgent,
        _ action: String,
        _ parameter: [Value] = []
    ) async throws(DBusError) {
        try await application(agent).call(DesktopApplication.activateAction, action, parameter, [:])
    }

    @Test("The actions of the desktop entry pause, resume and mark all as read", .inProcessAgent())
    func actions() async throws {
        let agent = InProcessAgent.current
        try await activate(agent, "pause")
        #expect(try await agent.root.get(AgentRoot.paused))
        try await activate(agent, "resume")
        #expect(try await !agent.root.get(AgentRoot.paused))
        try await activate(agent, "mark-all-read")
        #expect(await agentChange(agent) == .allRead)
    }

    private func agentChange(_ agent: InProcessAgent, _ account: String = "work") async -> Change? {
        await agent.services[account]?.applied.next()
    }

    @Test("A click marks the notification of the account that has it", .inProcessAgent(accounts: ["work", "home"]))
    func clickWithSeveralAccounts() async throws {
        let agent = InProcessAgent.current
        try await agent.service("work").store(.sample("w", url: ""))
        try await agent.service("home").store(.sample("h", url: ""))
        try await activate(agent, "open", [.string("h")])
        #expect(await agentChange(agent, "home") == .interacted("h"))
        let both = Value.structure([.string("work"), .string("w")])
        try await activate(agent, "open", [both])
        #expect(await agentChange(agent, "work") == .interacted("w"))
    }

    @Test("A notification that no service has is an error and changes nothing", .inProcessAgent())
    func unknownNotification() async throws {
        let agent = InProcessAgent.current
        let error = await #expect(throws: DBusError.self) { try await activate(agent, "open", [.string("x")]) }
        #expect(error?.name == AgentErrors.notFound)
        let account = Value.structure([.string("other"), .string("x")])
        let other = await #expect(throws: DBusError.self) { try await activate(agent, "open", [account]) }
        #expect(other?.name == AgentErrors.notFound)
        #expect(try await agent.account.get(AgentAccount.pendingActions) == 0)
    }

    @Test("The link of a popup of the previous run is opened without asking the service") func previousRun()
        async throws
    {
        let store = StateStore()
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await InProcessAgent.with(store: store) { agent in
                    try await agent.service().arrive(.sample("n1", url: "https://example.com/n1"))
                    _ = try #require(await server.notifications.next())
                    try await store.waitForPopups { !$0.isEmpty }
                }
            }
            let requests = Mailbox<String>()
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(FakePortal.openURI) { _, url, _ in
                requests.send(url)
                return "/org/freedesktop/portal/desktop/request/1"
            }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            try await InProcessAgent.with(accounts: ["home", "work"], store: store) { agent in
                try await activate(agent, "open", [.string("n1")])
                #expect(await requests.messages.next() == "https://example.com/n1")
                #expect(await agentChange(agent) == .interacted("n1"))
                #expect(try await agent.service().detailRequests == 0)
            }
        }
    }

    @Test("Unknown actions, files and addresses are refused", .inProcessAgent()) func refused() async throws {
        let agent = InProcessAgent.current
        let action = await #expect(throws: DBusError.self) { try await activate(agent, "quit") }
        #expect(action?.name == .invalidArgs)
        let open = await #expect(throws: DBusError.self) {
            try await application(agent).call(DesktopApplication.open, ["https://example.com"], [:])
        }
        #expect(open?.name == .notSupported)
    }

    @Test("The application's name follows the agent that replaces another one") func replacement() async throws {
        try await TemporaryFile.with("") { file in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let first = try await InProcessAgent.agent(file, FakeServices())
                group.addTask { try? await first.run() }
                try await withBus { bus in
                    try await bus.waitForAgent()
                    let owner = try #require(try await bus.nameOwner(of: AgentNames.applicationName))
                    let second = try await InProcessAgent.agent(file, FakeServices())
                    group.addTask { try await second.run(replacing: true) }
                    for name in [AgentNames.applicationName, AgentNames.busName] {
                        try await bus.waitForOwner(of: name) { $0 != nil && $0 != owner }
                    }
                    #expect(
                        try await bus.nameOwner(of: AgentNames.applicationName)
                            == bus.nameOwner(of: AgentNames.busName)
                    )
                }
                group.cancelAll()
            }
        }
    }
}
