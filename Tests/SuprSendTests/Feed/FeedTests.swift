import ClientKit
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import SuprSend

/// The whole feed with a service in memory and a manual clock.
@Suite(.timeLimit(.minutes(5))) struct FeedTests {
    @Test("A started feed loads, connects and announces notifications") func start() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(inbox: inbox) { world in
            let connection = try await world.socket.connection(1)
            await world.until { $0.notifications.map(\.id) == ["old"] && $0.meta.badge == 1 }
            await inbox.publish(row("new"))
            connection.push("new_notification", "new")
            let announced = await world.announcement()
            #expect(announced?.id == "new")
            #expect(announced?.catchUp == false)
            await world.shows(["new", "old"])
            await world.until { $0.meta.badge == 2 }
            // The join came at once, so one load served the start and the join.
            #expect(await inbox.count("/notifications?") == 1)
        }
    }

    @Test("CONNECT carries the public key, user, tenant and token") func connectCredentials() async throws {
        let text = token(expiring: 3600)
        try await withFeed(FeedOptions(tenantID: "acme"), token: { _ in text }) { world in
            await world.online()
            let connect = try #require(try await world.socket.connection(1).connects.first)
            #expect(
                connect
                    == #"""
                    40{"authorization":"SS.PUBK.example","distinct_id":"user-1","schema":"1","tenant_id":"acme",\#
                    "x-ss-signature":"\#(text)"}
                    """#
            )
        }
    }

    @Test("A call can have a page size of its own") func pageSizes() async throws {
        let inbox = FakeInbox()
        for number in 0..<9 { await inbox.publish(row("r\(number)", age: Int64(number))) }
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize(FeedOptions(pageSize: 2, maximumRows: nil))
        #expect(try await feed.fetch(pageSize: 3))
        #expect(await feed.data.notifications.map(\.id) == ["r0", "r1", "r2"])
        try await feed.fetchNextPage(pageSize: 4)
        #expect(await feed.data.notifications.count == 7)
        #expect(await feed.data.pageInfo.pageSize == 2)
        #expect(try await feed.fetch())
        #expect(await feed.data.notifications.count == 9)
        #expect(try await !feed.fetch(pageSize: 5))
        for size in [0, 101] {
            await #expect(throws: SuprSendError.self) { try await feed.fetch(pageSize: size) }
            await #expect(throws: SuprSendError.self) { try await feed.fetchNextPage(pageSize: size) }
        }
    }

    @Test("A feed without a maximum keeps every row that it loads") func unlimited() async throws {
        let inbox = FakeInbox()
        for number in 0..<450 { await inbox.publish(row("r\(number)", age: Int64(number))) }
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize(FeedOptions(pageSize: 100, maximumRows: nil))
        while try await feed.fetch() {}
        #expect(await feed.data.notifications.count == 450)
        #expect(await !feed.data.pageInfo.hasMore)
    }

    @Test("A feed that does not run can load, page, count and reset the badge") func withoutRun() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("b", age: 1), row("c", age: 2))
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize(FeedOptions(pageSize: 2))
        try await feed.fetch()
        #expect(await feed.data.notifications.map(\.id) == ["a", "b"])
        try await feed.fetchNextPage()
        #expect(await feed.data.notifications.map(\.id) == ["a", "b", "c"])
        await #expect(throws: SuprSendError.self) { try await feed.fetchNextPage() }
        #expect(try await feed.fetchCount().badge == 3)
        #expect(try await feed.fetchDetails("c").id == "c")
        await inbox.publish(row("d"))
        try await feed.refresh()
        #expect(await feed.data.notifications.map(\.id) == ["d", "a", "b"])
        try await feed.resetBadgeCount()
        #expect(await feed.data.meta.badge == 0)
    }

    @Test("fetch() reports that the list is complete")
    func fetchAtTheEnd() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("b", age: 1), row("c", age: 2))
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize(FeedOptions(pageSize: 2))
        #expect(try await feed.fetch())
        #expect(try await feed.fetch())
        let count = await inbox.count("/notifications?")
        #expect(try await !feed.fetch())
        #expect(await inbox.count("/notifications?") == count)
        #expect(await feed.data.notifications.count == 3)
    }

    @Test("A second run() at the same time has no effect") func secondRun() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["old"])
            await world.feed.run()
            #expect(await world.socket.attempts == 1)
        }
    }

    @Test("Every listener receives an announcement") func severalListeners() async throws {
        try await withFeed { world in
            let other = await world.feed.events()
            await world.online()
            await world.inbox.publish(row("n"))
            try await world.socket.connection(1).push("new_notification", "n")
            #expect(await world.announcement()?.id == "n")
            for await event in other {
                if case .newNotification = event { break }
            }
        }
    }

    /// The answer for the previous store arrives late: no error, and no second load.
    @Test("Another store is activated during a load") func storeChange() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("unread"), row("read", age: 1, read: base))
        await inbox.hold("/notifications?")
        let stores = [NotificationStore(id: "all"), NotificationStore(id: "read", query: .init(read: true))]
        try await withFeed(FeedOptions(stores: stores), inbox: inbox) { world in
            await inbox.wait(for: "/notifications?")
            async let change: Void = world.feed.changeActiveStore("read")
            await inbox.wait(for: "/notifications?", 2)
            await inbox.release()
            try await change
            #expect(await world.feed.data.notifications.map(\.id) == ["read"])
            let state = await world.first { event in
                switch event {
                case .connection(.online): "online"
                case .connection(.offline(_?, _)): "offline"
                default: nil
                }
            }
            #expect(state == "online")
            // The list of one store, the list of the other, and what the other one counts.
            await inbox.wait(for: "/notifications?", 3)
            await world.until { $0.meta.badge == 2 }
            #expect(await !world.feed.state.isStale, "it would be loaded once more")
            #expect(await inbox.count("/notifications?") == 3)
        }
    }

    @Test("A flood of notifications is announced completely and in order") func flood() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { world in
            await world.online()
            await inbox.wait(for: "/notifications?")
            let connection = try await world.socket.connection(1)
            for number in 0..<500 {
                await inbox.publish(row("n\(number)", age: -Int64(number)))
                connection.push("new_notification", "n\(number)")
            }
            var announced: [String] = []
            while announced.count < 500, let next = await world.announcement() { announced.append(next.id) }
            #expect(announced == (0..<500).map { "n\($0)" })
            #expect(await world.feed.data.notifications.count == 200)
            #expect(await world.feed.data.pageInfo.hasMore)
        }
    }
}
