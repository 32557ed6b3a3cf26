import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// An agent with notification servers that behave as those of GNOME 48, notification-daemon, Cinnamon, Budgie,
/// dunst, Plasma 6.7 and LXQt 2.1.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DesktopMannersTests {
    private static let singly = "[popups]\ngroup_above = 100\n"

    private func withServer(
        _ manners: DesktopServer.Manners,
        _ body: (DesktopServer) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let server = DesktopServer(bus: bus, manners)
            try await server.start()
            try await body(server)
        }
    }

    /// Notifications arrive one after the other, and their popups are on the screen and on the disk.
    private func show(
        _ numbers: ClosedRange<Int>,
        _ agent: InProcessAgent,
        _ server: DesktopServer,
        _ store: StateStore
    ) async throws {
        for number in numbers {
            // Without a link: one that cannot be opened would have a popup of its own.
            try await agent.service().arrive(.sample("n\(number)", title: "Nr \(number)", url: ""))
            let popup = try #require(await server.popups.next())
            let shown = await server.titles
            #expect(popup.title == "Nr \(number)" && popup.hasBanner, "\(popup.title) among \(shown)")
            try await store.waitForPopups { $0.contains(popup.id) }
        }
    }

    // MARK: GNOME

    /// GNOME Shell notices the end of the connection before the next agent knows it, or when that one calls it first.
    @Test(
        "GNOME 48 has the same list after a restart of the agent, without banners",
        arguments: ["GetCapabilities", "Notify"]
    )
    func restart(noticedAt method: String) async throws {
        let store = StateStore()
        try await withServer(.gnome48) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await show(1...3, agent, server, store)
            }
            await server.senderEnded(noticedAt: method)
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                for number in 1...3 {
                    let popup = try #require(await server.popups.next())
                    #expect(popup.title == "Nr \(number)" && !popup.hasBanner)
                }
                #expect(await server.titles == ["Nr 1", "Nr 2", "Nr 3"])
                try await store.waitForPopups { $0 == [4, 5, 6] }
                let service = try agent.service()
                try await server.click("Nr 2")
                #expect(await service.applied.next() == .interacted("n2"), "nothing was seen before")
                try await show(4...7, agent, server, store)
                try await server.dismiss("Nr 3")
                #expect(await service.applied.next() == .seen(["n3"]))
            }
        }
    }

    @Test(
        "GNOME 48 shows a later notification of another urgency, and the earlier one does not count as seen",
        arguments: ["Nr 1", "Nr 2"]
    )
    func changedUrgency(low: String) async throws {
        let rules = """
            [[rules]]
            title = "\(low)"
            urgency = "low"
            replace = "category"
            [[rules]]
            title = "*"
            replace = "category"
            """
        try await withServer(.gnome48) { server in
            try await InProcessAgent.with(popups: rules) { agent in
                let service = try agent.service()
                await service.arrive(.sample("n1", title: "Nr 1", url: ""))
                #expect(await server.popups.next()?.hasBanner == (low == "Nr 2"))
                await service.arrive(.sample("n2", title: "Nr 2", url: ""))
                #expect(await server.popups.next()?.hasBanner == (low == "Nr 1"))
                #expect(await server.titles == ["Nr 2"])
                try await server.dismiss("Nr 2")
                #expect(await service.applied.next() == .seen(["n2"]))
            }
        }
    }

    // MARK: notification-daemon

    @Test("A popup of notification-daemon is off the screen when it is withdrawn") func leftOnScreen() async throws {
        let store = StateStore()
        try await withServer(.notificationDaemon) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await show(1...2, agent, server, store)
                try await agent.service().remove("n1")
                try await store.waitForPopups { $0 == [2] }
                try await show(3...3, agent, server, store)
                #expect(await server.titles == ["Nr 2", "Nr 3"])
            }
        }
    }

    @Test("A clicked popup of notification-daemon leaves nothing in the server") func clickedPopup() async throws {
        let store = StateStore()
        try await withServer(.notificationDaemon) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await show(1...1, agent, server, store)
                try await server.click("Nr 1")
                #expect(try await agent.service().applied.next() == .interacted("n1"))
                // The agent closes the popup when the click is handled, also after popups that arrived meanwhile.
                _ = try #require(await server.closed.next())
                try await show(2...2, agent, server, store)
                #expect(await server.titles == ["Nr 2"])
            }
        }
    }

    // MARK: Cinnamon

    @Test("The close button of Cinnamon, which reports no reason, marks a notification as seen")
    func dismissal() async throws {
        let store = StateStore()
        try await withServer(.cinnamon) { server in
            try await InProcessAgent.with(store: store) { agent in
                try await show(1...1, agent, server, store)
                try await server.dismiss("Nr 1")
                #expect(try await agent.service().applied.next() == .seen(["n1"]))
            }
        }
    }

    @Test("A popup that a server closes to make room for another is not seen", arguments: ["cinnamon", "unknown"])
    func eviction(name: String) async throws {
        var manners = DesktopServer.Manners.cinnamon
        // Popups of another program may take the room.
        (manners.name, manners.keptPopups, manners.dismissal) = (name, (2, 2), 2)
        let store = StateStore()
        try await withServer(manners) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await show(1...4, agent, server, store)
                #expect(await server.titles == ["Nr 3", "Nr 4"])
                try await server.dismiss("Nr 4")
                let change = try await agent.service().applied.next()
                #expect(change == .seen(["n4"]), "those before were not")
            }
        }
    }

    // MARK: Budgie

    @Test("Budgie shows a title as it is, and each button") func budgie() async throws {
        try await withServer(.budgie) { server in
            try await InProcessAgent.with { agent in
                let titles = [("<b>Tom</b> &amp; Jerry", "<b>Tom</b> & Jerry"), ("Tom & Jerry", "Tom & Jerry")]
                for (index, (title, shown)) in titles.enumerated() {
                    try await agent.service().arrive(.sample("n\(index)", title: title))
                    let popup = try #require(await server.popups.next())
                    #expect(popup.title == shown)
                    #expect(popup.buttons == ["buy"])
                }
            }
        }
    }

    @Test("Budgie shows a summary instead of a fourth popup") func fourth() async throws {
        let store = StateStore()
        try await withServer(.budgie) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await show(1...3, agent, server, store)
                try await agent.service().arrive(.sample("n4", title: "Nr 4", url: ""))
                let summary = await server.popups.next()
                #expect(summary?.title == "4 new notifications")
                // It takes the place of all of them.
                try await waiting(for: "one popup", seeing: { await server.titles }) { $0.count <= 1 }
                try await server.dismiss("4 new notifications")
                #expect(try await agent.service().applied.next() == .seen(["n1", "n2", "n3", "n4"]))
            }
        }
    }

    @Test("Of twelve notifications at once, Budgie's user sees twelve") func twelve() async throws {
        try await withServer(.budgie) { server in
            try await InProcessAgent.with { agent in
                for number in 1...12 { try await agent.service().arrive(.sample("n\(number)", title: "Nr \(number)")) }
                _ = await server.popups.next { $0.title == "12 new notifications" }
                try await waiting(for: "one popup", seeing: { await server.titles }) { $0 == ["12 new notifications"] }
            }
        }
    }

    @Test("A popup that Budgie does not show because of other programs' popups is shown when one of ours ends")
    func room() async throws {
        let store = StateStore()
        try await withServer(.budgie) { server in
            try await InProcessAgent.with(popups: Self.singly + "mark_seen = \"shown\"\n", store: store) { agent in
                let service = try agent.service()
                for title in ["A", "B"] { await server.showForeign(title) }
                try await show(1...1, agent, server, store)
                #expect(await service.applied.next() == .seen(["n1"]))
                await service.arrive(.sample("n2", title: "Nr 2", url: ""))
                try await agent.root.wait(AgentRoot.heldBack, is: ["server-full"])
                #expect(await server.titles == ["A", "B", "Nr 1"])
                try await Task.sleep(for: .milliseconds(Popups.refusalTime))
                try await server.expire("Nr 1")
                #expect(await server.popups.next()?.title == "Nr 2")
                #expect(await service.applied.next() == .seen(["n2"]))
                try await agent.root.wait(AgentRoot.heldBack, is: [])
            }
        }
    }

    @Test("Budgie shows a critical popup beside three others") func critical() async throws {
        let critical = "critical_categories = [\"promo\"]\n"
        try await withServer(.budgie) { server in
            for title in ["A", "B", "C"] { await server.showForeign(title) }
            try await InProcessAgent.with(popups: Self.singly + critical) { agent in
                try await agent.service().arrive(.sample("n1", title: "Nr 1"))
                #expect(await server.popups.next()?.title == "Nr 1")
            }
        }
    }

    // MARK: dunst

    @Test("dunst shows equal popups as one, whose dismissal marks all of its notifications as seen")
    func equal() async throws {
        let store = StateStore()
        try await withServer(.dunst) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                let service = try agent.service()
                for number in 1...3 {
                    await service.arrive(.sample("n\(number)", url: ""))
                    let popup = try #require(await server.popups.next())
                    try await store.waitForPopups { $0 == [popup.id] }
                }
                #expect(await server.titles == ["Sale"])
                await service.remove("n3")
                await service.arrive(.sample("n4", title: "Nr 4", url: ""))
                let next = try #require(await server.popups.next())
                #expect(next.title == "Nr 4")
                #expect(await server.titles == ["Sale", "Nr 4"], "the older ones are still there")
                // A dismissal beside the reply would be taken for the end of the oldest popup to make room.
                try await store.waitForPopups { $0.contains(next.id) }
                try await server.dismiss("Sale")
                let applied = await service.applied.next()
                #expect(applied == .seen(["n1", "n2"]))
            }
        }
    }

    // MARK: Plasma

    @Test("A click on a popup of the previous run opens its link on Plasma 6.7") func previousRun() async throws {
        let store = StateStore()
        try await withServer(.plasma67) { server in
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await show(1...2, agent, server, store)
            }
            await server.senderEnded(noticedAt: "Notify")
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                for number in 1...2 {
                    let popup = try #require(await server.popups.next())
                    #expect(popup.title == "Nr \(number)")
                    #expect(popup.hints["suppress-sound"] == .bool(true))
                }
                #expect(await server.titles == ["Nr 1", "Nr 2"])
                try await server.click("Nr 1")
                #expect(try await agent.service().applied.next() == .interacted("n1"))
            }
        }
    }

    // MARK: LXQt

    /// It would stretch a picture that is no square. `PictureDecoderTests` shows that the file is one.
    @Test("LXQt 2.1 gets the file of a picture") func lxqt() async throws {
        let source = FakePictures()
        try await withServer(.lxqt21) { server in
            try await InProcessAgent.with(environment: AgentEnvironment(clock: ManualClock()), pictures: source) {
                agent in
                try await agent.service().arrive(.sample("n1"))
                source.loaded.send((try #require(await source.requested.messages.next()), "/cache/a.png"))
                let popup = try #require(await server.popups.next())
                #expect(popup.hints["image-path"] == .string("/cache/a.png"))
                #expect(popup.hints["image-data"] == nil)
            }
        }
    }
}
