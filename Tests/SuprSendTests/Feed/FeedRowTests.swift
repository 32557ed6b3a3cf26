import Basics
import ClientKit
import Testing

@testable import SuprSend

/// Known mistakes of other clients about rows and their order.
@Suite struct FeedRowTests {
    let pinned = row("P", age: 9000, pinned: true)
    let a = row("A", age: 1000)
    let b = row("B", age: 2000)
    let unread = NotificationStore(id: "Unread", query: .init(read: false))

    private func loaded(_ stores: [NotificationStore]? = nil) -> StateDriver {
        var driver = StateDriver(stores)
        driver.load([pinned, a, b], counts: .init(badge: 1))
        _ = driver.takeEffects()
        return driver
    }

    @Test("The same id twice is one row, one announcement and one on the badge")
    func duplicateID() {
        var driver = loaded()
        driver.news(row("N"))
        driver.news(row("N"))
        #expect(driver.ids == ["P", "N", "A", "B"])
        #expect(driver.meta.badge == 2)
        // Also when both come before the details.
        _ = driver.state.receive(.newNotification(id: "M"), now: base)
        _ = driver.state.receive(.newNotification(id: "M"), now: base)
        _ = driver.takeEffects()
        driver.answerDetails([row("M")])
        driver.expect([.report(.announced(row("M"), catchUp: false)), .updated])
        #expect(driver.meta.badge == 3)
    }

    @Test(
        "Two feeds of one inbox each announce and list a notification once",
        .timeLimit(.minutes(5))
    )
    func twoFeeds() async throws {
        let inbox = FakeInbox()
        try await withFeed(inbox: inbox) { first in
            await first.online()
            try await withFeed(inbox: inbox) { second in
                await second.online()
                let connections = [try await first.socket.connection(1), try await second.socket.connection(1)]
                for id in ["N", "M"] {
                    await inbox.publish(row(id))
                    // The server sends the event on every connection, and on one of them twice.
                    for connection in connections { connection.push("new_notification", id) }
                    connections[0].push("new_notification", id)
                    #expect(await first.announcement()?.id == id)
                    #expect(await second.announcement()?.id == id)
                }
                for world in [first, second] { #expect(await world.feed.data.notifications.map(\.id) == ["N", "M"]) }
            }
        }
    }

    @Test("A page is merged with the rows that arrived during its load")
    func rowsDuringALoad() throws {
        var driver = loaded()
        let load = driver.state.beginRefresh()
        driver.news(row("N"))
        let number = try driver.begin(.markAsRead("A"))
        _ = driver.state.finish(load, .success(.init(rows: [pinned, a, b])), now: base)
        #expect(driver.ids == ["P", "N", "A", "B"])
        #expect(driver.state.data.notifications[2].isRead)
        _ = driver.state.finish(number, succeeded: true, now: base)
        #expect(driver.state.data.notifications[2].isRead)
    }

    @Test("A refused action is reverted in every row and count")
    func refusedAction() throws {
        var driver = StateDriver([NotificationStore(id: "All"), unread])
        driver.load([pinned, a, b], counts: .init(badge: 3, stores: ["All": 3, "Unread": 3]))
        let before = driver.state.data
        for action in [
            .markAsSeen("A"), .markAsRead("A"), .markAsInteracted("A"), .markAsArchived("A"), .markAllAsRead,
            .resetBadgeCount,
            .markBulkAsSeen(["A", "B"]),
        ] as [FeedAction] {
            let number = try driver.begin(action)
            #expect(driver.state.data != before, "\(action)")
            _ = driver.state.finish(number, succeeded: false, now: base)
            #expect(driver.state.data == before, "\(action)")
        }
    }

    @Test("A refused mark as unread is reverted in the list and in the counts")
    func refusedUnread() throws {
        let stores = [NotificationStore(id: "All"), unread]
        var driver = StateDriver(stores)
        driver.load(
            [row("A", age: 1000, seen: base, read: base), b],
            counts: .init(badge: 1, stores: ["All": 1, "Unread": 1])
        )
        let before = driver.state.data
        let number = try driver.begin(.markAsUnread("A"))
        #expect(driver.state.data.notifications.first?.isRead == false)
        #expect(driver.meta.stores == ["All": 2, "Unread": 2])
        _ = driver.state.finish(number, succeeded: false, now: base)
        #expect(driver.state.data == before)
        // It enters the store of unread ones, and leaves it again.
        let load = try driver.change(to: "Unread")
        _ = driver.finish(load, .init(rows: [b], total: 1, hasMore: false))
        _ = driver.state.finishRow(driver.state.beginRow(), row("A", age: 1000, seen: base, read: base), now: base)
        #expect(driver.ids == ["B"])
    }

    @Test("The list is filtered again after an action, and after it is reverted")
    func filterAfterAction() throws {
        var driver = loaded([unread])
        let number = try driver.begin(.markAsRead("A"))
        #expect(driver.ids == ["P", "B"])
        _ = driver.state.finish(number, succeeded: false, now: base)
        #expect(driver.ids == ["P", "A", "B"])
    }

    @Test("Over HTTP, an action shows at once and is reverted when it is refused", .timeLimit(.minutes(5)))
    func refusedActionOverHTTP() async throws {
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
        }
    }

