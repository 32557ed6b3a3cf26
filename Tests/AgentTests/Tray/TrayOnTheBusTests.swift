import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

/// The tray icon, as a desktop's tray sees it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TrayOnTheBusTests {
    private static func isItem(_ name: BusName) -> Bool { name.text.hasPrefix("org.kde.StatusNotifierItem-") }

    private func isExported(_ agent: InProcessAgent) async throws -> Bool {
        let item = Proxy(agent.bus, AgentNames.busName, StatusNotifierItem.path)
        do throws(DBusError) {
            _ = try await item.get(StatusNotifierItem.id)
            return true
        } catch {
            guard error.name == .unknownObject else { throw error }
            return false
        }
    }

    private func waitUntilWithdrawn(_ agent: InProcessAgent) async throws {
        try await waiting(for: "the end of the tray icon") { try await !isExported(agent) }
    }

    @Test("The icon is in a tray that is there at the start") func atTheStart() async throws {
        try await withBus { bus in
            let tray = FakeTray(bus: bus)
            try await tray.start()
            try await InProcessAgent.with { _ in
                let item = try await tray.item()
                #expect(Self.isItem(item.destination))
                #expect(try await item.get(StatusNotifierItem.id) == "org.feedbell.Agent")
                #expect(try await item.get(StatusNotifierItem.category) == "Communications")
                #expect(try await item.get(StatusNotifierItem.status) == "Active")
                #expect(try await !item.get(StatusNotifierItem.itemIsMenu))
                let toolTip = try await item.get(StatusNotifierItem.toolTip)
                #expect(toolTip.elements.2 == "No unread notifications")
                let menu = try await FakeMenu(of: item)
                #expect(try await menu.proxy.get(DBusMenu.version) == 3)
                #expect(try await menu.layout().item("Open inbox") != nil)
            }
        }
    }

    @Test("Without a host nothing is exported; the icon follows the host and the watcher") func hosts() async throws {
        try await withBus { bus in
            let tray = FakeTray(bus: bus)
            try await InProcessAgent.with { agent in
                #expect(try await !isExported(agent))
                try await tray.start(hasHost: false)
                try await tray.setHost(true)
                _ = try await tray.item()
                #expect(try await isExported(agent))
                try await tray.setHost(false)
                try await waitUntilWithdrawn(agent)
                try await tray.setHost(true)
                let item = try await tray.item()
                // Restarted.
                try await tray.stop()
                try await waitUntilWithdrawn(agent)
                #expect(try await bus.nameOwner(of: item.destination) != nil, "kept for the next watcher")
                try await tray.start()
                _ = try await tray.item()
                #expect(try await isExported(agent))
            }
        }
    }

    /// The extension starts again with every unlock of the screen.
    @Test("The AppIndicator extension of GNOME Shell shows one icon, each time that it starts")
    func appIndicator() async throws {
        try await withBus { bus in
            let tray = FakeTray(bus: bus)
            try await InProcessAgent.with { agent in
                try await waiting(for: "a tray icon") {
                    try await tray.ownersOfNames()
                } until: {
                    $0.keys.contains(where: Self.isItem)
                }
                for _ in 1...3 {
                    let names = try await tray.ownersOfNames()
                    try await tray.start()
                    let item = try await tray.item()
                    // It finds the item before it handles the registration, and knows the names of its connection.
                    let owner = try #require(try await bus.nameOwner(of: item.destination))
                    #expect(names[item.destination] == owner, "it would show a second icon")
                    try await tray.stop()
                    try await waitUntilWithdrawn(agent)
                }
            }
        }
    }

    @Test("The icon follows the configuration") func configuration() async throws {
        try await withBus { bus in
            let tray = FakeTray(bus: bus)
            try await tray.start()
            try await InProcessAgent.with(popups: "[desktop]\ntray_icon = false\n") { agent in
                try await agent.root.call(AgentRoot.reload)
                #expect(try await !isExported(agent))
                try agent.configuration.replace(InProcessAgent.text(["work"]))
                try await agent.root.call(AgentRoot.reload)
                let item = try await tray.item()
                try agent.configuration.replace(InProcessAgent.text(["work"]) + "[desktop]\ntray_icon = false\n")
                try await agent.root.call(AgentRoot.reload)
                try await waitUntilWithdrawn(agent)
                #expect(try await bus.nameOwner(of: item.destination) == nil)
            }
        }
    }

    @Test("Several notifications in a second change the icon twice") func changes() async throws {
        let clock = ManualClock()
        try await withTray(AgentEnvironment(clock: clock)) { agent, item in
            let signals = try await item.signals(of: StatusNotifierItem.self)
            var received = signals.makeAsyncIterator()
            try await agent.service().arrive(.sample("n1"))
            #expect(await received.next()?.member == StatusNotifierItem.newIcon.name)
            #expect(await received.next()?.member == StatusNotifierItem.newToolTip.name)
            for number in 2...5 { try await agent.service().arrive(.sample("n\(number)")) }
            try await agent.root.wait(AgentRoot.unreadCount, is: 5)
            await clock.sleeper(for: .seconds(1))
            #expect(try await item.get(StatusNotifierItem.toolTip).elements.2 == "1 unread notification")
            clock.advance(by: .seconds(1))
            #expect(await received.next()?.member == StatusNotifierItem.newToolTip.name)
            #expect(try await item.get(StatusNotifierItem.toolTip).elements.2 == "5 unread notifications")
            #expect(try await item.get(StatusNotifierItem.status) == "Active")
            // No other signal came before this one.
            try await agent.root.call(AgentRoot.pause, 0)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
            #expect(await received.next()?.member == StatusNotifierItem.newIcon.name)
        }
    }

    @Test("An account that needs the user has the tray's attention") func attention() async throws {
        try await withTray { agent, item in
            let signals = try await item.signals(of: StatusNotifierItem.self)
            let failure = ServiceFailure(.unauthorized, "The token is wrong.")
            try agent.service().send(.connection(Connection(state: .unauthorized, since: 0, failure: failure)))
            #expect(try await signals.pick { try StatusNotifierItem.newStatus.decode($0) } == "NeedsAttention")
            #expect(
                try await item.get(StatusNotifierItem.iconName) == item.get(StatusNotifierItem.attentionIconName)
            )
            // Xfce shows the description of the attention icon below the tool tip's title, if they differ.
            let text = "No unread notifications\nThe account \"work\" needs your attention."
            let toolTip = try await item.get(StatusNotifierItem.toolTip)
            #expect(toolTip.elements.2 == text && toolTip.elements.3 == "")
            #expect(try await item.get(StatusNotifierItem.attentionAccessibleDescription) == text)
            #expect(try await item.get(StatusNotifierItem.iconAccessibleDescription) == text)
        }
    }

    @Test("A click opens the inbox's page with the token of the click, and many within a second open it once")
    func click() async throws {
        let inbox = "inbox_url = \"https://inbox.example.com/\"\n"
        let clock = ManualClock()
        try await withBus { bus in
            let requests = Mailbox<(String, [String: Value])>()
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(FakePortal.openURI) { _, url, options in
                requests.send((url, options))
                return "/org/freedesktop/portal/desktop/request/1"
            }
            try await bus.export(portal)
            _ = try await bus.requestName(OpenURIPortal.busName)
            try await withTray(popups: inbox, AgentEnvironment(clock: clock)) { _, item in
                try await item.call(StatusNotifierItem.provideXdgActivationToken, "token-1")
                // Several links are opened at the same time, in any order.
                var opened = requests.messages.makeAsyncIterator()
                try await item.call(StatusNotifierItem.activate, 10, 20)
                let first = await opened.next()
                #expect(first?.0 == "https://inbox.example.com/")
                #expect(first?.1["activation_token"] == .string("token-1"))
                for _ in 0..<20 { try await item.call(StatusNotifierItem.activate, 10, 20) }
                clock.advance(by: .seconds(1))
                try await item.call(StatusNotifierItem.provideXdgActivationToken, "token-2")
                try await item.call(StatusNotifierItem.activate, 10, 20)
                let second = await opened.next()
                #expect(second?.1["activation_token"] == .string("token-2"), "the first after a second")
            }
        }
    }

    @Test("The middle button pauses and resumes popups, the wheel does nothing") func otherButtons() async throws {
        try await withTray { agent, item in
            try await item.call(StatusNotifierItem.scroll, 120, "vertical")
            try await item.call(StatusNotifierItem.secondaryActivate, 0, 0)
            #expect(try await agent.root.get(AgentRoot.paused))
            try await item.call(StatusNotifierItem.secondaryActivate, 0, 0)
            #expect(try await !agent.root.get(AgentRoot.paused))
            let error = await #expect(throws: DBusError.self) {
                try await item.call(StatusNotifierItem.contextMenu, 0, 0)
            }
            #expect(error?.name == .notSupported)
        }
    }
}

/// Runs `body` beside an agent whose icon is in a tray.
func withTray(
    accounts: [String] = ["work"],
    popups: String = "",
    services: FakeServices = FakeServices(),
    _ environment: AgentEnvironment = AgentEnvironment(),
    _ body: (InProcessAgent, Proxy) async throws -> Void
) async throws {
    try await withBus { bus in
        let tray = FakeTray(bus: bus)
        try await tray.start()
        try await InProcessAgent.with(
            accounts: accounts,
            popups: popups,
            environment: environment,
            services: services
        ) { agent in
            try await body(agent, try await tray.item())
        }
    }
}
