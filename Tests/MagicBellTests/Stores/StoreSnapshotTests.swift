import Basics
import Foundation
import TestSupport
import Testing

@testable import MagicBell

/// A store that begins with what the last run of the program has kept.
@Suite(.timeLimit(.minutes(5))) struct StoreSnapshotTests {
    private let storage = MemoryStorage()

    private static func rows(_ count: Int, from first: Int = 0) -> [InboxNotification] {
        (first..<first + count).map { number in
            InboxNotification(
                id: "n\(number)",
                title: "Nr \(number)",
                sent: Timestamp(milliseconds: 1_000_000 - Int64(number) * 1000)
            )
        }
    }

    /// The store of another run of the program.
    private func store(
        _ world: ClientWorld,
        _ predicate: StorePredicate = StorePredicate(),
        email: String = "anna@example.com",
        in storage: (any MagicBellStorage)? = nil
    ) async throws -> NotificationStore {
        try await world.client.connectUser(email: email).store.build(
            predicate: predicate,
            keptIn: storage ?? self.storage
        )
    }

    @Test("The list and the counts are there before anything is requested") func firstFrame() async throws {
        let first = try await store(ClientWorld(Self.rows(3)))
        #expect(first.contents == StoreContents())
        try await first.fetch()
        try await first.markAsRead(first[1])
        let world = try ClientWorld(Self.rows(3))
        let second = try await store(world)
        #expect(second.map(\.id) == ["n0", "n1", "n2"] && second.map(\.isRead) == [false, true, false])
        #expect(second.totalCount == 3 && second.unreadCount == 2 && second.hasNextPage)
        #expect(world.api.calls == [])
    }

    @Test("The first page replaces what was kept, and listeners get the difference") func replaced() async throws {
        try await store(ClientWorld(Self.rows(2))).fetch()
        let second = try await store(ClientWorld(Self.rows(2, from: 1)))
        #expect(second.map(\.id) == ["n0", "n1"])
        var updates = second.updates().makeAsyncIterator()
        #expect(await updates.next()?.map(\.id) == ["n0", "n1"])
        try await second.fetch()
        #expect(second.map(\.id) == ["n1", "n2"])
        #expect(await updates.next()?.map(\.id) == ["n1", "n2"])
        #expect(try await store(ClientWorld([])).map(\.id) == ["n1", "n2"])
    }

    @Test("Only the newest hundred are kept") func limit() async throws {
        let first = try await store(ClientWorld(Self.rows(130), pageSize: 100))
        try await first.fetch()
        try await first.fetch()
        #expect(first.count == 130)
        let second = try await store(ClientWorld([]))
        #expect(second.count == 100 && second.totalCount == 130)
    }

    @Test("Predicates and users have lists of their own in the same storage, which can be removed") func owners()
        async throws
    {
        let unread = StorePredicate(read: false)
        let world = try ClientWorld(Self.rows(2))
        let first = try await store(world)
        try await first.fetch()
        #expect(try await store(ClientWorld([]), unread).isEmpty)
        #expect(try await store(ClientWorld([]), email: "bert@example.com").isEmpty)
        #expect(try await store(ClientWorld([])).count == 2)
        await first.discardKept()
        try await first.refresh()
        #expect(try await store(ClientWorld([])).isEmpty)
    }

    @Test("What cannot be read is left out, and a storage that fails does not disturb the store") func unreadable()
        async throws
    {
        for text in [nil, "", "{\"owner\":1}"] {
            let store = try await store(ClientWorld(Self.rows(1)), in: BrokenStorage(text: text))
            #expect(store.isEmpty)
            try await store.fetch()
            #expect(store.count == 1)
        }
    }

    @Test("A file keeps it, readable by this user only") func file() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "magicbell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await store(ClientWorld(Self.rows(1)), in: FileStorage(directory: directory)).fetch()
        #expect(try await store(ClientWorld([]), in: FileStorage(directory: directory)).first?.title == "Nr 0")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.count == 1 && names[0].hasPrefix("magicbell-store_"))
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.appending(path: names[0]).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("While the user's feed runs, changes are saved at the latest when it ends") func running() async throws {
        let world = try ClientWorld(Self.rows(2))
        let store = try await store(world)
        try await store.fetch()
        await world.running {
            await world.realtime.send(.connected(isContinuous: true))
            _ = try? await store.markAsRead(store[0])
        }
        #expect(try await self.store(ClientWorld([])).map(\.isRead) == [true, false])
    }
}

extension BrokenStorage: MagicBellStorage {}
