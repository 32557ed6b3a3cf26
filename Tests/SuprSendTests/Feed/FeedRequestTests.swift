import Basics
import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import SuprSend

/// Known mistakes of other clients about requests and answers.
@Suite(.timeLimit(.minutes(5))) struct FeedRequestTests {
    @Test("The status decides first: an error without an envelope does not empty the list")
    func errorWithoutEnvelope() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"))
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize()
        try await feed.refresh()
        await inbox.fail("/notifications?", response(404, #"{"code":404,"message":"no"}"#))
        await inbox.fail("/notifications_count", response(500, #"{"badge":0}"#))
        let error = await #expect(throws: SuprSendError.self) { try await feed.refresh() }
        #expect(error?.kind == .notFound)
        #expect(await feed.data.notifications.map(\.id) == ["a"])
        #expect(await feed.data.meta.badge == 1)
        #expect(await feed.data.status == .error)
        // An error body is an error, also with status 200.
        await inbox.fail("/a/read", response(200, #"{"status":"error","error":{"type":"NOT_FOUND"}}"#))
        let refused = await #expect(throws: SuprSendError.self) { try await feed.markAsRead("a") }
        #expect(refused?.kind == .notFound)
    }

    @Test("Times are whole milliseconds")
    func milliseconds() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"))
        let environment = ClientEnvironment(now: { base.date.addingTimeInterval(0.000_4) }, makeID: { "id" })
        let feed = try SuprSendClient.test(http: inbox, environment: environment).feeds.initialize()
        try await feed.refresh()
        try await feed.markAsRead("a")
        #expect(await feed.data.notifications.first?.readOn == Date(timeIntervalSince1970: 1_754_346_745.613))
        let hub = FakeHub()
        try await SuprSendClient.test(http: hub, environment: environment).track("ordered")
        let body = try #require(await hub.requests.first?.body)
        #expect(String(decoding: body, as: UTF8.self).contains(#""$time":1754346745613,"#))
    }

    @Test(
        "Every character with a meaning in a URL is escaped",
        arguments: [
            ("anna+test@example.com", "anna%2Btest%40example.com"),
            ("team/anna b", "team%2Fanna%20b"),
            ("AZaz09-._~", "AZaz09-._~"),
            ("ü&=?#%\"", "%C3%BC%26%3D%3F%23%25%22"),
            ("", ""),
        ]
    )
    func escaping(plain: String, encoded: String) {
        #expect(plain.percentEncoded == encoded)
        #expect(encoded.percentDecoded == plain)
    }

    @Test("The ids of users, tenants and notifications may contain + and /")
    func plusAndSlash() {
        let scope = RequestScope(hosts: Hosts(), distinctID: "anna+test@example.com", tenantID: "a&b")
        #expect(
            FeedCall.markRead(id: "a/b+c").url(in: scope)
                == "https://inboxs.live/v1/feed/notifications/a%2Fb%2Bc/read"
                + "?distinct_id=anna%2Btest%40example.com&tenant_id=a%26b"
        )
    }

    @Test("refresh() loads the top of the list")
    func refresh() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("b", age: 1), row("c", age: 2))
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize(FeedOptions(pageSize: 2))
        try await feed.fetch()
        try await feed.fetch()
        #expect(await feed.data.notifications.map(\.id) == ["a", "b", "c"])
        await inbox.publish(row("d", age: -1))
        try await feed.refresh()
        #expect(await feed.data.notifications.map(\.id) == ["d", "a", "b"])
        #expect(await inbox.requests.last { $0.url.contains("/notifications?") }?.url.contains("=%5B%5D") == true)
    }

    @Test("A list that cannot be loaded is retried, and its status is error")
    func failedList() async throws {
        let inbox = FakeInbox()
        await inbox.fail("/notifications?", response(200, "<html>Sign in</html>"), times: 2)
        await inbox.publish(row("a"))
        try await withFeed(inbox: inbox) { world in
            #expect(await world.offline()?.error.kind == .unexpectedAnswer)
            for _ in 1...2 { await world.advanceToNextAttempt() }
            await world.until { $0.notifications.map(\.id) == ["a"] }
            #expect(await inbox.count("/notifications?") == 3)
            #expect(await world.socket.attempts == 1)
            await world.online()
        }
    }

    @Test("Counts that cannot be loaded are retried")
    func failedCounts() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["a"])
            await inbox.wait(for: "/notifications_count")
            await inbox.publish(row("b", age: -1))
            await inbox.fail("/notifications_count", response(503, "{}"))
            try await world.socket.connection(1).push("notification_update", "b")
            await world.shows(["b", "a"])
            await world.passing(.seconds(2)) { await world.until { $0.meta.badge == 2 } }
            // And not because the connection was lost for lack of pings.
            #expect(world.clock.now.offset < .seconds(30))
        }
    }
}
