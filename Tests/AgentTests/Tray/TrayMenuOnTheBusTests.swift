import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// The menu of the tray icon, as a desktop's tray uses it.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TrayMenuOnTheBusTests {
    private func applied(_ agent: InProcessAgent, _ account: String = "work") async throws -> Change? {
        try await agent.service(account).applied.next()
    }

    private static func click(_ id: Int32) -> DBusMenu.Event { DBusMenu.Event(id, "clicked", Value.string(""), 0) }

    @Test("The menu has the unread notifications, and marks them as read") func notifications() async throws {
        try await withTray { agent, item in
            let menu = try await FakeMenu(of: item)
            try await agent.service().arrive(.sample("n1", title: "Build_1 failed"))
            var read = Notification.sample("n2", title: "Read")
            read.read = 1
            try await agent.service().arrive(read)
            try await agent.root.wait(AgentRoot.unreadCount, is: 1)
            let layout = try await menu.layout()
            #expect(layout.children.first?.label == "1 unread notification")
            #expect(layout.item("Read") == nil)
            let entry = try #require(layout.item("Build__1 failed"))
            try await menu.click(try #require(entry.item("Mark as read")))
            #expect(try await applied(agent) == .read("n1"))
            try await agent.root.wait(AgentRoot.unreadCount, is: 0)
            #expect(try await menu.layout().item("Build__1 failed") == nil)
            // The removed entry.
            let error = await #expect(throws: DBusError.self) { try await menu.click(entry) }
            #expect(error?.name == .invalidArgs)
        }
    }

    @Test("A click on Open marks the notification of its account as interacted") func open() async throws {
        try await withTray(accounts: ["work", "home"]) { agent, item in
            let menu = try await FakeMenu(of: item)
            try await agent.service("home").arrive(.sample("n1", title: "Sale", url: ""))
            try await agent.root.wait(AgentRoot.unreadCount, is: 1)
            let entry = try #require(try await menu.layout().item("Sale (home)"))
            try await menu.click(try #require(entry.item("Open")))
            #expect(try await applied(agent, "home") == .interacted("n1"))
        }
    }

    @Test("The menu marks all as read in all accounts, and reconnects them") func allAccounts() async throws {
        try await withTray(accounts: ["work", "home"]) { agent, item in
            let menu = try await FakeMenu(of: item)
            try await menu.click(try #require(try await menu.layout().item("Reconnect")))
            #expect(try await agent.service("work").reconnects == 1)
            #expect(try await agent.service("home").reconnects == 1)
            // As long as one of them is offline.
            for (account, isOffered) in [("work", true), ("home", false)] {
                try agent.service(account).send(.connection(Connection(state: .online, since: 0)))
                try await agent.account(account).wait(AgentAccount.state, is: "online")
                #expect(try await (menu.layout().item("Reconnect") != nil) == isOffered)
            }
            try await agent.service("home").arrive(.sample("n1"))
            try await agent.root.wait(AgentRoot.unreadCount, is: 1)
            try await menu.click(try #require(try await menu.layout().item("Mark all as read")))
            #expect(try await applied(agent, "work") == .allRead)
            #expect(try await applied(agent, "home") == .allRead)
        }
    }

    @Test("The menu pauses popups for a time or until midnight, and resumes them") func pause() async throws {
        // Saturday, 23:30.
        let wall = WallClock(milliseconds: 3 * 86_400_000 - 1_800_000)
        let environment = AgentEnvironment(now: { wall.now }, localTime: wall.localTime, clock: ManualClock())
        try await withTray(environment) { agent, item in
            let menu = try await FakeMenu(of: item)
            try await menu.click(try #require(try await menu.layout().item("For 1 hour")))
            #expect(try await agent.root.get(AgentRoot.pausedUntil) == 3 * 86_400_000 + 1_800_000)
            let resume = try await menu.layout().item("Resume popups (paused until 00:30)")
            try await menu.click(try #require(resume))
            #expect(try await !agent.root.get(AgentRoot.paused))
            try await menu.click(try #require(try await menu.layout().item("Until tomorrow")))
            #expect(try await agent.root.get(AgentRoot.pausedUntil) == 3 * 86_400_000)
        }
    }

    @Test("Categories are loaded when the menu is shown, and a click turns one off") func categories() async throws {
        try await withTray { agent, item in
            let menu = try await FakeMenu(of: item)
            let loading = try #require(try await menu.layout().item("Notify me about"))
            #expect(loading.children.map(\.label) == ["Loading…"])
            let signals = try await menu.proxy.signals(of: DBusMenu.self)
            #expect(try await !menu.proxy.call(DBusMenu.aboutToShow, loading.id))
            #expect(try await signals.pick { try DBusMenu.layoutUpdated.decode($0) }?.1 == loading.id)
            #expect(try await menu.proxy.call(DBusMenu.aboutToShow, loading.id))
            let layout = try await menu.layout(loading.id)
            #expect(layout.children.map(\.label) == ["Refund news", "Builds"])
            #expect(layout.children.map { $0.properties["toggle-state"] } == [.int32(1), .int32(0)])
            try await menu.click(try #require(layout.children.first))
            #expect(
                try await agent.service().fakePreferences.applied.next() == [.category("refund-news", isOn: false)]
            )
            let after = try await menu.layout(loading.id)
            #expect(after.id == loading.id)
            #expect(after.children.first?.properties["toggle-state"] == .int32(0))
        }
    }

    @Test("At a service without switches of categories, the menu has those of their channels") func channels()
        async throws
    {
        try await withTray(services: FakeServices(lacking: .categoryPreferences)) { agent, item in
            let preferences = try agent.service().fakePreferences
            await preferences.changeElsewhere(isReported: false) { contents in
                contents.categories[1].channels = [
                    .init(name: "email", isOn: false, isEditable: true),
                    .init(name: "in_app", isOn: true, isEditable: true),
                ]
            }
            _ = try await agent.account.call(AgentPreferences.list)
            let menu = try await FakeMenu(of: item)
            let builds = try #require(try await menu.layout().item("Notify me about")?.item("Builds"))
            #expect(builds.children.map(\.label) == ["email", "in__app"])
            #expect(builds.children.map { $0.properties["toggle-state"] } == [.int32(0), .int32(1)])
            try await menu.click(builds.children[0])
            #expect(await preferences.applied.next() == [.channel("email", inCategory: "builds", isOn: true)])
            let after = try #require(try await menu.layout().item("Builds"))
            #expect(after.children.first?.properties["toggle-state"] == .int32(1))
        }
    }

    @Test("New notifications announce the menu once, until it is requested, and at most every ten seconds")
    func laziness() async throws {
        let clock = ManualClock()
        try await withTray(AgentEnvironment(clock: clock)) { agent, item in
            // Loaded, so that they do not change the menu later.
            _ = try await agent.account.call(AgentPreferences.list)
            let menu = try await FakeMenu(of: item)
            _ = try await menu.layout()
            let signals = try await menu.proxy.signals(of: DBusMenu.self)
            var received = signals.makeAsyncIterator()
            let newToolTip = MatchRule(
                sender: item.destination,
                interface: StatusNotifierItem.name,
                member: StatusNotifierItem.newToolTip.name
            )
            var toolTips = try await agent.bus.signals(matching: newToolTip).makeAsyncIterator()
            try await agent.service().arrive(.sample("n1"))
            #expect(await toolTips.next() != nil)
            let first = try #require(await received.next())
            #expect(try DBusMenu.layoutUpdated.decode(first)?.1 == 0)
            for number in 2...4 {
                try await agent.service().arrive(.sample("n\(number)"))
                await clock.sleeper(for: .seconds(1))
                clock.advance(by: .seconds(1))
                #expect(await toolTips.next() != nil)
            }
            // The next signals are those of the changed entries.
            #expect(try await menu.proxy.call(DBusMenu.aboutToShow, 0))
            #expect(await received.next()?.member == DBusMenu.itemsPropertiesUpdated.name)
            #expect(await received.next()?.member == DBusMenu.layoutUpdated.name)
            _ = try await menu.layout()
            #expect(try await !menu.proxy.call(DBusMenu.aboutToShow, 0))
        }
    }

    /// Plasma would place a submenu before it has its entries, and some of them would be off the screen.
    @Test("A tray that requests the menu level by level learns once that each submenu has entries")
    func levelByLevel() async throws {
        try await withTray { agent, item in
            _ = try await agent.account.call(AgentPreferences.list)
            let menu = try await FakeMenu(of: item)
            try await agent.service().arrive(.sample("n1", title: "Sale"))
            try await agent.root.wait(AgentRoot.unreadCount, is: 1)
            var signals = try await menu.proxy.signals(of: DBusMenu.self).makeAsyncIterator()
            let first = try await menu.layout(depth: 1)
            #expect(first.children.flatMap(\.children).isEmpty)
            for label in ["Sale", "Pause popups", "Notify me about"] {
                let submenu = try #require(first.item(label))
                let signal = try #require(await signals.next())
                #expect(try DBusMenu.layoutUpdated.decode(signal)?.1 == submenu.id)
                let entries = try await menu.layout(submenu.id, depth: 1).children
                #expect(!entries.isEmpty)
            }
            // A submenu below one is announced when its entry has been requested.
            let sale = try await menu.layout(try #require(first.item("Sale")).id, depth: 1)
            let below = try #require(await signals.next())
            #expect(try DBusMenu.layoutUpdated.decode(below)?.1 == sale.item("Mute \"promo\"")?.id)
            // Only the submenu of the new notification follows its own announcement.
            _ = try await menu.layout(depth: 1)
            try await agent.service().arrive(.sample("n2", title: "Build"))
            let changed = try #require(await signals.next())
            #expect(try DBusMenu.layoutUpdated.decode(changed)?.1 == 0)
            try await agent.root.wait(AgentRoot.unreadCount, is: 2)
            let second = try await menu.layout(depth: 1)
            while let signal = await signals.next() {
                guard let (_, parent) = try DBusMenu.layoutUpdated.decode(signal), parent != 0 else { continue }
                #expect(parent == second.item("Build")?.id)
                break
            }
        }
    }

    @Test("Many clicks on an entry in one call are one click") func repeatedClicks() async throws {
        try await withTray { agent, item in
            let menu = try await FakeMenu(of: item)
            let reconnect = try #require(try await menu.layout().item("Reconnect"))
            let clicks = Array(repeating: Self.click(reconnect.id), count: 1_000)
            #expect(try await menu.proxy.call(DBusMenu.eventGroup, clicks) == [])
            #expect(try await agent.service().reconnects == 1)
        }
    }

    @Test("Unknown ids and properties are errors") func unknown() async throws {
        try await withTray { _, item in
            let menu = try await FakeMenu(of: item).proxy
            _ = try await menu.call(DBusMenu.getLayout, 0, 0, [])
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await menu.call(DBusMenu.getLayout, 999, -1, []) },
                { _ = try await menu.call(DBusMenu.getLayout, .min, .min, []) },
                { _ = try await menu.call(DBusMenu.getProperty, 999, "label") },
                { _ = try await menu.call(DBusMenu.getProperty, 0, "color") },
                { _ = try await menu.call(DBusMenu.event, -7, "clicked", Value.string(""), 0) },
                { _ = try await menu.call(DBusMenu.eventGroup, [Self.click(999)]) },
                { _ = try await menu.call(DBusMenu.aboutToShow, 999) },
                { _ = try await menu.call(DBusMenu.aboutToShowGroup, [999, 1000]) },
            ]
            for call in calls {
                let error = await #expect(throws: DBusError.self) { try await call() }
                #expect(error?.name == .invalidArgs)
            }
            let group = try await menu.call(DBusMenu.aboutToShowGroup, [0, 999])
            #expect(group.1 == [999])
            let many = try await menu.call(DBusMenu.aboutToShowGroup, [0] + Array(repeating: 999, count: 5_000))
            #expect(many.1 == [999], "each item once, and the menu is made once")
            let hovered = DBusMenu.Event(0, "hovered", Value.string(""), 0)
            let event = Self.click(999)
            #expect(try await menu.call(DBusMenu.eventGroup, [hovered, event]) == [999])
            #expect(try await menu.call(DBusMenu.getGroupProperties, [0, 999], []).map(\.elements.0) == [0])
            #expect(try await menu.call(DBusMenu.getProperty, 0, "children-display") == .string("submenu"))
            #expect(try await menu.call(DBusMenu.eventGroup, []) == [])
            #expect(try await menu.call(DBusMenu.aboutToShowGroup, []) == ([], []))
        }
    }
}
