import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Dispatch
import Inbox
import Sandbox
import TestSupport
import Testing

/// Notification servers that come late, are replaced, have no room, or emit everything twice.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct NotificationServersOnTheBusTests {
    private static let path = FreedesktopNotifications.path
    private static let singly = "[popups]\ngroup_above = 100\n"

    /// A server that shows popups as 1, 2, 3, …
    ///
    /// - Parameter onInformation: Called for `GetServerInformation`, the last request of the agent to a new server.
    private func server(
        name: String = "fake",
        onInformation: @escaping @Sendable () -> Void = {},
        notify: @escaping @Sendable (UInt32, String, String) async throws -> Void = { _, _, _ in },
        capabilities: @escaping @Sendable () async throws -> [String] = { TerminalServer.defaultCapabilities }
    ) -> ExportedObject {
        let ids = Numbers()
        var object = ExportedObject(Self.path)
        object.handle(FreedesktopNotifications.getServerInformation) {
            onInformation()
            return (name, "test", "43.9", "1.2")
        }
        object.handle(FreedesktopNotifications.getCapabilities) { try await capabilities() }
        object.handle(FreedesktopNotifications.closeNotification) { _ in }
        object.handle(FreedesktopNotifications.notify) { _, _, _, summary, body, _, _, _ in
            let id = await ids.next()
            try await notify(id, summary, body)
            return id
        }
        return object
    }

    /// Signalled as soon as the agent owns its name, or while it asks the server what it can do.
    @Test("A click that comes while the agent starts is counted once", arguments: [false, true])
    func clickAtTheStart(isAtTheName: Bool) async throws {
        let store = StateStore()
        let isSlow = Flag()
        let (requests, answer) = (Mailbox<Void>(), Completion())
        try await withBus { bus in
            let server = server(capabilities: {
                if await isSlow.isSet {
                    requests.send()
                    await answer.wait()
                }
                return TerminalServer.defaultCapabilities
            })
            try await bus.export(server)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(store: store) { agent in
                try await agent.service().arrive(.sample("n1"))
                try await store.waitForPopups { $0.count == 1 }
            }
            await isSlow.set()
            try await InProcessAgent.with(store: store) { agent in
                if !isAtTheName { _ = await requests.messages.next() }
                try await bus.emit(FreedesktopNotifications.actionInvoked, 1, "default", from: Self.path)
                answer.finish()
                #expect(try await agent.service().applied.next() == .interacted("n1"))
                try await store.waitForPopups { $0.count == 0 }
            }
        }
    }

    @Test("Popups that wait for a notification server are shown by its successor, once")
    func replacedServer() async throws {
        let (calls, answer) = (Mailbox<String>(), Completion())
        let (shown, isKnown) = (Mailbox<String>(), Completion())
        try await withBus { old in
            let slow = server(notify: { _, summary, _ in
                calls.send(summary)
                await answer.wait()
            })
            try await old.export(slow)
            _ = try await old.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(popups: Self.singly) { agent in
                let service = try agent.service()
                for number in 1...3 { await service.arrive(.sample("n\(number)", title: "Nr \(number)")) }
                #expect(await calls.messages.next() == "Nr 1")
                try await agent.account.wait(AgentInbox.totalCount, is: 3)
                try await withBus { bus in
                    let successor = server(
                        onInformation: { isKnown.finish() },
                        notify: { _, summary, _ in shown.send(summary) }
                    )
                    try await bus.export(successor)
                    try await old.releaseName(FreedesktopNotifications.busName)
                    _ = try await bus.requestName(FreedesktopNotifications.busName)
                    // An answer that the agent handles before the change of servers would count as shown.
                    await isKnown.wait()
                    answer.finish()
                    for number in 1...4 {
                        if number == 4 { await service.arrive(.sample("n4", title: "Nr 4")) }
                        #expect(await shown.messages.next() == "Nr \(number)")
                    }
                }
            }
        }
    }

    @Test(
        "Capabilities are requested again after a failure; until then texts are escaped",
        arguments: [true, false]
    )
    func unknownCapabilities(answers: Bool) async throws {
        let isAnswering = Flag()
        let attempts = Numbers()
        let bodies = Mailbox<String>()
        try await withBus { bus in
            let server = server(
                notify: { _, _, text in bodies.send(text) },
                capabilities: {
                    // The answer is chosen before the attempt is counted: the test waits for the count.
                    let answers = await isAnswering.isSet
                    _ = await attempts.next()
                    guard answers else { throw DBusError(.failed, "not now") }
                    return ["body", "body-markup"]
                }
            )
            try await bus.export(server)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with { agent in
                var notification = Notification.sample("n1")
                notification.body = "**a** & <x>"
                notification.subtext = ""
                // Popups and do-not-disturb ask.
                try await waiting(for: "two attempts", seeing: { await attempts.last }) { $0 >= 2 }
                if answers { await isAnswering.set() }
                try await agent.service().arrive(notification)
                #expect(await bodies.messages.next() == (answers ? "<b>a</b> &amp; &lt;x&gt;" : "a &amp; &lt;x&gt;"))
                #expect(await attempts.last == 3)
            }
        }
    }

    /// GNOME Shell broadcasts every signal, and its helper, which owns the name, repeats it for the program that showed
    /// the popup.
    @Test("On GNOME a repeated click signal counts once, and a click on a popup of the previous run counts")
    func gnomeShell() async throws {
        let store = StateStore()
        let invoked = FreedesktopNotifications.actionInvoked
        try await withBus { shell in
            _ = try await shell.requestName("org.gnome.Shell")
            try await withBus { helper in
                try await helper.export(server(name: "gnome-shell"))
                _ = try await helper.requestName(FreedesktopNotifications.busName)
                try await InProcessAgent.with(store: store) { agent in
                    let service = try agent.service()
                    for number in 1...3 { await service.arrive(.sample("n\(number)")) }
                    try await store.waitForPopups { $0.count == 3 }
                    try await shell.emit(invoked, 1, "default", from: Self.path)
                    try await helper.emit(invoked, 1, "default", from: Self.path)
                    #expect(await service.applied.next() == .interacted("n1"))
                    try await shell.emit(invoked, 2, "default", from: Self.path)
                    #expect(await service.applied.next() == .interacted("n2"), "the first click counted once")
                    try await store.waitForPopups { $0.count == 1 }
                }
                try await InProcessAgent.with(store: store) { agent in
                    try await shell.emit(invoked, 3, "default", from: Self.path)
                    #expect(try await agent.service().applied.next() == .interacted("n3"))
                    try await store.waitForPopups { $0.count == 0 }
                }
            }
        }
    }

    @Test("A full notification server replaces old popups by new ones, and status reports the waiting ones")
    func fullServer() async throws {
        let (clock, store) = (ManualClock(), StateStore())
        try await withBus { bus in
            let server = TerminalServer(bus: bus, capacity: 2)
            try await server.serving {
                try await InProcessAgent.with(
                    popups: Self.singly,
                    environment: AgentEnvironment(clock: clock),
                    store: store
                ) { agent in
                    let service = try agent.service()
                    for number in 1...3 {
                        await service.arrive(.sample("n\(number)", title: "Nr \(number)"))
                        let popup = try #require(await server.notifications.next())
                        #expect(popup.summary == "Nr \(number)")
                        try await store.waitForPopups { $0.contains(popup.id) }
                    }
                    #expect(await server.closeCalls == [1])

                    // Other programs take all the room.
                    await server.expire(id: 2)
                    // An expiry right after the reply would mean that it was not shown.
                    try await server.dismiss(id: 3)
                    var others: [UInt32] = []
                    for _ in 1...2 {
                        others.append(
                            try await Proxy(agent.bus, FreedesktopNotifications.busName, Self.path)
                                .call(FreedesktopNotifications.notify, "other", 0, "", "other", "", [], [:], 0)
                        )
                        _ = await server.notifications.next()
                    }
                    await service.arrive(.sample("n4", title: "Nr 4"))
                    try await agent.root.wait(AgentRoot.heldBack, is: ["server-full"])
                    await clock.sleeper(for: Popups.fullInterval)
                    await server.expire(id: others[0])
                    clock.advance(by: Popups.fullInterval)
                    #expect(await server.notifications.next()?.summary == "Nr 4")
                    try await agent.root.wait(AgentRoot.heldBack, is: [])
                }
            }
        }
    }

    @Test(
        "A click opens the link that the notification has now, not that of its popup",
        arguments: [("default", "https://example.com/corrected"), ("buy", "https://example.com/buy/corrected")]
    )
    func correctedLink(button: String, expected: String) async throws {
        let opened = Mailbox<String>()
        try await withBus { bus in
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(FakePortal.openURI) { _, url, _ in
                opened.send(url)
                return "/org/freedesktop/portal/desktop/request/1"
            }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await InProcessAgent.with { agent in
                    try await agent.service().arrive(.sample("n1"))
                    let popup = try #require(await server.notifications.next())
                    var corrected = Notification.sample(
                        "n1",
                        title: "Corrected",
                        url: "https://example.com/corrected"
                    )
                    corrected.actions[0].url += "/corrected"
                    try await agent.service().change(corrected)
                    try await waiting(for: "the new title") {
                        try await agent.account.call(AgentInbox.get, "n1")
                    } until: {
                        $0["title"] == .string("Corrected")
                    }
                    try await server.invoke(id: popup.id, action: button)
                    #expect(await opened.messages.next() == expected)
                }
            }
        }
    }

    /// While the disk does not answer, no link is opened.
    @Test("A click is on disk before its link is opened") func clickIsStoredFirst() async throws {
        let store = StateStore()
        let isReleased = Flag()
        let release = DispatchSemaphore(value: 0)
        let openings = Mailbox<Bool>()
        try await withBus { bus in
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(FakePortal.openURI) { _, _, _ in
                openings.send(await isReleased.isSet)
                return "/org/freedesktop/portal/desktop/request/1"
            }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await InProcessAgent.with(store: store) { agent in
                    try await agent.service().arrive(.sample("n1"))
                    let popup = try #require(await server.notifications.next())
                    try await store.waitForPopups { $0.count == 1 }
                    try await withThrowingTaskGroup { group in
                        let held = Completion()
                        group.addTask { await hold(store, until: release, held) }
                        // Also after an error: the group waits for the disk.
                        defer { release.signal() }
                        await held.wait()
                        try await server.invoke(id: popup.id)
                        // In this time the agent would have asked the portal.
                        for _ in 0..<200 { _ = try await agent.root.get(AgentRoot.version) }
                        await isReleased.set()
                        release.signal()
                        #expect(await openings.messages.next() == true)
                        #expect(try await agent.service().applied.next() == .interacted("n1"))
                    }
                }
            }
        }
    }
}

/// Keeps the store from doing anything else.
private func hold(
    _ store: isolated StateStore,
    until release: DispatchSemaphore,
    _ held: Completion
) {
    held.finish()
    release.wait()
}

private actor Numbers {
    private(set) var last: UInt32 = 0

    func next() -> UInt32 {
        last += 1
        return last
    }
}

private actor Flag {
    private(set) var isSet = false

    func set() { isSet = true }
}
