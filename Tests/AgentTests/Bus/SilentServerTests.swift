import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

/// Notification servers that do not answer for longer than any timeout.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SilentServerTests {
    /// A server that shows popups as 1, 2, 3, … and answers after ``answer`` is finished.
    private struct Server {
        let titles = Mailbox<String>()
        let closed = Mailbox<UInt32>()
        let answer = Completion()

        func object() -> ExportedObject {
            let ids = Mailbox<UInt32>()
            for id in 1...100 { ids.send(UInt32(id)) }
            var object = ExportedObject(FreedesktopNotifications.path)
            object.handle(FreedesktopNotifications.getServerInformation) { ("silent", "test", "1", "1.2") }
            object.handle(FreedesktopNotifications.getCapabilities) { TerminalServer.defaultCapabilities }
            object.handle(FreedesktopNotifications.closeNotification) { [closed] id in closed.send(id) }
            object.handle(FreedesktopNotifications.notify) { [titles, answer] _, _, _, title, _, _, _, _ in
                titles.send(title)
                await answer.wait()
                return await ids.messages.next() ?? 0
            }
            return object
        }
    }

    private static let singly = "[popups]\ngroup_above = 100\n"

    private func arrive(_ numbers: ClosedRange<Int>, _ agent: InProcessAgent) async throws {
        for number in numbers {
            try await agent.service().arrive(.sample("n\(number)", title: "Nr \(number)"))
            try await agent.account.wait(AgentInbox.totalCount, is: UInt32(number))
        }
    }

    private func read(_ id: String, _ agent: InProcessAgent) async throws {
        var notification = Notification.sample(id)
        notification.read = Timestamp(milliseconds: 1_754_346_745_613)
        try await agent.service().change(notification)
        try await waiting(for: "a read notification") {
            try await agent.account.call(AgentInbox.get, id)
        } until: {
            $0["read"] != .int64(0)
        }
    }

    @Test(
        "A server that is silent for a while shows each popup once; clicks count, and what was read is closed",
        arguments: [15, 60, 110]
    )
    func silence(seconds: Int) async throws {
        let (store, clock, server) = (StateStore(), ManualClock(), Server())
        try await withBus { bus in
            try await bus.export(server.object())
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(popups: Self.singly, store: store, busClock: clock) { agent in
                try await arrive(1...4, agent)
                #expect(await server.titles.messages.next() == "Nr 1")
                for _ in 0..<seconds {
                    clock.advance(by: .seconds(1))
                    _ = try await agent.root.get(AgentRoot.version)
                }
                try await read("n1", agent)
                try await read("n2", agent)
                server.answer.finish()
                #expect(await server.closed.messages.next() == 1)
                // The second one was read before it was sent.
                for number in 3...4 { #expect(await server.titles.messages.next() == "Nr \(number)") }
                try await store.waitForPopups { $0.count == 2 }
                try await bus.emit(
                    FreedesktopNotifications.actionInvoked,
                    2,
                    "default",
                    from: FreedesktopNotifications.path
                )
                #expect(try await agent.service().applied.next() == .interacted("n3"))
            }
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await arrive(1...5, agent)
                var title = await server.titles.messages.next()
                // Read ones are no longer reported by a service.
                if title == "Nr 2" { title = await server.titles.messages.next() }
                #expect(title == "Nr 5", "nothing is shown again")
            }
        }
    }

    @Test("A popup without a reply holds up neither the end of another one nor a click")
    func oneWithoutReply() async throws {
        let server = Server()
        try await withBus { bus in
            var object = server.object()
            object.handle(FreedesktopNotifications.notify) { [titles = server.titles] _, _, _, title, _, _, _, _ in
                titles.send(title)
                if title == "Nr 3" { await server.answer.wait() }
                return title.last.flatMap { UInt32(String($0)) } ?? 0
            }
            try await bus.export(object)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(popups: Self.singly) { agent in
                try await arrive(1...4, agent)
                for number in 1...3 { #expect(await server.titles.messages.next() == "Nr \(number)") }
                try await read("n1", agent)
                #expect(await server.closed.messages.next() == 1)
                try await bus.emit(
                    FreedesktopNotifications.actionInvoked,
                    2,
                    "default",
                    from: FreedesktopNotifications.path
                )
                #expect(try await agent.service().applied.next() == .interacted("n2"))
                #expect(await server.closed.messages.next() == 2)
                server.answer.finish()
                #expect(await server.titles.messages.next() == "Nr 4")
            }
        }
    }

    @Test("When a silent server is killed, the next one shows each popup once")
    func killed() async throws {
        let (clock, first, second) = (ManualClock(), Server(), Server())
        second.answer.finish()
        try await InProcessAgent.with(popups: Self.singly, busClock: clock) { agent in
            try await withBus { bus in
                try await bus.export(first.object())
                _ = try await bus.requestName(FreedesktopNotifications.busName)
                try await arrive(1...5, agent)
                #expect(await first.titles.messages.next() == "Nr 1")
                for _ in 0..<110 {
                    clock.advance(by: .seconds(1))
                    _ = try await agent.root.get(AgentRoot.version)
                }
            }
            try await withBus { bus in
                try await bus.export(second.object())
                // The bus may not have noticed yet that the first one ended.
                _ = try await bus.requestName(FreedesktopNotifications.busName, flags: [])
                for number in 1...6 {
                    if number == 6 { try await arrive(6...6, agent) }
                    #expect(await second.titles.messages.next() == "Nr \(number)")
                }
            }
            first.titles.close()
            #expect(await first.titles.messages.next() == nil, "the first one was sent one popup")
        }
    }

    /// GNOME's helper answers so when the Shell did not answer it within 25 s. The Shell shows the popup later.
    @Test(
        "A call that a running server reports as unanswered is not repeated",
        arguments: [
            "org.gtk.GDBus.UnmappedGError.Quark._g_2dio_2derror_2dquark.Code24", "org.freedesktop.DBus.Error.NoReply",
        ]
            as [ErrorName]
    )
    func lostReply(error: ErrorName) async throws {
        let (store, titles) = (StateStore(), Mailbox<String>())
        try await withBus { bus in
            var object = Server().object()
            object.handle(FreedesktopNotifications.notify) { _, _, _, title, _, _, _, _ in
                titles.send(title)
                if title == "Nr 1" { throw DBusError(error, "Timeout was reached") }
                return 2
            }
            try await bus.export(object)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with(popups: Self.singly, store: store) { agent in
                try await arrive(1...2, agent)
                for number in 1...2 { #expect(await titles.messages.next() == "Nr \(number)") }
                try await waiting(for: "two shown notifications") {
                    try await store.deliveries().values.flatMap(\.shown.keys)
                } until: {
                    Set($0).count == 2
                }
                try await arrive(3...3, agent)
                #expect(await titles.messages.next() == "Nr 3", "the first one is not repeated")
            }
        }
    }

    @Test("A server that does not answer delays the end by a second") func silentServer() async throws {
        let (server, clock) = (Server(), ManualClock())
        try await withBus { bus in
            try await bus.export(server.object())
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await TemporaryFile.with(InProcessAgent.text(["work"])) { file in
                let services = FakeServices()
                let agent = try await InProcessAgent.agent(file, services, AgentEnvironment(clock: clock))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await agent.run() }
                    try await bus.waitForAgent()
                    try await #require(services["work"]).arrive(.sample("n1", title: "First"))
                    #expect(await server.titles.messages.next() == "First")
                    // Other sleepers wake at another time.
                    clock.advance(by: .milliseconds(250))
                    async let end: Void = agent.prepareToEnd()
                    await clock.sleeper(for: .seconds(1))
                    clock.advance(by: .seconds(1))
                    await end
                    server.answer.finish()
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }
}