    @Test(
        "An action that was done and whose answer was lost shows in the end",
        .timeLimit(.minutes(5)),
        arguments: [502, 200]
    )
    func lostAnswer(status: Int) async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("b", age: 1000))
        try await withFeed(inbox: inbox) { world in
            await world.online()
            await world.shows(["a", "b"])
            await inbox.change("a") { $0.isArchived = true }
            await inbox.fail("/archive", response(status, "<html>"))
            let error = await #expect(throws: SuprSendError.self) { try await world.feed.markAsArchived("a") }
            #expect(error?.isRetryable == true)
            // The list is loaded again at once, or after half a second if it was just loaded.
            await world.passing(.seconds(1)) { await world.until { $0.notifications.map(\.id) == ["b"] } }
        }
    }

    @Test("A row has the place of its pin and date, also when it returns")
    func order() {
        var driver = loaded()
        driver.update(row("B", age: 2000, pinned: true))
        #expect(driver.ids == ["B", "P", "A"])
        driver.update(row("B", age: 2000))
        #expect(driver.ids == ["P", "A", "B"])
        driver.update(row("A", age: 1000, archived: true))
        driver.update(row("C", age: 1500))
        #expect(driver.ids == ["P", "C", "B"])
        driver.update(a)
        #expect(driver.ids == ["P", "A", "C", "B"])
        // One millisecond, several rows: the later id first.
        driver.update(row("A2", age: 1000))
        #expect(driver.ids == ["P", "A2", "A", "C", "B"])
    }

    @Test("Marking as interacted also sets read and seen")
    func interacted() throws {
        var driver = loaded()
        let number = try driver.begin(.markAsInteracted("A"))
        for _ in 0..<2 {
            let shown = driver.state.data.notifications[1]
            #expect(shown.interacted == base && shown.read == base && shown.seen == base)
            _ = driver.state.finish(number, succeeded: true, now: base)
        }
        // An earlier time stays.
        driver.load([row("A", seen: 5)])
        _ = try driver.begin(.markAsInteracted("A"))
        #expect(driver.state.data.notifications[0].seen == 5)
    }

    @Test("A late answer does not overwrite a newer one")
    func lateAnswer() throws {
        var driver = loaded()
        _ = driver.state.receive(.notificationUpdate(id: "A"), now: base)
        let first = try driver.ticket()
        _ = driver.state.receive(.notificationUpdate(id: "A"), now: base)
        let second = try driver.ticket()
        _ = driver.state.finishDetails(second, row("A", age: 1000, archived: true), now: base)
        _ = driver.state.finishDetails(first, a, now: base)
        #expect(driver.ids == ["P", "B"])
    }

    @Test("A row that a later page does not list is not added by an earlier request") func unlistedRow() {
        var driver = loaded()
        let number = driver.state.beginRow()
        driver.load([a])
        _ = driver.state.finishRow(number, row("new", age: 500), now: base)
        #expect(driver.ids == ["A"])
        _ = driver.state.finishRow(driver.state.beginRow(), row("new", age: 500), now: base)
        #expect(driver.ids == ["new", "A"])
    }
}
