import TestSupport
import Testing

@testable import MagicBell

@Suite("A store reports its changes", .timeLimit(.minutes(5)))
struct StoreObservationTests {
    private static func rows(_ count: Int) -> [InboxNotification] {
        (0..<count).map { notification("n\($0)", minute: Int64(-$0)) }
    }

    private static func store(_ world: ClientWorld) throws -> NotificationStore {
        try world.client.connectUser(email: "anna@example.com").store.build()
    }

    @Test("Pages are insertions, a refresh is a reload, and an action is what it does to the list")
    func changes() async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 3)
        let store = try Self.store(world)
        let changes = store.changes()
        try await store.fetch()
        try await store.fetch()
        try await store.markAsRead(store[1])
        try await store.archive(store[0])
        try await store.refresh()
        var expected: [StoreChange.Kind] = [
            .inserted(at: [0, 1, 2]), .inserted(at: [3, 4]), .hasNextPage(false), .changed(at: [1]),
            .deleted(at: [0]), .reload, .hasNextPage(true),
        ]
        for await change in changes {
            #expect(change.kind == expected.removeFirst())
            if expected.isEmpty { break }
        }
    }

    @Test("Each count is reported when it differs, also when it becomes zero") func countChanges() async throws {
        let world = try ClientWorld(Self.rows(2))
        let store = try Self.store(world)
        let reports = store.counts()
        try await store.fetch()
        #expect(await reports.next() == .total(2))
        #expect(await reports.next() == .unread(2))
        #expect(await reports.next() == .unseen(2))
        world.api.change { inbox in
            for id in ["n0", "n1"] { _ = inbox.change(id, .read) }
        }
        try await store.refresh()
        #expect(await reports.next() == .unread(0))
        #expect(await reports.next() == .unseen(0))
        try await store.delete(store[0])
        #expect(await reports.next() == .total(1))
    }

    @Test("Updates begin with the present contents, and a slow listener gets the latest") func updates() async throws {
        let world = try ClientWorld(Self.rows(3))
        let store = try Self.store(world)
        try await store.fetch()
        let reports = store.updates()
        #expect(await reports.next() == store.contents)
        for row in store { try await store.markAsRead(row) }
        let latest = await reports.next()
        #expect(latest == store.contents)
        #expect(latest?.unreadCount == 0)
    }

    @Test("A listener that is far behind gets a reload, and its indexes stay right") func slowListener() async throws {
        let world = try ClientWorld(Self.rows(50))
        let store = try Self.store(world)
        try await store.fetch()
        var list = store.notifications
        let changes = store.changes()
        for row in store.notifications {
            try await store.markAsRead(row)
            if row.id.hasSuffix("3") { try await store.archive(row) }
            if row.id.hasSuffix("7") { try await store.markAsUnread(row) }
            if row.id.hasSuffix("9") { try await store.delete(row) }
        }
        store.dispose()
        // Disposed, the store has ended its sequences.
        for await _ in changes { Issue.record("a change after the end") }
        var queue = ChangeQueue()
        var contents = StoreContents(notifications: list)
        for number in 0..<200 {
            let old = contents
            if number % 3 == 0 {
                contents.notifications.remove(at: number % contents.count)
            } else {
                contents.notifications.insert(notification("x\(number)", minute: Int64(number)), at: 0)
            }
            queue.add(StoreChange.changes(from: old, to: contents, isReplaced: false))
            // It reads now and then.
            guard number % 90 == 0 || number == 199 else { continue }
            while let change = queue.next() {
                switch change.kind {
                case .reload: list = change.contents.notifications
                case .inserted(let indexes): for index in indexes { list.insert(change.contents[index], at: index) }
                case .deleted(let indexes): for index in indexes.reversed() { list.remove(at: index) }
                case .changed(let indexes): for index in indexes { list[index] = change.contents[index] }
                case .hasNextPage: break
                }
                #expect(list == change.contents.notifications)
            }
        }
        #expect(list == contents.notifications)
    }

    @Test(
        "Every sequence ends when the store is disposed, and when the user is disconnected",
        arguments: [true, false]
    )
    func ends(isDisposed: Bool) async throws {
        let world = try ClientWorld(Self.rows(3))
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        let (changes, counts, updates) = (store.changes(), store.counts(), store.updates())
        let states = user.connectionStates()
        async let ended: Void = {
            for await _ in changes {}
            for await _ in counts {}
            for await _ in updates {}
        }()
        if isDisposed {
            store.dispose()
        } else {
            try await world.client.disconnectUser(email: "anna@example.com")
            for await _ in states {}
        }
        await ended
        for await _ in store.changes() { Issue.record("a change of a store that has ended") }
        for await _ in store.updates() { Issue.record("an update of a store that has ended") }
    }

    @Test("A sequence ends when its task is cancelled") func cancelled() async throws {
        let world = try ClientWorld(Self.rows(3))
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        let tasks = [
            Task { for await _ in store.changes() {} }, Task { for await _ in store.counts() {} },
            Task { for await _ in store.updates() {} }, Task { for await _ in user.connectionStates() {} },
        ]
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    @Test("Every listener gets every change") func severalListeners() async throws {
        let world = try ClientWorld(Self.rows(3))
        let store = try Self.store(world)
        let all = [store.changes(), store.changes(), store.changes()]
        try await store.fetch()
        for changes in all {
            #expect(await changes.next()?.kind == .inserted(at: [0, 1, 2]))
        }
    }
}
