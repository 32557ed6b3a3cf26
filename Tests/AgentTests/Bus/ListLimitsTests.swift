import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// What limits a list.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ListLimitsTests {
    /// Now: the copy keeps what is not too old.
    private static let newest = AgentEnvironment().now().milliseconds

    /// A notification of about 4 kB, more than half of it data of the sender; the first is the newest.
    private static func long(_ number: Int) -> Notification {
        var notification = Notification.sample("n\(1_000 + number)")
        notification.created = Timestamp(milliseconds: newest - Int64(number))
        notification.sortTime = notification.created
        notification.isPinned = false
        notification.extra = "{\"number\":\(number),\"data\":\"\(String(repeating: "e", count: 2_200))\"}"
        return notification
    }

    /// A reply has forty of them.
    private static var environment: AgentEnvironment { AgentEnvironment(replySize: 160 << 10) }

    /// The newest two are loaded, the others only at the service.
    private static func fill(_ service: FakeService, count: Int) async {
        for number in 2..<count { await service.store(long(number)) }
        let newest = [long(0), long(1)]
        await service.setInbox(FakeInbox(notifications: newest, counts: Counts(total: count), hasMore: true))
    }

    private static func options(limit: UInt32? = nil, ids: [String]? = nil) -> ListOptions {
        var options = ListOptions()
        (options.limit, options.ids) = (limit, ids)
        return options
    }

    private static func all(of agent: InProcessAgent, _ options: ListOptions) async throws -> [NotificationRecord] {
        try await ListParts.all(options) { (options) async throws(DBusError) in
            try await agent.account.call(AgentInbox.list, options.values, timeout: nil)
        }
        .map(NotificationRecord.init)
    }

    /// The numbers of notifications of ``long(_:)`` that have all of their data.
    private static func numbers(of records: [NotificationRecord]) -> [Int] {
        records.compactMap { record in
            Int(record.id.dropFirst()).map { $0 - 1_000 }.flatMap { record.extra == long($0).extra ? $0 : nil }
        }
    }

    @Test("List and ListProblem take 1,000 ids", .inProcessAgent()) func ids() async throws {
        let agent = InProcessAgent.current
        try await agent.service().setInbox(FakeInbox(notifications: [.sample("n1")], counts: Counts(total: 1)))
        try await agent.account.wait(AgentInbox.totalCount, is: 1)
        let most = Self.options(ids: ["n1"] + (2...1_000).map { "x\($0)" })
        #expect(try await agent.account.call(AgentInbox.list, most.values).count == 1)
        #expect(try await agent.account.call(AgentInbox.listProblem, most.values) == "")
        for ids in [(0...1_000).map { "x\($0)" }, Array(repeating: "n", count: 20_000)] {
            let options = Self.options(ids: ids).values
            for call in [
                { _ = try await agent.account.call(AgentInbox.list, options) },
                { _ = try await agent.account.call(AgentInbox.listProblem, options) },
            ] {
                let error = await #expect(throws: DBusError.self) { try await call() }
                #expect(error?.name == .invalidArgs)
                #expect(error?.message.hasPrefix("\(ids.count) ids are too many for one call.") == true)
            }
        }
    }

    @Test("Of more notifications of one time than a page has, some are listed, and then older ones", .inProcessAgent())
    func oneTime() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        let tied = (0..<150).map { number in
            var notification = Self.long(number)
            notification.created = Timestamp(milliseconds: Self.newest)
            notification.sortTime = notification.created
            return notification
        }
        for notification in tied.dropFirst() { await service.store(notification) }
        await service.setInbox(FakeInbox(notifications: [tied[0]], counts: Counts(total: 151), hasMore: true))
        await service.store(Self.long(150))
        try await agent.account.wait(AgentInbox.totalCount, is: 151)
        let options = Self.options(limit: 1_000)
        let listed = try await agent.account.call(AgentInbox.list, options.values)
        #expect(listed.count == 101)
        #expect(try await agent.account.call(AgentInbox.listProblem, options.values).contains("at the same time"))
        #expect(await service.pageRequests.count < 6)
    }

    @Test("limit and offset are those of the sum of loaded and kept notifications", .inProcessAgent())
    func oneLimit() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        var old = [Notification.sample("n3"), .sample("n4")]
        for index in old.indices {
            (old[index].isPinned, old[index].sortTime) = (false, Timestamp(milliseconds: Self.newest))
        }
        let all = [Notification.sample("n1"), .sample("n2")] + old
        await service.setInbox(FakeInbox(notifications: all, counts: Counts(total: 4)))
        try await agent.account.wait(AgentInbox.totalCount, is: 4)
        _ = try await agent.account.call(AgentInbox.list, [:])
        for notification in old { service.send(.contents(InboxUpdate(unloaded: [notification.id], hasMore: true))) }
        while try await agent.account.call(AgentInbox.list, [:]).count > 2 {}
        var options = Self.options(ids: ["n"])
        options.takesLoaded = true
        #expect(try await Self.all(of: agent, options).map(\.id) == ["n2", "n1", "n4", "n3"])
        (options.offset, options.limit) = (1, 2)
        #expect(try await Self.all(of: agent, options).map(\.id) == ["n1", "n4"])
    }

    @Test("All that is kept is listed, whatever another list has loaded", .inProcessAgent())
    func keptBesideLoaded() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        await Self.fill(service, count: 30)
        try await agent.account.wait(AgentInbox.totalCount, is: 30)
        #expect(try await Self.all(of: agent, Self.options(limit: 30)).count == 30)
        var unread = ListOptions()
        (unread.unread, unread.takesKept) = (true, true)
        #expect(try await Self.all(of: agent, unread).count == 30)
    }

    @Test(
        "A large list comes in parts, with all of the sender's data",
        .inProcessAgent(environment: environment)
    )
    func parts() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        await Self.fill(service, count: 250)
        try await agent.account.wait(AgentInbox.totalCount, is: 250)
        let first = try await agent.account.call(AgentInbox.list, Self.options(limit: 250).values)
        #expect((30...60).contains(first.count))
        #expect(first.last?[ListParts.more] == .bool(true))
        #expect(first.dropLast().allSatisfy { $0[ListParts.more] == nil })
        #expect(await service.pageRequests.count == 1, "a full reply does not wait for further pages")
        let all = try await Self.all(of: agent, Self.options(limit: 250))
        #expect(Self.numbers(of: all) == Array(0..<250))
        #expect(all.allSatisfy { $0.values[ListParts.more] == nil })
        #expect(try await Self.all(of: agent, Self.options(limit: 140)).count == 140)
        // It is kept.
        let known = await service.detailRequests
        #expect(NotificationRecord(try await agent.account.call(AgentInbox.get, "n1100")).extra == Self.long(100).extra)
        #expect(await service.detailRequests == known)
    }

    private static func short(_ number: Int) -> Notification {
        var notification = long(number)
        notification.extra = ""
        return notification
    }

    /// The newest one is loaded, the others are at the service.
    private static func fill(_ agent: InProcessAgent, countOfShort count: Int) async throws {
        let service = try agent.service()
        for number in 1..<count { await service.store(short(number)) }
        await service.setInbox(FakeInbox(notifications: [short(0)], counts: Counts(total: count), hasMore: true))
        try await agent.account.wait(AgentInbox.totalCount, is: UInt32(count))
    }

    @Test("A long list comes whole, also by time and with an offset, each page once", .inProcessAgent())
    func long() async throws {
        let agent = InProcessAgent.current
        let count = InboxLimits().count + 300
        try await Self.fill(agent, countOfShort: count)
        #expect(try await Self.all(of: agent, Self.options(limit: 12_000)).count == count)
        let requests = try await agent.service().pageRequests.count
        #expect((count / 100...count / 100 + 2).contains(requests))
        var options = Self.options(limit: 20)
        options.before = Self.short(count - 100).created.milliseconds
        func ids(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { Self.short($0).id.rawValue } }
        #expect(try await Self.all(of: agent, options).map(\.id) == ids(count - 99...count - 80))
        (options.before, options.offset) = (nil, UInt32(count - 5))
        #expect(try await Self.all(of: agent, options).map(\.id) == ids(count - 5...count - 1))
        // As the window lists those that it has marked as seen.
        let last = ids(count - 100...count - 1)
        var marked = Self.options(ids: last)
        (marked.archived, marked.snoozed) = (false, false)
        #expect(try await Self.all(of: agent, marked).map(\.id) == last)
        #expect(try await agent.service().pageRequests.count == requests)
        #expect(try await agent.account.call(AgentInbox.fetchMore, "") == 0)
        try await agent.account.call(AgentInbox.refresh)
        #expect(try await agent.account.call(AgentInbox.fetchMore, "") > 0)
    }

    @Test("Single notifications are listed without the pages before them", .inProcessAgent()) func single() async throws
    {
        let agent = InProcessAgent.current
        let service = try agent.service()
        await Self.fill(service, count: 250)
        try await agent.account.wait(AgentInbox.totalCount, is: 250)
        var options = Self.options(ids: [0, 1, 200].map { Self.long($0).id.rawValue })
        (options.archived, options.snoozed) = (false, false)
        #expect(try await Self.all(of: agent, options).map(\.id) == options.ids)
        #expect(await service.pageRequests.isEmpty)
    }

    @Test("With keep = 0, all is listed, too", .sessionBus) func withoutFile() async throws {
        try await InProcessAgent.with(popups: "[inbox]\nkeep = 0\n", environment: Self.environment) { agent in
            await Self.fill(try agent.service(), count: 300)
            try await agent.account.wait(AgentInbox.totalCount, is: 300)
            let all = try await Self.all(of: agent, Self.options(limit: 300))
            #expect(Self.numbers(of: all) == Array(0..<300))
        }
    }

    @Test("Signals about a new notification have its long data", .inProcessAgent()) func signals() async throws {
        let agent = InProcessAgent.current
        var signals = try await agent.account.signals(of: AgentInbox.self).makeAsyncIterator()
        try await agent.service().arrive(Self.long(7))
        let added = try #require(await signals.next())
        #expect(
            try AgentInbox.notificationAdded.decode(added).map { NotificationRecord($1).extra } == Self.long(7).extra
        )
        let arrived = try #require(await signals.next())
        let item = try #require(try AgentInbox.notificationArrived.decode(arrived)?.1)
        #expect(NotificationRecord(item).extra == Self.long(7).extra)
        try await agent.account.call(AgentInbox.markRead, ["n1007"])
        let changed = try #require(await signals.next())
        let read = try #require(try AgentInbox.notificationChanged.decode(changed)?.1)
        #expect(NotificationRecord(read).extra == Self.long(7).extra)
    }
}
