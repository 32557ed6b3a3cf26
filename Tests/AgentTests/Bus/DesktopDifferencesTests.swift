import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// An agent with notification servers of several desktops.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DesktopDifferencesTests {
    private struct Call: Sendable {
        var replaced: UInt32
        var icon: String
        var summary: String
        var body: String
        var hints: [String: Value]
        var timeout: Int32
    }

    /// A server that records its calls.
    private func server(
        _ name: String,
        _ vendor: String,
        capabilities: [String] = ["actions", "body"],
        _ calls: Mailbox<Call>
    ) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(FreedesktopNotifications.getServerInformation) { (name, vendor, "1.26.0", "1.2") }
        object.handle(FreedesktopNotifications.getCapabilities) { capabilities }
        object.handle(FreedesktopNotifications.closeNotification) { _ in }
        object.handle(FreedesktopNotifications.notify) { _, replaced, icon, summary, body, _, hints, timeout in
            calls.send(
                Call(replaced: replaced, icon: icon, summary: summary, body: body, hints: hints, timeout: timeout)
            )
            return 1
        }
        return object
    }

    @Test("Popups that Xfce would discard are shown when its do-not-disturb ends") func doNotDisturb() async throws {
        let calls = Mailbox<Call>()
        let isQuiet = Switch()
        try await withBus { bus in
            var settings = ExportedObject(Xfconf.path)
            settings.handle(Xfconf.getProperty) { _, _ in .bool(await isQuiet.isOn) }
            try await bus.export(settings)
            _ = try await bus.requestName(Xfconf.busName)
            try await bus.export(server("Xfce Notify Daemon", "Xfce", calls))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with { agent in
                try await agent.root.wait(AgentRoot.heldBack, is: ["do-not-disturb"])
                try await agent.service().arrive(.sample("n1", title: "Nr 1"))
                try await agent.account.wait(AgentInbox.totalCount, is: 1)
                await isQuiet.set(false)
                try await bus.emit(
                    Xfconf.propertyChanged,
                    "xfce4-notifyd",
                    "/do-not-disturb",
                    .bool(false),
                    from: Xfconf.path
                )
                #expect(await calls.messages.next()?.summary == "Nr 1")
                #expect(await isQuiet.isOn == false, "not before")
                try await agent.root.wait(AgentRoot.heldBack, is: [])
            }
        }
    }

    @Test("A late picture completes the popup of dunst, and not that of another server", arguments: ["dunst", "fake"])
    func latePicture(name: String) async throws {
        let calls = Mailbox<Call>()
        let clock = ManualClock()
        let source = FakePictures()
        let now = WallClock(milliseconds: 1_000_000)
        try await withBus { bus in
            try await bus.export(server(name, "test", calls))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            let environment = AgentEnvironment(now: { now.now }, clock: clock)
            try await InProcessAgent.with(environment: environment, pictures: source) { agent in
                try await agent.service().arrive(.sample("n1", title: "Nr 1"))
                let url = try #require(await source.requested.messages.next())
                #expect(url.text == "https://example.com/a.png")
                now.set(milliseconds: 1_000_300)
                _ = await clock.sleeper(within: .milliseconds(250) ... .milliseconds(300))
                clock.advance(by: .milliseconds(300))
                let first = try #require(await calls.messages.next())
                #expect(first.hints["image-path"] == nil)
                source.loaded.send((url, "/cache/a.png"))
                if name == "dunst" {
                    let update = try #require(await calls.messages.next())
                    #expect(update.summary == "Nr 1" && update.replaced == 1)
                    #expect(update.hints["image-path"] == .string("/cache/a.png"))
                }
                try await agent.service().arrive(.sample("n2", title: "Nr 2"))
                source.loaded.send((try #require(await source.requested.messages.next()), "/cache/a.png"))
                let next = try #require(await calls.messages.next())
                #expect(next.summary == "Nr 2" && next.replaced == 0)
                #expect(next.hints["image-path"] == .string("/cache/a.png"))
            }
        }
    }

    @Test("notify-osd shows a picture in the place of the program's icon") func pictureAsIcon() async throws {
        let calls = Mailbox<Call>()
        let source = FakePictures()
        try await withBus { bus in
            try await bus.export(server("notify-osd", "Canonical Ltd", calls))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            let environment = AgentEnvironment(clock: ManualClock())
            try await InProcessAgent.with(environment: environment, pictures: source) { agent in
                for file in ["/cache/a.png", nil] {
                    try await agent.service().arrive(.sample(file ?? "n1"))
                    source.loaded.send((try #require(await source.requested.messages.next()), file))
                    let call = try #require(await calls.messages.next())
                    #expect((call.icon == "/cache/a.png") == (file != nil))
                }
            }
        }
    }

    @Test("A server that shows no files gets the pixels of a picture") func pixels() async throws {
        let calls = Mailbox<Call>()
        let source = FakePictures()
        try await withBus { bus in
            try await bus.export(server("lxqt-notificationd", "test", calls))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(environment: AgentEnvironment(clock: ManualClock()), pictures: source) {
                agent in
                try await agent.service().arrive(.sample("n1"))
                source.loaded.send((try #require(await source.requested.messages.next()), "/cache/a.png"))
                let call = try #require(await calls.messages.next())
                #expect(call.hints["image-path"] == nil)
                let fields: [Value] = [.int32(1), .int32(1), .int32(4), .bool(true), .int32(8), .int32(4)]
                #expect(call.hints["image-data"] == .structure(fields + [.bytes([1, 2, 3, 4])]))
            }
        }
    }

    @Test("With several accounts a popup names its own, on Plasma as its origin", arguments: [false, true])
    func accountName(isPlasma: Bool) async throws {
        let calls = Mailbox<Call>()
        try await withBus { bus in
            let capabilities = ["actions", "body"] + (isPlasma ? ["x-kde-origin-name"] : [])
            try await bus.export(server("fake", "test", capabilities: capabilities, calls))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(accounts: ["work", "home"]) { agent in
                var notification = Notification.sample("n1", title: "Nr 1")
                (notification.body, notification.subtext) = ("Text", "")
                try await agent.service("home").arrive(notification)
                let call = try #require(await calls.messages.next())
                #expect(call.body == (isPlasma ? "Text" : "Text\nhome"))
                #expect(call.hints["x-kde-origin-name"] == (isPlasma ? .string("home") : nil))
            }
        }
    }

    @Test("MATE gets an explicit timeout, and notification-daemon transient popups") func timeouts() async throws {
        for (vendor, timeout, isTransient) in [("MATE", Int32(7_000), false), ("GNOME", -1, true)] {
            let calls = Mailbox<Call>()
            try await withBus { bus in
                try await bus.export(server("Notification Daemon", vendor, calls))
                _ = try await bus.requestName(FreedesktopNotifications.busName)
                try await InProcessAgent.with { agent in
                    try await agent.service().arrive(.sample("n1"))
                    let call = try #require(await calls.messages.next())
                    #expect(call.timeout == timeout)
                    #expect(call.hints["transient"] == (isTransient ? .bool(true) : nil))
                }
            }
        }
    }
}

private actor Switch {
    private(set) var isOn = true

    func set(_ value: Bool) { isOn = value }
}
