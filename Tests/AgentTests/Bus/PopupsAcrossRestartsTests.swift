import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import FoundationEssentials
import Glibc
import Inbox
import Sandbox
import TestSupport
import Testing

/// One agent after the other with the same state: what was shown, and what is on the screen.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PopupsAcrossRestartsTests {
    private func withServer(_ body: (TerminalServer) async throws -> Void) async throws {
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving { try await body(server) }
        }
    }

    /// A notification arrives, and its popup is on the screen and on the disk.
    private func show(
        _ notification: Notification,
        _ agent: InProcessAgent,
        _ server: TerminalServer,
        _ store: StateStore
    ) async throws -> RecordedNotification {
        try await agent.service().arrive(notification)
        let popup = try #require(await server.notifications.next())
        try await store.waitForPopups { $0.contains(popup.id) }
        return popup
    }

    @Test("A click on a popup of the previous run is handled") func clickAfterRestart() async throws {
        let store = StateStore()
        try await withServer { server in
            let popup = try await InProcessAgent.with(store: store) { agent in
                try await show(.sample("n1"), agent, server, store)
            }
            try await InProcessAgent.with(store: store) { agent in
                // When this one is shown, the agent knows its server.
                _ = try await show(.sample("n2"), agent, server, store)
                let marks = try await agent.service().marks
                #expect(marks.contains("n1"))
                try await server.invoke(id: popup.id)
                let applied = try agent.service().applied
                #expect(await applied.next() == .interacted("n1"))
                try await store.waitForPopups { !$0.contains(popup.id) }
            }
        }
    }

    @Test("A restart closes popups whose notifications were read or removed")
    func handledPopups() async throws {
        let store = StateStore()
        try await withServer { server in
            let (read, gone, kept) = try await InProcessAgent.with(store: store) { agent in
                (
                    try await show(.sample("read"), agent, server, store),
                    try await show(.sample("gone"), agent, server, store),
                    try await show(.sample("kept"), agent, server, store)
                )
            }
            try await InProcessAgent.with(store: store) { agent in
                let service = try agent.service()
                var notification = Notification.sample("read")
                notification.read = Timestamp(milliseconds: 5)
                await service.store(notification)
                await service.store(.sample("kept"))
                // The agent knows its server then.
                _ = try await show(.sample("n4"), agent, server, store)
                service.send(.connection(.init(state: .online, since: Timestamp(milliseconds: 1))))
                try await waiting(for: "two closed popups") {
                    await Set(server.closeCalls)
                } until: {
                    $0 == [read.id, gone.id]
                }
                #expect(try await store.popups().values.contains { $0[kept.id] != nil })
            }
        }
    }

    @Test("After a reconnect all open popups are compared with one page of the inbox")
    func comparedWithOnePage() async throws {
        try await withServer { server in
            let store = StateStore()
            try await InProcessAgent.with(popups: "[popups]\ngroup_above = 100\n", store: store) { agent in
                let service = try agent.service()
                let notifications = (1...40).map { Notification.sample("n\($0)") }
                service.send(.arrived(notifications, isCatchUp: false))
                var popups: [UInt32] = []
                for _ in notifications { popups.append(try #require(await server.notifications.next()).id) }
                try await store.waitForPopups { $0.count >= notifications.count }
                var listed = notifications
                for index in 0..<10 { listed[index].read = Timestamp(milliseconds: 5) }
                await service.setNewest(Array(listed.prefix(35)), isAll: true)
                service.send(.connection(.init(state: .online, since: Timestamp(milliseconds: 1))))
                let gone = Set(popups.prefix(10) + popups.suffix(5))
                try await waiting(for: "the closed popups", seeing: { await Set(server.closeCalls) }) { $0 == gone }
                #expect(await service.detailRequests == 0)
            }
        }
    }

    @Test("NotificationArrived is emitted once for a notification, also by the next agent")
    func arrivesOnce() async throws {
        let store = StateStore()
        for run in 1...2 {
            try await InProcessAgent.with(store: store) { agent in
                let signals = try await agent.account.signals(of: AgentInbox.self)
                let service = try agent.service()
                service.send(.arrived([.sample("n1"), .sample("n2")], isCatchUp: run == 2))
                service.send(.arrived([.sample("n2"), .sample("last \(run)")], isCatchUp: false))
                var arrived: [String] = []
                while arrived.last != "last \(run)" {
                    let arrival = try await signals.pick { try AgentInbox.notificationArrived.decode($0) }
                    arrived.append(try #require(arrival).0)
                }
                #expect(arrived == (run == 1 ? ["n1", "n2", "last 1"] : ["last 2"]))
            }
        }
    }

    @Test("The watermark of the first load is kept across restarts") func watermark() async throws {
        let store = StateStore()
        try await InProcessAgent.with(store: store) { agent in
            try agent.service().send(.caughtUp(Timestamp(milliseconds: 77)))
            try await waiting(for: "the watermark") {
                try await store.deliveries(of: "work").watermark
            } until: {
                $0 == 77
            }
        }
        try await InProcessAgent.with(store: store) { agent in
            let service = try agent.service()
            try await waiting(for: "the watermark") {
                await service.marks.watermark
            } until: {
                $0 == Timestamp(milliseconds: 77)
            }
        }
    }

    @Test("Missed notifications are shown as one summary") func catchUp() async throws {
        let clock = ManualClock()
        try await withServer { server in
            try await InProcessAgent.with(environment: AgentEnvironment(clock: clock)) { agent in
                let service = try agent.service()
                service.send(.arrived((1...7).map { .sample("n\($0)", title: "Nr \($0)") }, isCatchUp: true))
                await clock.sleeper(for: Popups.catchUpDelay)
                clock.advance(by: Popups.catchUpDelay)
                let popup = try #require(await server.notifications.next())
                #expect(popup.summary == "7 new notifications")
                #expect(popup.body.split(separator: "\n").count == 6 && popup.body.hasSuffix("\n… and 2 more"))
                try await server.invoke(id: popup.id)
                let seen = (1...7).map { NotificationID("n\($0)") }
                #expect(await service.applied.next() == .seen(seen))
            }
        }
    }

    @Test("When the time zone changes, quiet hours begin and end by the new one, without a reload") func timeZone()
        async throws
    {
        let clock = ManualClock()
        // 20:00 in UTC.
        let wall = WallClock(milliseconds: 20 * 3_600_000)
        let quiet = "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\n"
        try await TemporaryFile.with("UTC") { file in
            // As /etc/localtime: a link that another one replaces.
            let link = file.directory + "/localtime"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
            func travel(hours: Int64) throws {
                wall.setZone(hours: hours)
                let new = "\(link).new"
                try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: "\(hours)")
                #expect(rename(new, link) == 0)
            }
            let environment = AgentEnvironment(
                now: { wall.now },
                localTime: { wall.localTime($0) },
                timeZoneFile: link,
                clock: clock
            )
            try await withServer { server in
                try await InProcessAgent.with(popups: quiet, environment: environment) { agent in
                    let service = try agent.service()
                    await clock.sleeper(for: .seconds(2 * 3600))
                    // 22:00 in the east.
                    try travel(hours: 2)
                    try await agent.root.wait(AgentRoot.heldBack, is: ["quiet"])
                    await clock.sleeper(for: .seconds(9 * 3600))
                    await service.arrive(.sample("n1"))
                    try await agent.account.wait(AgentInbox.totalCount, is: 1)
                    #expect(await server.calls.isEmpty)
                    try travel(hours: -3)
                    #expect(await server.notifications.next()?.summary == "Sale")
                    try await agent.root.wait(AgentRoot.heldBack, is: [])
                    await clock.sleeper(for: .seconds(5 * 3600))
                }
            }
        }
    }

    @Test("Quiet hours hold popups back until they end") func quietHours() async throws {
        let clock = ManualClock()
        let wall = WallClock(milliseconds: 0)
        let environment = AgentEnvironment(now: { wall.now }, localTime: { wall.localTime($0) }, clock: clock)
        let quiet = "[quiet]\nfrom = \"00:00\"\nto = \"07:00\"\n"
        try await withServer { server in
            try await InProcessAgent.with(popups: quiet, environment: environment) { agent in
                let service = try agent.service()
                await clock.sleeper(for: .seconds(7 * 3600))
                for number in 1...4 { await service.arrive(.sample("n\(number)")) }
                try await agent.account.wait(AgentInbox.totalCount, is: 4)
                #expect(await server.calls.isEmpty)
                #expect(try await agent.root.get(AgentRoot.heldBack) == ["quiet"])
                wall.set(milliseconds: 7 * 3_600_000)
                clock.advance(by: .seconds(7 * 3600))
                #expect(await server.notifications.next()?.summary == "4 new notifications")
            }
        }
    }
}
