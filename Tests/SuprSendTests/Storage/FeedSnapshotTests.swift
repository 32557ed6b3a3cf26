import Basics
import Foundation
import TestSupport
import Testing

@testable import SuprSend

/// A feed that begins with what the last run of the program has kept.
@Suite(.timeLimit(.minutes(5))) struct FeedSnapshotTests {
    private let storage = MemoryStorage()
    private let inbox = FakeInbox()

    /// The feed of another run of the program.
    private func feed(
        _ inbox: FakeInbox? = nil,
        _ options: FeedOptions = FeedOptions(),
        tenantID: String? = nil,
        in storage: (any SuprSendStorage)? = nil
    ) async throws -> Feed {
        try await SuprSendClient.test(http: inbox ?? self.inbox, tenantID: tenantID).feeds
            .initialize(options, keptIn: storage ?? self.storage)
    }

    private func ids(_ feed: Feed) async -> [String] { await feed.data.notifications.map(\.id) }

    /// The rows that the next run begins with.
    private func keptIDs(tenantID: String? = nil, in storage: (any SuprSendStorage)? = nil) async throws -> [String] {
        await ids(try await feed(tenantID: tenantID, in: storage))
    }

    @Test("The list and the badge are there before anything is requested") func firstFrame() async throws {
        await inbox.publish(row("a"), row("b", age: 1), row("c", age: 2))
        let first = try await feed()
        #expect(await ids(first) == [])
        try await first.fetch()
        try await first.markAsRead("b")
        let offline = FakeInbox()
        let second = try await feed(offline)
        let data = await second.data
        #expect(data.notifications.map(\.id) == ["a", "b", "c"] && data.meta.badge == 3)
        #expect(data.notifications.map(\.isRead) == [false, true, false])
        #expect(data.pageInfo.total == 3 && data.status == .initial)
        #expect(await offline.requests.isEmpty)
    }

    @Test("The service's first page replaces what was kept") func replaced() async throws {
        await inbox.publish(row("a"), row("b", age: 1))
        try await feed().fetch()
        let other = FakeInbox()
        await other.publish(row("n", age: -1), row("a"))
        let second = try await feed(other)
        #expect(await ids(second) == ["a", "b"])
        try await second.fetch()
        #expect(await ids(second) == ["n", "a"])
        #expect(try await keptIDs() == ["n", "a"])
    }

    @Test("Only the newest hundred rows are kept, and the total is shown") func limit() async throws {
        for number in 0..<130 { await inbox.publish(row("r\(number)", age: Int64(number))) }
        let first = try await feed()
        while try await first.fetch(pageSize: 100) {}
        #expect(await ids(first).count == 130)
        let second = try await feed()
        #expect(await ids(second).count == 100)
        #expect(await second.data.pageInfo.total == 130)
        #expect(await second.data.pageInfo.hasMore)
        await #expect(throws: SuprSendError.self) { try await second.fetchNextPage() }
    }

    @Test("Another tenant has a list of its own in the same storage, and a sign-out removes it") func owners()
        async throws
    {
        await inbox.publish(row("a"))
        try await feed().fetch()
        #expect(try await keptIDs(tenantID: "acme") == [])
        try await feed(tenantID: "acme").fetch()
        #expect(try await keptIDs(tenantID: "acme") == ["a"])
        let client = try SuprSendClient.test(http: inbox)
        let last = try await client.feeds.initialize(keptIn: storage)
        #expect(await ids(last) == ["a"])
        await client.reset(unsubscribePush: false)
        #expect(try await keptIDs() == [])
        #expect(try await keptIDs(tenantID: "acme") == ["a"])
    }

    @Test("The rows of the first store stay kept while another one is active") func stores() async throws {
        let stores = [
            NotificationStore(id: "all"), NotificationStore(id: "read", query: .init(read: true)),
        ]
        var state = FeedState(stores: stores)
        let load = try #require(try state.beginFetch())
        _ = state.finish(load, .success(.init(rows: [row("a")], total: 1, hasMore: false)), now: base)
        let kept = state.kept(by: ["o"], after: nil)
        #expect(kept.store == "all" && kept.rows.map(\.id) == ["a"])
        _ = try state.changeStore("read")
        #expect(state.kept(by: ["o"], after: kept) == kept)
        var next = FeedState(stores: [stores[1]])
        next.restore(kept, now: base)
        #expect(next.data.notifications == [], "they are of another store")
    }

    @Test("What cannot be read is left out, and a storage that fails does not disturb the feed") func unreadable()
        async throws
    {
        await inbox.publish(row("a"))
        let broken = BrokenStorage()
        let feed = try await feed(in: broken)
        #expect(await ids(feed) == [])
        try await feed.fetch()
        #expect(await ids(feed) == ["a"])
        #expect(await broken.texts == ["read", "written"])
        let garbage = BrokenStorage(text: "{\"owner\":1}")
        #expect(try await keptIDs(in: garbage) == [])
    }

    @Test("What arrived between two runs is announced as caught up, once, and the rest is not") func catchUp()
        async throws
    {
        await inbox.publish(row("a"), row("b", age: 1))
        try await withFeed(inbox: inbox, keptIn: storage) { world in
            await world.online()
            await world.until { $0.meta.badge == 2 && $0.notifications.count == 2 }
        }
        await inbox.publish(row("n", age: -1))
        try await withFeed(inbox: inbox, keptIn: storage) { world in
            let announced = await world.catchUp()
            #expect(announced?.id == "n" && announced?.catchUp == true)
            await world.until { $0.notifications.map(\.id) == ["n", "a", "b"] }
        }
        #expect(try await keptIDs() == ["n", "a", "b"])
        try await withFeed(inbox: inbox, keptIn: storage) { world in
            await world.online()
            await inbox.publish(row("m", age: -2))
            try await world.socket.connection(1).push("new_notification", "m")
            #expect(await world.announcement()?.id == "m", "not one that is kept")
        }
    }

    @Test("A running feed saves a second after a change") func delay() async throws {
        await inbox.publish(row("a"))
        try await withFeed(inbox: inbox, keptIn: storage) { world in
            await world.shows(["a"])
            let before = try await keptIDs()
            #expect(before == [])
            await world.passing(.seconds(1)) {
                repeat { await Task.yield() } while (try? await keptIDs()) != ["a"]
            }
        }
    }
}

extension BrokenStorage: SuprSendStorage {}
