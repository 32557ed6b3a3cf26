import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// User actions over the bus: shown at once, sent in the background, and reverted when refused.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ActionsOnTheBusTests {
    private func withInbox(
        _ ids: [String] = ["n1", "n2"],
        _ body: @Sendable (InProcessAgent, FakeService, Proxy) async throws -> Void
    ) async throws {
        try await InProcessAgent.with(environment: .init(now: { Timestamp(milliseconds: 42) }, jitter: { 0 })) {
            agent in
            let service = try agent.service()
            await service.setInbox(
                FakeInbox(
                    notifications: ids.map { .sample($0) },
                    counts: Counts(badge: 5, total: 9, tabs: ["a": 1, "b": 2]),
                    hasMore: true
                )
            )
            let account = agent.account
            try await account.wait(AgentInbox.totalCount, is: 9)
            try await body(agent, service, account)
        }
    }

    @Test("While the service asks for a pause, actions wait in order, and who asks is told until when") func pause()
        async throws
    {
        let clock = ManualClock()
        let noon = Timestamp(milliseconds: 1_763_726_400_000)
        let environment = AgentEnvironment(
            now: { noon },
            localTime: WeeklyHours.LocalTime.init(utc:),
            clock: clock
        )
        try await InProcessAgent.with(environment: environment) { agent in
            let service = try agent.service()
            service.send(.connection(Connection(state: .online, since: noon)))
            try await agent.account.wait(AgentAccount.state, is: "online")
            await service.arrive(.sample("n1"))
            await service.arrive(.sample("n2"))
            try await agent.account.wait(AgentInbox.totalCount, is: 2)
            var busy = ServiceFailure(.transient, "Too many requests.")
            busy.retryAfter = .seconds(3_600)
            await service.fail(busy)
            var applied = service.applied.makeAsyncIterator()
            try await agent.account.call(AgentInbox.markRead, ["n1"])
            #expect(await applied.next() == .read("n1"))
            await clock.sleeper(for: .seconds(3_600))
            try await agent.account.call(AgentInbox.markRead, ["n2"])
            #expect(try await agent.account.get(AgentAccount.state) == "online")
            try await agent.account.wait(AgentAccount.pendingActions, is: 2)
            let sentence = "Too many requests. The next attempt is at 13:00."
            #expect(try await agent.account.get(AgentAccount.pendingError).elements.1 == sentence)
            for proxy in [agent.account, agent.root] {
                let error = await #expect(throws: DBusError.self) {
                    if proxy.path == AgentNames.agentPath {
                        try await proxy.call(AgentRoot.reconnect)
                    } else {
                        try await proxy.call(AgentAccount.reconnect)
                    }
                }
                #expect(error?.name == AgentErrors.offline)
                #expect(error?.message == "The actions of the account \"work\" wait: \(sentence)")
            }
            #expect(await service.reconnects == 2)
            clock.advance(by: .seconds(3_600))
            for id in ["n1", "n2"] as [NotificationID] { #expect(await applied.next() == .read(id)) }
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            try await agent.root.call(AgentRoot.reconnect)
        }
    }

    @Test("The properties of an account follow the contents of its inbox") func contentsAsProperties() async throws {
        try await withInbox { (_, _, account) async throws in
            #expect(try await account.call(AgentInbox.hasMore, ""))
            #expect(try await account.get(AgentInbox.badgeCount) == 5)
            #expect(try await account.get(AgentInbox.tabs) == [Structure("a", "A", 1), Structure("b", "B", 2)])
        }
    }

    @Test(
        "An action shows before the service has answered",
        arguments: [
            ("MarkRead", Change.read("n1"), "read"), ("MarkSeen", .seen(["n1"]), "seen"),
            ("MarkInteracted", .interacted("n1"), "interacted"),
        ]
    )
    func optimisticActions(method: String, change: Change, key: String) async throws {
        try await withInbox { (agent, service, account) async throws in
            switch method {
            case "MarkRead": try await account.call(AgentInbox.markRead, ["n1"])
            case "MarkSeen": try await account.call(AgentInbox.markSeen, ["n1"])
            default: try await account.call(AgentInbox.markInteracted, ["n1"])
            }
            // Before the service said anything.
            #expect(try await account.call(AgentInbox.get, "n1")[key] == .int64(42))
            #expect(try await account.call(AgentInbox.get, "n2")[key] == .int64(0))
            var applied = service.applied.makeAsyncIterator()
            #expect(await applied.next() == change)
            try await account.wait(AgentAccount.pendingActions, is: 0)
            // Confirmed, although the service has not sent its list again.
            #expect(try await account.call(AgentInbox.get, "n1")[key] == .int64(42))
        }
    }

    @Test("A refused action is reverted and reported") func refusedAction() async throws {
        try await withInbox { (agent, service, account) async throws in
            let signals = try await account.signals(of: AgentInbox.self)
            await service.fail(ServiceFailure(.rejected, "The service does not want to."))
            try await account.call(AgentInbox.archive, ["n1"])
            var members: [String] = []
            let failure = try await signals.pick { signal in
                members.append(signal.member.map { "\($0)" } ?? "")
                if let id = try AgentInbox.notificationRemoved.decode(signal) { #expect(id == "n1") }
                return try AgentInbox.actionFailed.decode(signal)
            }
            let (action, ids, error, message) = try #require(failure)
            #expect(action == "Archive" && ids == ["n1"])
            #expect(error == AgentErrors.rejected.text)
            #expect(message == "The service does not want to.")
            #expect(members == ["NotificationRemoved", "NotificationAdded", "ActionFailed"])
            #expect(try await account.call(AgentInbox.list, [:]).map { $0["id"] } == [.string("n2"), .string("n1")])
            try await account.wait(AgentAccount.pendingActions, is: 0)
        }
    }

    @Test("MarkAllSeen, MarkAllRead and ResetBadge act on the whole inbox")
    func bulkActions() async throws {
        try await withInbox { (agent, service, account) async throws in
            try await account.call(AgentInbox.markAllSeen)
            try await account.call(AgentInbox.markAllRead)
            try await account.call(AgentInbox.resetBadge)
            #expect(try await account.get(AgentInbox.badgeCount) == 0)
            var applied = service.applied.makeAsyncIterator()
            #expect(await applied.next() == .seen(["n1", "n2"]))
            #expect(await applied.next() == .allRead)
            #expect(await applied.next() == .badgeReset)
            // Nothing is unseen any more, so nothing is sent.
            try await account.wait(AgentAccount.pendingActions, is: 0)
            try await account.call(AgentInbox.markAllSeen)
            #expect(try await account.get(AgentAccount.pendingActions) == 0)
        }
    }

    @Test("Unsupported actions and invalid arguments return standard errors")
    func invalidActions() async throws {
        try await withInbox { (_, service, account) async throws in
            func name(_ body: () async throws -> Void) async -> ErrorName? {
                await #expect(throws: DBusError.self) { try await body() }?.name
            }
            #expect(await name { try await account.call(AgentInbox.delete, ["n1"]) } == AgentErrors.notSupported)
            #expect(await name { try await account.call(AgentInbox.unarchive, ["n1"]) } == AgentErrors.notSupported)
            #expect(await name { try await account.call(AgentInbox.markRead, ["n1", ""]) } == .invalidArgs)
            #expect(await name { _ = try await account.call(AgentInbox.get, "") } == .invalidArgs)
            let many = (0...1_000).map { "n\($0)" }
            #expect(await name { try await account.call(AgentInbox.markRead, many) } == .limitsExceeded)
            #expect(await name { _ = try await account.call(AgentInbox.list, ["tab": .string("c")]) } == .invalidArgs)
            #expect(await name { _ = try await account.call(AgentInbox.hasMore, "c") } == .invalidArgs)
            #expect(await name { _ = try await account.call(AgentInbox.fetchMore, "c") } == .invalidArgs)
            await service.fail(ServiceFailure(.transient, "down"), ServiceFailure(.unauthorized, "no"))
            #expect(await name { try await account.call(AgentInbox.refresh) } == AgentErrors.offline)
            #expect(await name { _ = try await account.call(AgentInbox.fetchMore, "") } == AgentErrors.unauthorized)
            #expect(try await account.get(AgentAccount.pendingActions) == 0)
        }
    }

    @Test("More snoozed ones than the limit are refused with the command that ends some") func tooManySnoozes()
        async throws
    {
        try await withInbox { (_, _, account) async throws in
            let until = AgentEnvironment().now().milliseconds + 3_600_000
            try await account.call(AgentInbox.snooze, (1...Snoozes.limit).map { "n\($0)" }, until)
            let error = await #expect(throws: DBusError.self) {
                try await account.call(AgentInbox.snooze, (1...30).map { "other\($0)" }, until)
            }
            #expect(error?.name == .limitsExceeded)
            #expect(error?.message.hasSuffix("End some with: feedbell unsnooze") == true)
        }
    }

    @Test("Each caller chooses its tab, and loads further pages of it") func tabsAndPages() async throws {
        try await withInbox { (_, service, account) async throws in
            for number in 1...5 {
                var old = Notification.sample("a\(number)")
                old.sortTime = Timestamp(milliseconds: Int64(number))
                old.tags = number == 5 ? [] : ["tab1"]
                await service.store(old)
            }
            func list(_ options: [String: Value]) async throws -> [String] {
                try await account.call(AgentInbox.list, options).map { NotificationRecord($0).id }
            }
            #expect(try await list([:]) == ["n2", "n1"])
            #expect(try await list(["tab": .string("a")]) == ["n2", "n1"])
            #expect(try await account.call(AgentInbox.fetchMore, "a") == 2)
            #expect(try await list(["tab": .string("a")]) == ["n2", "n1", "a4", "a3"])
            #expect(try await list([:]) == ["n2", "n1"], "another view is as it was")
            #expect(try await account.call(AgentInbox.fetchMore, "") == 2)
            #expect(try await list([:]) == ["n2", "n1", "a5", "a4"])
            #expect(try await account.call(AgentInbox.fetchMore, "a") == 2)
            #expect(try await account.call(AgentInbox.fetchMore, "a") == 0)
            #expect(try await !account.call(AgentInbox.hasMore, "a"))
            #expect(try await list(["tab": .string("a"), "offset": .uint32(5)]) == ["a1"])
            try await account.call(AgentInbox.refresh)
            #expect(try await list([:]) == ["n2", "n1"])
        }
    }

    @Test("List loads what its offset and limit need") func listLoads() async throws {
        try await withInbox { (_, service, account) async throws in
            for number in 1...9 {
                var old = Notification.sample("a\(number)")
                old.sortTime = Timestamp(milliseconds: Int64(number))
                old.created = old.sortTime
                old.isPinned = false
                old.category = number == 1 ? "rare" : "promo"
                await service.store(old)
            }
            func list(_ options: [String: Value]) async throws -> [String] {
                try await account.call(AgentInbox.list, options).map { NotificationRecord($0).id }
            }
            let loaded: [String: Value] = ["limit": .uint32(9), "loaded": .bool(true)]
            #expect(try await list(loaded) == ["n2", "n1"], "nothing is loaded for it")
            #expect(try await list(["offset": .uint32(3), "limit": .uint32(2)]) == ["a8", "a7"])
            #expect(try await list(["limit": .uint32(1), "loaded": .bool(true)]) == ["n2"])
            #expect(try await list(["category": .string("rare"), "limit": .uint32(5)]) == ["a1"])
            #expect(try await list(["since": .int64(9), "limit": .uint32(100)]) == ["n2", "n1", "a9"])
            #expect(try await list(["tag": .string("none"), "limit": .uint32(1)]) == [])
            #expect(try await list(["archived": .bool(true)]) == [])
            service.send(.connection(Connection(state: .online, since: 1)))
            try await account.wait(AgentAccount.state, is: "online")
            #expect(try await list(["offset": .uint32(3), "limit": .uint32(2)]) == ["a8", "a7"])
            await service.fail(ServiceFailure(.transient, "down"))
            let all = ["limit": Value.uint32(50)]
            #expect(try await list(all).count == 5, "what is loaded, without a connection")
            #expect(try await account.call(AgentInbox.listProblem, all) == "down")
            let refusal = ServiceFailure(.unauthorized, "No. Store a new one.")
            service.send(.connection(Connection(state: .unauthorized, since: 1, failure: refusal)))
            try await account.wait(AgentAccount.state, is: "unauthorized")
            #expect(try await account.call(AgentInbox.listProblem, all) == "No. Store a new one.", "with the cure")
            service.send(.connection(Connection(state: .online, since: 1)))
            try await account.wait(AgentAccount.state, is: "online")
            #expect(try await list(all).count == 11)
            #expect(try await account.call(AgentInbox.listProblem, all) == "")
        }
    }

    @Test("Notifications of one time that the service cannot list are reported as missing") func gap() async throws {
        try await withInbox { (_, service, account) async throws in
            for number in 0..<150 {
                var old = Notification.sample("a\(number)")
                (old.created, old.sortTime) = (Timestamp(milliseconds: 2), Timestamp(milliseconds: 2))
                old.isPinned = false
                await service.store(old)
            }
            var last = Notification.sample("last")
            (last.created, last.sortTime) = (Timestamp(milliseconds: 1), Timestamp(milliseconds: 1))
            last.isPinned = false
            await service.store(last)
            let all = ["limit": Value.uint32(500)]
            let ids = try await account.call(AgentInbox.list, all).map { NotificationRecord($0).id }
            #expect(ids.count == 103 && ids.last == "last")
            #expect(try await account.call(AgentInbox.listProblem, all).contains("some may be missing"))
            let ofTab = try await account.call(AgentInbox.listProblem, ["tab": .string("b")])
            #expect(ofTab.contains("some may be missing"), "it is a part of the same list")
        }
    }

    @Test("An action on a notification that is not loaded waits for the service for at most a second")
    func existenceTimeout() async throws {
        let clock = ManualClock()
        try await InProcessAgent.with(environment: .init(clock: clock)) { agent in
            let service = try agent.service()
            service.send(.connection(Connection(state: .online, since: 1)))
            try await agent.account.wait(AgentAccount.state, is: "online")
            await service.holdDetails()
            let account = agent.account
            async let action: Void = account.call(AgentInbox.markRead, ["unknown"])
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
            try await action
            var applied = service.applied.makeAsyncIterator()
            #expect(await applied.next() == .read("unknown"))
        }
    }

    @Test("A first page that is reported while List loads it does not end the list") func firstPageMeanwhile()
        async throws
    {
        try await InProcessAgent.with { agent in
            let (service, account) = (try agent.service(), agent.account)
            let all = (1...9).map { number in
                var notification = Notification.sample("n\(number)")
                notification.sortTime = Timestamp(milliseconds: Int64(number))
                notification.isPinned = false
                return notification
            }
            for notification in all.dropLast(2) { await service.store(notification) }
            let first = FakeInbox(
                notifications: all.suffix(1),
                counts: Counts(total: 5),
                hasMore: true,
                isComplete: false
            )
            await service.setInbox(first)
            try await account.wait(AgentInbox.totalCount, is: 5)
            await service.beforePage {
                await service.setInbox(FakeInbox(notifications: all.suffix(2), counts: Counts(total: 9), hasMore: true))
                try? await account.wait(AgentInbox.totalCount, is: 9)
            }
            let listed = try await account.call(AgentInbox.list, ["limit": .uint32(50)])
            #expect(listed.map { NotificationRecord($0).id } == all.reversed().map(\.id.rawValue))
        }
    }

    @Test("A service that repeats a page is not asked for it indefinitely") func repeatedPage() async throws {
        try await withInbox { (_, service, account) async throws in
            await service.repeatPages()
            let options: [String: Value] = ["limit": .uint32(100)]
            #expect(try await account.call(AgentInbox.list, options).count == 2)
            #expect(await service.pageRequests.count == 2)
            #expect(try await !account.call(AgentInbox.hasMore, ""))
        }
    }
}
