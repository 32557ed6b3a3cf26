import ClientKit
import Testing

@testable import SuprSend

/// A removed feed: its calls, its listeners and its waiting callers.
@Suite(.timeLimit(.minutes(5))) struct FeedRemovalTests {
    private func expectRefused(_ feed: Feed) async {
        let calls: [@Sendable () async throws -> Void] = [
            { try await feed.fetch() }, { try await feed.fetchNextPage() }, { try await feed.refresh() },
            { try await feed.fetchCount() }, { try await feed.fetchDetails("a") },
            { try await feed.changeActiveStore("$suprsend_default_store") },
            { try await feed.markAsSeen("a") }, { try await feed.markAsRead("a") },
            { try await feed.markAsUnread("a") },
            { try await feed.markAsInteracted("a") }, { try await feed.markAsArchived("a") },
            { try await feed.markBulkAsSeen(["a"]) }, { try await feed.markAllAsRead() },
            { try await feed.resetBadgeCount() },
        ]
        for call in calls {
            let error = await #expect(throws: SuprSendError.self) { try await call() }
            #expect(error?.kind == .invalidState)
        }
        #expect(await feed.data.notifications.isEmpty)
        #expect(await feed.data.status == .initial)
        #expect(await feed.connectionState == .offline(nil, nextAttempt: nil))
    }

    @Test("A removed feed ends its streams and run(), and sends no more requests") func removal() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"))
        let client = try SuprSendClient.test(http: inbox)
        let feed = try client.feeds.initialize()
        let events = await feed.events()
        await withTaskGroup { group in
            group.addTask { await feed.run() }
            for await event in events {
                if case .storeUpdate(let data) = event, data.notifications.count == 1 { break }
            }
            await client.feeds.removeInstance(feed)
            // `run()` has returned: nothing is cancelled, and the group ends.
            await group.waitForAll()
        }
        // A listener gets an empty list, and then the end of the stream.
        var last: FeedData?
        for await event in events {
            if case .storeUpdate(let data) = event { last = data }
        }
        #expect(last?.notifications == [])
        for await event in await feed.events() { Issue.record("\(event) after the end") }
        let requests = await inbox.requests.count
        await expectRefused(feed)
        // A second run and a second removal do nothing.
        await feed.run()
        await client.feeds.removeInstance(feed)
        #expect(await inbox.requests.count == requests)
    }

    @Test("Pending calls end with the feed") func pendingCalls() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"))
        let client = try SuprSendClient.test(http: inbox)
        let feed = try client.feeds.initialize()
        try await feed.refresh()
        await inbox.hold("/v1/feed/")
        async let read: Void = feed.markAsRead("a")
        await inbox.wait(for: "/a/read")
        // Queued behind it; a user action is still performed.
        async let archived: Void = feed.markAsArchived("a")
        while await feed.order.count < 2, !Task.isCancelled { await Task.yield() }
        async let details = feed.fetchDetails("a")
        async let refreshed: Void = feed.refresh()
        await inbox.wait(for: "/notifications?", 2)
        await client.feeds.removeInstance(feed)
        await inbox.release()
        _ = try await (read, archived, refreshed)
        #expect(try await details.id == "a")
        #expect(await inbox.rows["a"]?.isArchived == true)
        await expectRefused(feed)
    }

    @Test("The client is usable after removing all feeds") func removeAll() async throws {
        let client = try SuprSendClient.test()
        let feeds = try [client.feeds.initialize(), client.feeds.initialize()]
        var streams: [AsyncStream<FeedEvent>] = []
        for feed in feeds { streams.append(await feed.events()) }
        await withTaskGroup { group in
            for feed in feeds { group.addTask { await feed.run() } }
            for events in streams {
                for await event in events {
                    if case .connection(.online) = event { break }
                }
            }
            await client.feeds.removeAll()
            await group.waitForAll()
        }
        for feed in feeds { await expectRefused(feed) }
        try await client.feeds.initialize().refresh()
    }

    @Test("Several tasks can remove a feed at once") func concurrentRemovals() async throws {
        try await withFeed { world in
            await world.online()
            await withTaskGroup { group in
                for _ in 0..<10 { group.addTask { await world.client.feeds.removeInstance(world.feed) } }
                group.addTask { await world.client.feeds.removeAll() }
            }
            await expectRefused(world.feed)
        }
    }

    @Test("A feed that never ran can be removed") func unusedFeed() async throws {
        let inbox = FakeInbox()
        let client = try SuprSendClient.test(http: inbox)
        let feed = try client.feeds.initialize()
        let events = await feed.events()
        await client.feeds.removeInstance(feed)
        var last: FeedEvent?
        for await event in events { last = event }
        #expect(last == .storeUpdate(await feed.data))
        await feed.run()
        #expect(await inbox.requests.isEmpty)
    }
}
