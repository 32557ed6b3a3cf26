import ClientKit
import Testing

@testable import SuprSend

/// Two actions on one notification reach the service in the order in which they were made.
@Suite(.timeLimit(.minutes(5))) struct ActionOrderTests {
    @Test("An action waits for earlier actions on the same notifications, one on all of them for every earlier action")
    func actionOnAll() {
        var order = ActionOrder()
        order.begin(1, on: ["a"])
        order.begin(2, on: ["b"])
        order.begin(3, on: ["a", "c"])
        order.begin(4, on: nil)
        order.begin(5, on: [])
        order.begin(6, on: ["d"])
        #expect((1...6).filter { order.isNext($0) } == [1, 2])
        order.end(1)
        #expect((2...6).filter { order.isNext($0) } == [2, 3])
        order.end(3)
        order.end(2)
        // One that concerns everything waits for all before it, and lets none after it pass.
        #expect((4...6).filter { order.isNext($0) } == [4])
        order.end(4)
        #expect([5, 6].filter { order.isNext($0) } == [5, 6])
        #expect(order.isNext(99))
        order.end(5)
        order.end(6)
        #expect(order == ActionOrder())
    }

    private func feed(_ inbox: FakeInbox) async throws -> Feed {
        await inbox.publish(row("a"), row("b", age: 1))
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize()
        try await feed.refresh()
        return feed
    }

    /// The paths of the actions so far.
    private func actions(_ inbox: FakeInbox) async -> [String] {
        await inbox.requests.filter { $0.method != "GET" }.map { request in
            let path = request.url.split(separator: "?")[0]
            return String(path.split(separator: "/v1/feed/")[1])
        }
    }

    /// Waits until the feed has begun this number of actions.
    private func begun(_ count: Int, by feed: Feed) async {
        while await feed.order.count < count, !Task.isCancelled { await Task.yield() }
    }

    @Test("Each call for an action sends its request") func calls() async throws {
        let inbox = FakeInbox()
        let feed = try await feed(inbox)
        try await feed.markAsSeen("a")
        try await feed.markAsRead("a")
        try await feed.markAsUnread("a")
        try await feed.markAsInteracted("b")
        try await feed.markBulkAsSeen(["a", "b"])
        try await feed.markAllAsRead()
        try await feed.resetBadgeCount()
        try await feed.markAsArchived("a")
        #expect(
            await actions(inbox) == [
                "notifications/a/seen", "notifications/a/read", "notifications/a/unread", "notifications/b/interacted",
                "bulk/notifications/seen", "mark_all_read", "reset_bell_count", "notifications/a/archive",
            ]
        )
    }

    @Test("A slow action delays only actions on the same notification")
    func slowAction() async throws {
        let inbox = FakeInbox()
        let feed = try await feed(inbox)
        await inbox.hold("/a/read")
        async let read: Void = feed.markAsRead("a")
        await inbox.wait(for: "/a/read")
        async let unread: Void = feed.markAsUnread("a")
        await begun(2, by: feed)
        async let again: Void = feed.markAsRead("a")
        await begun(3, by: feed)
        // Others overtake.
        try await feed.markAsRead("b")
        try await feed.resetBadgeCount()
        #expect(await actions(inbox) == ["notifications/a/read", "notifications/b/read", "reset_bell_count"])
        // Here all of it has happened already.
        #expect(await feed.data.notifications.allSatisfy { $0.isRead })
        await inbox.release()
        _ = try await (read, unread, again)
        #expect(
            await actions(inbox).suffix(3) == ["reset_bell_count", "notifications/a/unread", "notifications/a/read"]
        )
        #expect(await inbox.rows["a"]?.isRead == true)
        #expect(await feed.order == ActionOrder())
    }

    @Test("Bulk actions are ordered too") func bulkOrder() async throws {
        let inbox = FakeInbox()
        let feed = try await feed(inbox)
        await inbox.hold("/a/seen")
        async let seen: Void = feed.markAsSeen("a")
        await inbox.wait(for: "/a/seen")
        async let all: Void = feed.markAllAsRead()
        await begun(2, by: feed)
        async let unread: Void = feed.markAsUnread("b")
        await begun(3, by: feed)
        #expect(await actions(inbox) == ["notifications/a/seen"])
        await inbox.release()
        _ = try await (seen, all, unread)
        #expect(await actions(inbox) == ["notifications/a/seen", "mark_all_read", "notifications/b/unread"])
        #expect(await inbox.rows["b"]?.isRead == false)
    }

    @Test("A failed action does not block the next one") func failure() async throws {
        let inbox = FakeInbox()
        let feed = try await feed(inbox)
        await inbox.fail("/a/read", response(500, "{}"))
        await inbox.hold("/a/read")
        async let read: Void = feed.markAsRead("a")
        await inbox.wait(for: "/a/read")
        async let archived: Void = feed.markAsArchived("a")
        await begun(2, by: feed)
        await inbox.release()
        do {
            try await read
            Issue.record("not refused")
        } catch {}
        try await archived
        #expect(await feed.data.notifications.map(\.id) == ["b"])
    }

    @Test("An action cancelled while waiting is reverted and not sent")
    func cancelledWhileWaiting() async throws {
        let inbox = FakeInbox()
        let feed = try await feed(inbox)
        await inbox.hold("/a/seen")
        async let seen: Void = feed.markAsSeen("a")
        await inbox.wait(for: "/a/seen")
        let archived = Task { try await feed.markAsArchived("a") }
        await begun(2, by: feed)
        #expect(await feed.data.notifications.map(\.id) == ["b"])
        archived.cancel()
        let error = await #expect(throws: SuprSendError.self) { try await archived.value }
        #expect(error?.kind == .cancelled)
        #expect(await feed.data.notifications.map(\.id) == ["a", "b"])
        await inbox.release()
        try await seen
        #expect(await actions(inbox) == ["notifications/a/seen"])
        #expect(await feed.order == ActionOrder())
    }
}
