import TestSupport
import Testing

@testable import MagicBell

@Suite("An action changes every store of the user", .timeLimit(.minutes(5)))
struct StoreActionTests {
    private struct Stores {
        let all: NotificationStore
        let unread: NotificationStore
        let read: NotificationStore
        let archive: NotificationStore
        var each: [NotificationStore] { [all, unread, read, archive] }

        init(_ world: ClientWorld) async throws {
            let stores = try world.client.connectUser(email: "anna@example.com").store
            all = try stores.build()
            unread = try stores.build(read: false)
            read = try stores.build(read: true)
            archive = try stores.build(archived: true)
            for store in each { try await store.fetch() }
        }

        /// Compares every store with the service.
        func expectTruth(_ api: FakeInboxAPI) {
            for store in each {
                let (rows, expected) = api.change { ($0.list(store.predicate), $0.counts(store.predicate)) }
                #expect(store.map(\.id) == rows.map(\.id), "\(store.predicate)")
                #expect(store.map(\.isRead) == rows.map(\.isRead))
                #expect(counts(store.contents) == [expected.total!, expected.unread!, expected.unseen!])
            }
        }
    }

    private static let rows = [
        notification("new", minute: 4), notification("seen", minute: 3, seen: true),
        notification("read", minute: 2, read: true), notification("archived", minute: 1, archived: true),
        notification("archived and read", minute: 0, read: true, archived: true),
    ]

    @Test(
        "Reading, unreading, archiving, unarchiving and seeing a notification",
        arguments: ["new", "seen", "read", "archived", "archived and read"],
        StateChange.allCases
    )
    func change(id: String, change: StateChange) async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        let row = try #require(Self.rows.first { $0.id == id })
        let calls = world.api.calls.count
        // Called on a store that may not contain it.
        let result =
            switch change {
            case .read: try await stores.read.markAsRead(row)
            case .unread: try await stores.read.markAsUnread(row)
            case .seen: try await stores.read.markAsSeen(row)
            case .archived: try await stores.read.archive(row)
            case .unarchived: try await stores.read.unarchive(row)
            }
        #expect(Array(world.api.calls.dropFirst(calls)) == [.change(id, change)])
        let truth = try #require(world.api.change { $0.rows[id] })
        #expect((result.isRead, result.isSeen, result.isArchived) == (truth.isRead, truth.isSeen, truth.isArchived))
        stores.expectTruth(world.api)
    }

    @Test("Deleting a notification", arguments: ["new", "seen", "read", "archived"]) func delete(id: String)
        async throws
    {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        try await stores.archive.delete(try #require(Self.rows.first { $0.id == id }))
        #expect(world.api.calls.last == .delete(id))
        stores.expectTruth(world.api)
    }

    @Test("A notification that the service does not know is removed, also when the action fails for that")
    func missing() async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        world.api.change { _ = $0.delete("new") }
        try await stores.all.delete(Self.rows[0])
        stores.expectTruth(world.api)
        world.api.change { _ = $0.delete("seen") }
        await #expect(throws: MagicBellError.missing) { try await stores.all.markAsRead(Self.rows[1]) }
        stores.expectTruth(world.api)
    }

    @Test("A failed action throws, and changes nothing") func failure() async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        let before = stores.each.map(\.contents)
        let row = Self.rows[0]
        for call in [
            { _ = try await stores.all.markAsRead(row) }, { _ = try await stores.all.archive(row) },
            { try await stores.all.delete(row) }, { try await stores.all.markAllRead() },
            { try await stores.all.markAllSeen() },
        ] as [() async throws -> Void] {
            world.api.fail(.refused)
            await #expect(throws: MagicBellError.refused) { try await call() }
        }
        #expect(stores.each.map(\.contents) == before)
    }

    @Test("The result of an action is the service's, also for a notification that no store has loaded")
    func notLoaded() async throws {
        let world = try ClientWorld(Self.rows)
        let store = try world.client.connectUser(email: "anna@example.com").store.build()
        let result = try await store.markAsRead(notification("new", minute: 4))
        #expect(result.isRead && result.isSeen)
        #expect(world.api.change { $0.rows["new"]?.isRead } == true)
        #expect(store.contents == StoreContents())
    }

    @Test("Marking all as read changes what the store's predicate selects, also what is not loaded")
    func markAllRead() async throws {
        for pageSize in [1, 50] {
            for predicate in [StorePredicate(), StorePredicate(read: false), StorePredicate(archived: true)] {
                let world = try ClientWorld(Self.rows, pageSize: pageSize)
                let user = try world.client.connectUser(email: "anna@example.com")
                let store = try user.store.build(predicate: predicate)
                try await store.fetch()
                try await store.markAllRead()
                #expect(world.api.calls.last == .changeAll(predicate, .read))
                let expected = world.api.change { $0.counts(predicate) }
                #expect(counts(store.contents) == [expected.total!, 0, 0])
                #expect(store.map(\.isRead) == store.map { _ in true })
                let others = world.api.change { $0.list(StorePredicate(archived: !predicate.archived)) }
                #expect(others.map(\.isRead).contains(false))
            }
        }
    }

    @Test("Marking all as seen empties a store of unseen notifications, and keeps the others unread")
    func markAllSeen() async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try world.client.connectUser(email: "anna@example.com").store
        let (all, unseen) = (try stores.build(), try stores.build(seen: false))
        for store in [all, unseen] { try await store.fetch() }
        try await all.markAllSeen()
        #expect(counts(all.contents) == [3, 2, 0])
        #expect(counts(unseen.contents) == [0, 0, 0])
        #expect(unseen.count == 0 && !unseen.hasNextPage)
    }

    @Test("All notifications can be archived at once") func archiveAll() async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        try await stores.all.archiveAll()
        #expect(stores.all.count == 0)
        #expect(counts(stores.all.contents) == [0, 0, 0])
    }

    @Test("Actions on one notification are sent in the order of the calls, others at the same time")
    func order() async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        let before = world.api.calls.count
        world.api.hold()
        let first = Task { try await stores.all.markAsRead(Self.rows[0]) }
        await world.api.waitForCalls(before + 1)
        let second = Task { try await stores.all.markAsUnread(Self.rows[0]) }
        let other = Task { try await stores.all.markAsRead(Self.rows[1]) }
        await world.api.waitForCalls(before + 2)
        #expect(world.api.calls.dropFirst(before) == [.change("new", .read), .change("seen", .read)])
        world.api.release()
        _ = try await (first.value, other.value, second.value)
        #expect(world.api.calls.last == .change("new", .unread))
        stores.expectTruth(world.api)
    }

    @Test("A cancelled action returns, and a later one is not held up") func cancelled() async throws {
        let world = try ClientWorld(Self.rows)
        let stores = try await Stores(world)
        let before = world.api.calls.count
        world.api.hold()
        let first = Task { try await stores.all.markAsRead(Self.rows[0]) }
        await world.api.waitForCalls(before + 1)
        let second = Task { try await stores.all.markAsUnread(Self.rows[0]) }
        first.cancel()
        await #expect(throws: MagicBellError.cancelled) { try await first.value }
        second.cancel()
        await #expect(throws: MagicBellError.cancelled) { try await second.value }
        world.api.release()
        try await stores.all.markAsRead(Self.rows[0])
        stores.expectTruth(world.api)
    }
}
