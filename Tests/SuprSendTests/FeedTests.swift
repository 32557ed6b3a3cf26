import FoundationEssentials
import Logging
import TestSupport
import Testing
import Transport

@testable import SuprSend

/// The feed as a whole over a service in memory, with a clock that stands still until it is moved.
@Suite(.timeLimit(.minutes(1))) struct FeedTests {
    /// A running feed, and everything around it.
    struct World: Sendable {
        let feed: Feed
        let inbox: FakeInbox
        let socket: FakeSocket
        let clock: ManualClock
        let events: AsyncStream<FeedEvent>

        /// The first event that `picks` makes something of.
        func first<T: Sendable>(_ picks: @Sendable (FeedEvent) -> T?) async -> T? {
            for await event in events {
                if let picked = picks(event) { return picked }
            }
            return nil
        }

        func online() async {
            _ = await first { if case .connection(.online) = $0 { true } else { nil } }
        }

        /// Waits until the list is as expected.
        func shows(_ ids: [String]) async {
            if await feed.data.notifications.map(\.id) == ids { return }
            _ = await first { event in
                if case .storeUpdate(let data) = event, data.notifications.map(\.id) == ids { true } else { nil }
            }
        }

        /// Moves time on while `condition` holds, step by step, because nobody knows when a sleep begins.
        func advance(by step: Duration, while condition: () async -> Bool) async {
            while await condition(), !Task.isCancelled {
                clock.advance(by: step)
                await Task.yield()
            }
        }

        func announcement() async -> (id: String, catchUp: Bool)? {
            await first { if case .newNotification(let row, let catchUp) = $0 { (row.id, catchUp) } else { nil } }
        }
    }

    private func withFeed(
        _ options: FeedOptions = FeedOptions(),
        _ answers: [FakeSocket.Answer] = [],
        token: UserTokenProvider? = nil,
        inbox: FakeInbox = FakeInbox(),
        _ body: (World) async throws -> Void
    ) async throws {
        let socket = FakeSocket(answers)
        let clock = ManualClock()
        let client = try SuprSendClient.test(
            http: inbox,
            webSocket: socket,
            surroundings: Surroundings(
                now: { base.date.addingTimeInterval(clock.now.offset / .seconds(1)) },
                clock: clock,
                jitter: { 1 }
            ),
            token: token
        )
        let feed = try client.feeds.initialize(options)
        let world = World(feed: feed, inbox: inbox, socket: socket, clock: clock, events: await feed.events())
        try await withThrowingTaskGroup { group in
            group.addTask { await feed.run() }
            try await body(world)
            group.cancelAll()
        }
        #expect(await feed.connectionState == .offline(nil, nextAttempt: nil))
    }

    @Test func fromStartToNews() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(inbox: inbox) { world in
            let connection = try await world.socket.connection(1)
            await world.shows(["old"])
            await inbox.publish(row("new"))
            connection.push("new_notification", "new")
            let announced = await world.announcement()
            #expect(announced?.id == "new")
            #expect(announced?.catchUp == false)
            await world.shows(["new", "old"])
            // The first count may or may not have included it; a second one tells.
            await world.advance(by: .milliseconds(100)) { await world.feed.data.meta.badge != 2 }
            // The join came at once, so one load served the start and the join.
            #expect(await inbox.count("/notifications?") == 1)
        }
    }

    @Test func connectCarriesTheCredentials() async throws {
        let text = token(expiring: 3600)
        try await withFeed(FeedOptions(tenantID: "acme"), token: { _ in text }) { world in
            await world.online()
            let connect = try #require(try await world.socket.connection(1).connects.first)
            #expect(
                connect
                    == #"40{"authorization":"SS.PUBK.example","distinct_id":"user-1","schema":"1","tenant_id":"acme","x-ss-signature":"\#(text)"}"#
            )
        }
    }

    @Test func aGapIsCaughtUp() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["old"])
            try await world.socket.connection(1).drop()
            await inbox.publish(row("missed"))
            let next = await world.first { event -> Date? in
                if case .connection(.offline(_, let next)) = event { next } else { nil }
            }
            #expect(next == base.date.addingTimeInterval(1))
            await world.advance(by: .milliseconds(100)) { await world.socket.attempts < 2 }
            let announced = await world.announcement()
            #expect(announced?.id == "missed")
            #expect(announced?.catchUp == true)
            await world.shows(["missed", "old"])
        }
    }

    @Test func reconnectCutsTheWait() async throws {
        try await withFeed(FeedOptions(), [.unreachable, .unreachable]) { world in
            for attempt in 2...3 {
                _ = await world.first { if case .connection(.offline(.some, .some)) = $0 { true } else { nil } }
                // Offline is told just before the wait begins; without the list there is nothing else to wait for.
                while await world.socket.attempts < attempt, !Task.isCancelled {
                    await world.feed.reconnect()
                    await Task.yield()
                }
            }
            await world.online()
        }
    }

    @Test func aRefusedTokenIsReplacedOnce() async throws {
        let provider = FakeProvider([token(expiring: 3600, name: "1"), token(expiring: 3600, name: "2")])
        let refusal = FakeSocket.Answer.refuse("Authentication Error: wrong auth token")
        try await withFeed(FeedOptions(), [refusal, refusal], token: { try await provider.token($0) }) { world in
            _ = try await world.socket.connection(1)
            await provider.asked(2)
            await world.advance(by: .milliseconds(100)) { await world.socket.attempts < 2 }
            let error = await world.first { if case .connection(.unauthorized(let error)) = $0 { error } else { nil } }
            #expect(error?.kind == .unauthorized)
            #expect(
                try await world.socket.connection(2).connects.first?.contains(token(expiring: 3600, name: "2")) == true
            )
            // Then slowly.
            await world.advance(by: .seconds(1)) { await world.socket.attempts < 3 }
            #expect(world.clock.now.offset >= .seconds(30))
            await world.online()
        }
    }

    @Test func restFailuresAreShownAndTriedAgain() async throws {
        let inbox = FakeInbox()
        await inbox.fail("/notifications?", response(200, "<html>Sign in</html>"), times: 2)
        await inbox.publish(row("a"))
        try await withFeed(inbox: inbox) { world in
            let error = await world.first { event -> SuprSendError? in
                if case .connection(.offline(let error?, .some)) = event { error } else { nil }
            }
            #expect(error?.kind == .unexpectedAnswer)
            await world.advance(by: .milliseconds(100)) { await world.feed.data.notifications.isEmpty }
            #expect(await inbox.count("/notifications?") == 3)
            #expect(await world.socket.attempts == 1)
            await world.online()
        }
    }

    @Test func detailsAreTriedAgain() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { world in
            await world.online()
            await inbox.wait(for: "/notifications?")
            await inbox.publish(row("late"))
            await inbox.fail("/notifications/late", response(404, "{}"), times: 2)
            try await world.socket.connection(1).push("new_notification", "late")
            await inbox.wait(for: "/notifications/late", 1)
            await world.advance(by: .milliseconds(100)) { await inbox.count("/notifications/late") < 3 }
            #expect(await world.announcement()?.id == "late")
        }
    }

    @Test func detailsThatCannotBeHadComeWithTheList() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { world in
            await world.online()
            await inbox.wait(for: "/notifications?")
            await inbox.publish(row("lost"))
            await inbox.fail("/notifications/lost", response(500, "{}"), times: 4)
            try await world.socket.connection(1).push("new_notification", "lost")
            await world.advance(by: .milliseconds(100)) { await inbox.count("/notifications/lost") < 4 }
            let announced = await world.announcement()
            #expect(announced?.id == "lost")
            #expect(announced?.catchUp == true)
        }
    }

    @Test func actionsShowAtOnceAndAreUndone() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("b", age: 1000))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["a", "b"])
            await inbox.fail("/archive", response(500, "{}"))
            await inbox.hold("/archive")
            async let archived: Void = world.feed.markAsArchived("a")
            await inbox.wait(for: "/archive")
            #expect(await world.feed.data.notifications.map(\.id) == ["b"])
            await inbox.release()
            do {
                try await archived
                Issue.record("not refused")
            } catch {}
            #expect(await world.feed.data.notifications.map(\.id) == ["a", "b"])
            try await world.feed.markAsInteracted("a")
            #expect(await world.feed.data.notifications[0].isRead)
            #expect(await inbox.count("/a/interacted") == 1)
        }
    }

    @Test func expiryNeedsNoPoll() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("soon", age: 1000, expiry: Milliseconds(base.value + 5000)))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["a", "soon"])
            await world.advance(by: .milliseconds(500)) { await world.feed.data.notifications.count > 1 }
            #expect(world.clock.now.offset > .seconds(5))
        }
    }

    @Test func workWithoutRunning() async throws {
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

    @Test func aSecondLifeAtTheSameTimeIsRefused() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1000))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["old"])
            await world.feed.run()
            #expect(await world.socket.attempts == 1)
        }
    }

    @Test func severalListeners() async throws {
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

    @Test func aFloodIsAnnouncedWholeAndInOrder() async throws {
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
