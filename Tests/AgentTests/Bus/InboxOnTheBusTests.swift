import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import TestSupport
import Testing

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct InboxOnTheBusTests {
    @Test("A new notification is signalled and listed with all its fields", .inProcessAgent()) func notificationFields()
        async throws
    {
        let agent = InProcessAgent.current
        let signals = try await agent.account.signals(of: AgentInbox.self)
        var sample = Notification.sample("n1")
        sample.isExpiryVisible = true
        try await agent.service().arrive(sample)
        var iterator = signals.makeAsyncIterator()
        let added = try #require(await iterator.next())
        let (id, notification) = try #require(try AgentInbox.notificationAdded.decode(added))
        #expect(id == "n1")
        let arrived = try #require(await iterator.next())
        #expect(try AgentInbox.notificationArrived.decode(arrived)?.0 == "n1")
        #expect(
            notification == [
                "id": .string("n1"), "account": .string("work"), "title": .string("Sale"),
                "body": .string("Ends soon & now"), "markup": .string("Ends <b>soon</b> &amp; <i>now</i>"),
                "subtext": .string("Shop"),
                "subtext-url": .string("https://example.com/shop"), "expiry-visible": .bool(true),
                "avatar-url": .string("https://example.com/anna"),
                "url": .string("https://example.com/sale"),
                "category": .string("promo"), "topic": .string(""), "tags": Value(["tab1", "tab2"]),
                "created": .int64(1_754_346_745_613), "seen": .int64(0), "read": .int64(0), "interacted": .int64(0),
                "expires": .int64(32_503_680_000_000), "archived": .bool(false), "pinned": .bool(true),
                "snoozed": .int64(0), "muted": .bool(false),
                "avatar": .string("https://example.com/a.png"),
                "actions": [
                    [
                        "id": .string("buy"), "label": .string("Buy"), "url": .string("https://example.com/buy"),
                        "primary": .bool(false),
                    ] as [String: Value]
                ].dbusValue,
                "extra": .string("{\"sku\":42}"),
            ]
        )
        #expect(try await agent.account.call(AgentInbox.get, "n1") == notification)
        #expect(try await agent.account.call(AgentInbox.list, [:]) == [notification])
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        try await agent.root.wait(AgentRoot.unreadCount, is: 1)
    }

    @Test(
        "LastEvent changes after the unread count",
        .inProcessAgent()
    )
    func counted() async throws {
        let agent = InProcessAgent.current
        let account = agent.account
        let changes = try await account.propertyChanges()
        let service = try agent.service()
        let notifications = [Notification.sample("n1")]
        await service.setInbox(
            FakeInbox(notifications: notifications, counts: Counts(total: 9), isCounted: false)
        )
        try await account.wait(AgentInbox.totalCount, is: 9)
        await service.setInbox(FakeInbox(notifications: notifications, counts: Counts(unread: 5, total: 9)))
        var unread: UInt32?
        _ = try await changes.next { message in
            unread = try PropertyValues<AgentInbox>(changedIn: message)?.value(AgentInbox.unreadCount) ?? unread
            return try PropertyValues<AgentAccount>(changedIn: message)?.value(AgentAccount.lastEvent) != nil
        }
        #expect(unread == 5)
    }

    @Test("Changed and removed notifications emit signals", .inProcessAgent()) func changesAndRemovals() async throws {
        let agent = InProcessAgent.current
        let signals = try await agent.account.signals(of: AgentInbox.self)
        var iterator = signals.makeAsyncIterator()
        let service = try agent.service()
        await service.arrive(.sample("n1"))
        for _ in ["added", "arrived"] { _ = await iterator.next() }
        var read = Notification.sample("n1")
        read.read = Timestamp(milliseconds: 5)
        await service.change(read)
        let changed = try #require(await iterator.next())
        let (id, notification) = try #require(try AgentInbox.notificationChanged.decode(changed))
        #expect(id == "n1")
        #expect(notification["read"] == .int64(5))
        await service.remove("n1")
        let removed = try #require(await iterator.next())
        #expect(try AgentInbox.notificationRemoved.decode(removed) == "n1")
        try await agent.account.wait(AgentInbox.totalCount, is: 0)
    }

    @Test("Details that are older than a confirmed archive change nothing", .inProcessAgent()) func outdatedDetails()
        async throws
    {
        let agent = InProcessAgent.current
        let signals = try await agent.account.signals(of: AgentInbox.self)
        var iterator = signals.makeAsyncIterator()
        let service = try agent.service()
        service.send(.connection(Connection(state: .online, since: Timestamp(milliseconds: 1))))
        await service.arrive(.sample("n1"))
        for _ in ["added", "arrived"] { _ = await iterator.next() }
        try await agent.account.call(AgentInbox.archive, ["n1"])
        let removed = try #require(await iterator.next())
        #expect(try AgentInbox.notificationRemoved.decode(removed) == "n1")
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        service.send(.updated(.sample("n1")))
        service.send(.updated(.sample("n2")))
        let changed = try #require(await iterator.next())
        #expect(try AgentInbox.notificationChanged.decode(changed)?.0 == "n2")
    }

    @Test("One action is one signal, whatever times the service reports for it", .inProcessAgent())
    func oneSignal() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        var signals = try await agent.account.signals(of: AgentInbox.self).makeAsyncIterator()
        await service.arrive(.sample("n1"))
        for _ in ["added", "arrived"] { _ = await signals.next() }
        try await agent.account.call(AgentInbox.markRead, ["n1"])
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        for time in [1, 2] as [Int64] {
            var read = Notification.sample("n1")
            (read.seen, read.read) = (Timestamp(milliseconds: time), Timestamp(milliseconds: time))
            await service.setInbox(FakeInbox(notifications: [read], counts: Counts(total: 1)))
        }
        try await agent.account.call(AgentInbox.markUnread, ["n1"])
        let (first, second) = (try #require(await signals.next()), try #require(await signals.next()))
        let times = try [first, second].map { signal in
            try AgentInbox.notificationChanged.decode(signal).map { NotificationRecord($1).read != 0 }
        }
        #expect(times == [true, false])
    }

    @Test("List filters by its options and rejects others", .inProcessAgent()) func listOptions() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        for number in 1...3 { await service.arrive(.sample("n\(number)")) }
        try await agent.account.wait(AgentInbox.totalCount, is: 3)
        func ids(_ options: [String: Value]) async throws -> [Value?] {
            try await agent.account.call(AgentInbox.list, options).map { $0["id"] }
        }
        #expect(try await ids(["limit": .uint32(1), "offset": .uint32(1)]) == [.string("n2")])
        #expect(try await ids(["unread": .bool(false)]) == [])
        #expect(try await ids(["ids": ["n1", "n3", "x"].dbusValue]) == [.string("n3"), .string("n1")])
        // The integers of languages whose integers have no width.
        for one in [Value.byte(1), .int16(1), .int32(1), .int64(1), .uint64(1)] {
            #expect(try await ids(["limit": one, "offset": one]) == [.string("n2")])
        }
        let negative = await #expect(throws: DBusError.self) { try await ids(["limit": .int32(-1)]) }
        #expect(negative?.name == .invalidArgs)
        let error = await #expect(throws: DBusError.self) { try await ids(["limit": .string("all")]) }
        #expect(error?.name == .invalidArgs)
        #expect(error?.message.contains("limit") == true)
        let unknown = await #expect(throws: DBusError.self) { try await ids(["categoy": .string("promo")]) }
        #expect(unknown?.name == .invalidArgs)
        #expect(unknown?.message.hasPrefix("\"categoy\" is not an option of List.") == true)
    }

    @Test(
        "List of an inbox that was never loaded fails, with the state of the account",
        .inProcessAgent(environment: AgentEnvironment(now: { Timestamp(milliseconds: 10_000) }))
    )
    func neverLoaded() async throws {
        let agent = InProcessAgent.current
        let (service, since) = (try agent.service(), Timestamp(milliseconds: 9_000))
        let failure = ServiceFailure(.transient, "Cannot connect to example.com.")
        let states: [(Connection, ErrorName, String)] = [
            (
                Connection(state: .connecting, since: since), AgentErrors.offline,
                "the account is connecting. Try again in a moment."
            ),
            (
                Connection(
                    state: .offline,
                    since: since,
                    nextAttempt: Timestamp(milliseconds: 13_100),
                    failure: failure
                ),
                AgentErrors.offline,
                "the account is offline, next attempt in 4 s. Cannot connect to example.com."
            ),
            (
                Connection(state: .unauthorized, since: since, failure: ServiceFailure(.unauthorized, "No.")),
                AgentErrors.unauthorized, "the account is unauthorized. No."
            ),
        ]
        for (connection, name, words) in states {
            service.send(.connection(connection))
            try await agent.account.wait(AgentAccount.state, is: connection.state.rawValue)
            for options in [[:], ["limit": .uint32(5)]] as [[String: Value]] {
                let error = await #expect(throws: DBusError.self) {
                    try await agent.account.call(AgentInbox.list, options)
                }
                #expect(error == DBusError(name, "The inbox of \"work\" is not loaded yet: \(words)"))
            }
        }
        await service.setInbox(FakeInbox())
        try await agent.account.wait(AgentAccount.lastEvent) { $0 != 0 }
        #expect(try await agent.account.call(AgentInbox.list, [:]).isEmpty, "it is empty")
        service.send(.connection(Connection(state: .offline, since: since)))
        try await agent.account.wait(AgentAccount.state, is: "offline")
        #expect(try await agent.account.call(AgentInbox.list, [:]).isEmpty, "it was loaded")
    }

    @Test("The list of an account that is just online waits until the inbox is loaded", .inProcessAgent())
    func loading() async throws {
        let agent = InProcessAgent.current
        try agent.service().send(.connection(Connection(state: .online, since: Timestamp(milliseconds: 1))))
        try await agent.account.wait(AgentAccount.state, is: "online")
        async let list = agent.account.call(AgentInbox.list, [:])
        // The agent has the call of the list before this one.
        _ = try await agent.root.get(AgentRoot.version)
        try await agent.service().setInbox(FakeInbox(notifications: [.sample("a")]))
        #expect(try await list.map { $0["id"] } == [.string("a")])
    }

    @Test("Get loads a notification that is not in the list", .inProcessAgent()) func getUnloaded() async throws {
        let agent = InProcessAgent.current
        try await agent.service().store(.sample("old"))
        #expect(try await agent.account.call(AgentInbox.get, "old")["id"] == .string("old"))
        let error = await #expect(throws: DBusError.self) { try await agent.account.call(AgentInbox.get, "none") }
        #expect(error?.name == AgentErrors.notFound)
        #expect(error?.message == "There is no notification \"none\".")
    }

    @Test("A kept notification that the service discarded does not exist, also when it is asked for by its id")
    func discarded() async throws {
        try await TemporaryFile.with("") { file in
            let store = StateStore(path: file.directory + "/state.sqlite3") { _ in }
            try await InProcessAgent.with(store: store) { agent in
                let service = try agent.service()
                await service.setInbox(FakeInbox(hasMore: true))
                service.send(.updated(.sample("old")))
                let byID: [String: Value] = ["ids": ["old"].dbusValue]
                // Without a connection, it is what is known, as soon as it is.
                try await waiting(for: "what is kept") {
                    try? await agent.account.call(AgentInbox.list, byID)
                } until: {
                    $0?.isEmpty == false
                }
                service.send(.connection(Connection(state: .online, since: 1)))
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(try await agent.account.call(AgentInbox.list, byID).isEmpty)
                let error = await #expect(throws: DBusError.self) {
                    try await agent.account.call(AgentInbox.get, "old")
                }
                #expect(error?.name == AgentErrors.notFound)
                service.send(.connection(Connection(state: .offline, since: 2)))
                try await agent.account.wait(AgentAccount.state, is: "offline")
                #expect(try await agent.account.call(AgentInbox.list, byID).isEmpty, "it is forgotten")
            }
        }
    }

    @Test("Open marks the notification as interacted", .inProcessAgent()) func openMarksAsInteracted() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        await service.arrive(.sample("n1", url: ""))
        try await agent.account.wait(AgentInbox.totalCount, is: 1)
        let error = await #expect(throws: DBusError.self) {
            try await agent.account.call(AgentInbox.open, "n1", ["activation-token": .string("t")])
        }
        #expect(error == DBusError(AgentErrors.notOpened, "The notification has no link."))
        var applied = service.applied.makeAsyncIterator()
        #expect(await applied.next() == .interacted("n1"))
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
    }

    @Test("An action that fails transiently stays pending and is retried") func transientFailure() async throws {
        let clock = ManualClock()
        try await InProcessAgent.with(environment: .init(clock: clock, jitter: { 1 })) { agent in
            let service = try agent.service()
            await service.store(.sample("n1", url: ""))
            await service.fail(ServiceFailure(.transient, "down"))
            try await agent.account.call(AgentInbox.markInteracted, ["n1"])
            var applied = service.applied.makeAsyncIterator()
            #expect(await applied.next() == .interacted("n1"))
            await clock.sleeper(for: .seconds(1))
            #expect(try await agent.account.get(AgentAccount.pendingActions) == 1)
            clock.advance(by: .seconds(1))
            #expect(await applied.next() == .interacted("n1"))
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        }
    }
}
