import TestSupport
import Testing

@testable import MagicBell

@Suite("A store loads its notifications page by page", .timeLimit(.minutes(5)))
struct NotificationStoreTests {
    private static func rows(_ count: Int) -> [InboxNotification] {
        (0..<count).map { notification("n\($0)", minute: Int64(-$0), read: $0 % 3 == 0) }
    }

    private static func store(_ world: ClientWorld, _ predicate: StorePredicate = .init()) throws -> NotificationStore {
        try world.client.connectUser(email: "anna@example.com").store.build(predicate: predicate)
    }

    @Test("A new store is empty, has a next page, and has sent nothing") func beginning() throws {
        let world = try ClientWorld(Self.rows(3))
        let store = try Self.store(world)
        #expect(store.contents == StoreContents())
        #expect(store.count == 0 && store.hasNextPage && store.first == nil && store.isEmpty)
        #expect(counts(store.contents) == [0, 0, 0])
        #expect(world.api.calls == [])
    }

    @Test("Fetching returns and appends one page after the other, and then nothing, without a request")
    func fetch() async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 2)
        let store = try Self.store(world)
        #expect(try await store.fetch().map(\.id) == ["n0", "n1"])
        #expect(store.map(\.id) == ["n0", "n1"])
        #expect(store.hasNextPage)
        #expect(counts(store.contents) == [5, 3, 3])
        #expect(try await store.fetch().map(\.id) == ["n2", "n3"])
        #expect(try await store.fetch().map(\.id) == ["n4"])
        #expect(!store.hasNextPage)
        #expect(try await store.fetch() == [])
        #expect(store.notifications.map(\.id) == ["n0", "n1", "n2", "n3", "n4"])
        #expect(store[4].id == "n4" && store.indices == 0..<5)
        #expect(world.api.pages == 3)
    }

    @Test("A call can have a page size of its own, and misses nothing after it") func pageSizes() async throws {
        let world = try ClientWorld(Self.rows(12), pageSize: 4)
        let store = try Self.store(world)
        #expect(try await store.fetch(pageSize: 2).map(\.id) == ["n0", "n1"])
        #expect(try await store.fetch(pageSize: 5).map(\.id) == ["n2", "n3", "n4"])
        #expect(try await store.fetch().map(\.id) == ["n5", "n6", "n7"])
        #expect(try await store.fetch(pageSize: 100).map(\.id) == ["n8", "n9", "n10", "n11"])
        #expect(!store.hasNextPage)
        #expect(try await store.refresh(pageSize: 3).count == 3)
        #expect(store.map(\.id) == ["n0", "n1", "n2"])
        for size in [0, 101] {
            await #expect(throws: MagicBellError.self) { try await store.fetch(pageSize: size) }
            await #expect(throws: MagicBellError.self) { try await store.refresh(pageSize: size) }
        }
    }

    @Test("A store is a collection with random access") func collection() async throws {
        let world = try ClientWorld(Self.rows(5))
        let store = try Self.store(world)
        try await store.fetch()
        #expect(store.first?.id == "n0" && store.last?.id == "n4" && !store.isEmpty)
        #expect(store.indices.map { store[$0].id } == ["n0", "n1", "n2", "n3", "n4"])
        #expect(store.dropFirst(3).map(\.id) == ["n3", "n4"] && store[1...2].map(\.id) == ["n1", "n2"])
        #expect(store.reversed().map(\.id).first == "n4")
        #expect(store.firstIndex { $0.id == "n2" } == 2 && store.randomElement() != nil)
    }

    @Test("An index stays usable when the list becomes shorter, until its bounds are read again") func shrinking()
        async throws
    {
        let world = try ClientWorld(Self.rows(3))
        let store = try Self.store(world)
        try await store.fetch()
        let indices = store.indices
        try await store.delete(store[0])
        #expect(indices.map { store[$0].id } == ["n1", "n2", "n2"])
        #expect(store.indices == 0..<2)
        await #expect(processExitsWith: .failure) {
            _ = try NotificationStoreTests.store(ClientWorld([]))[0]
        }
    }

    @Test("Refreshing replaces what is loaded by the first page") func refresh() async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 2)
        let store = try Self.store(world)
        try await store.fetch()
        try await store.fetch()
        world.api.change { _ = $0.delete("n0") }
        #expect(try await store.refresh().map(\.id) == ["n1", "n2"])
        #expect(store.map(\.id) == ["n1", "n2"])
        #expect(store.totalCount == 4)
        #expect(store.hasNextPage)
    }

    @Test("A failed call throws, and changes nothing", arguments: [true, false])
    func failures(isRefresh: Bool) async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 2)
        let store = try Self.store(world)
        try await store.fetch()
        let contents = store.contents
        world.api.fail(.broken)
        let error = await #expect(throws: MagicBellError.self) {
            _ = isRefresh ? try await store.refresh() : try await store.fetch()
        }
        #expect(error == .broken)
        #expect(store.contents == contents)
        #expect(try await store.fetch().count == 2)
    }

    @Test("Two fetches at the same time share a request and its result") func sharedFetch() async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 2)
        let store = try Self.store(world)
        world.api.hold()
        async let first = store.fetch()
        async let second = store.fetch()
        await world.api.waitForCalls(1)
        world.api.release()
        #expect(try await first.map(\.id) == ["n0", "n1"])
        #expect(try await second.map(\.id) == ["n0", "n1"])
        #expect(world.api.pages <= 2)
        #expect(store.count == 2 * world.api.pages || world.api.pages == 1)
    }

    @Test("A cancelled fetch does not take the other one's result with it") func cancelledOwner() async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 2)
        let store = try Self.store(world)
        world.api.hold()
        let owner = Task { try await store.fetch() }
        await world.api.waitForCalls(1)
        let other = Task { try await store.fetch() }
        owner.cancel()
        await #expect(throws: MagicBellError.cancelled) { try await owner.value }
        world.api.release()
        #expect(try await other.value.map(\.id) == ["n0", "n1"])
    }

    @Test("A refresh during a fetch waits for it, and nothing is repeated") func refreshDuringFetch() async throws {
        let world = try ClientWorld(Self.rows(5), pageSize: 2)
        let store = try Self.store(world)
        try await store.fetch()
        world.api.hold()
        async let page = store.fetch()
        await world.api.waitForCalls(2)
        async let refreshed = store.refresh()
        world.api.release()
        #expect(try await page.map(\.id) == ["n2", "n3"])
        #expect(try await refreshed.map(\.id) == ["n0", "n1"])
        #expect(store.map(\.id) == ["n0", "n1"])
    }

    @Test("Equal predicates are the same store, whatever their lists' order") func identity() throws {
        let user = try ClientWorld().client.connectUser(email: "anna@example.com")
        let store = try user.store.build(categories: ["b", "a"], topics: ["t"])
        #expect(try user.store.build(categories: ["a", "b", "a"], topics: ["t"]) === store)
        #expect(try user.store.build(predicate: StorePredicate(categories: ["a", "b"], topics: ["t"])) === store)
        #expect(try user.store.build(categories: ["a"]) !== store)
        #expect(try user.store.build().predicate == StorePredicate())
    }

    @Test("What is loaded survives the release of a store's last reference") func released() async throws {
        let world = try ClientWorld(Self.rows(3))
        let user = try world.client.connectUser(email: "anna@example.com")
        try await user.store.build().fetch()
        #expect(try user.store.build().count == 3)
    }

    @Test("A disposed store is empty, its calls throw, and its predicate gives another store")
    func dispose() async throws {
        let world = try ClientWorld(Self.rows(3))
        let user = try world.client.connectUser(email: "anna@example.com")
        let store = try user.store.build()
        let other = try user.store.build(read: false)
        try await store.fetch()
        let row = store[0]
        user.store.dispose(predicate: StorePredicate())
        #expect(store.contents == StoreContents())
        for call in [
            { _ = try await store.fetch() }, { _ = try await store.refresh() }, { _ = try await store.markAsRead(row) },
            { try await store.delete(row) }, { try await store.markAllRead() },
        ] as [() async throws -> Void] {
            await #expect(throws: MagicBellError.disposed) { try await call() }
        }
        #expect(try user.store.build() !== store)
        #expect(try await other.fetch().count == 2)
        other.dispose()
        await #expect(throws: MagicBellError.disposed) { try await other.fetch() }
    }

    @Test("Disposing a store during its request ends the call") func disposeDuringRequest() async throws {
        let world = try ClientWorld(Self.rows(3))
        let store = try Self.store(world)
        world.api.hold()
        let page = Task { try await store.fetch() }
        await world.api.waitForCalls(1)
        store.dispose()
        world.api.release()
        await #expect(throws: MagicBellError.disposed) { try await page.value }
        #expect(store.count == 0)
    }
}
