import Basics
import ClientKit
import Testing

@testable import SuprSend

/// Known mistakes of other clients about pages, stores and numbers.
@Suite struct FeedPageTests {
    let pinned = row("P", age: 9000, pinned: true)
    let a = row("A", age: 1000)
    let b = row("B", age: 2000)
    let unread = NotificationStore(id: "Unread", query: .init(read: false))
    let promo = NotificationStore(id: "Promo", query: .init(categories: ["promo"]))

    private func page(_ text: String) throws -> NotificationPage {
        try ResponseDecoder.decode(response(200, text), as: NotificationPage.self)
    }

    @Test("A malformed row is left out, and the rest of the page is kept")
    func malformedRow() throws {
        let good = row("a").json
        let page = try page(
            #"{"results":[\#(good),{"n_id":"x","created_on":"yesterday"},7,\#(row("b").json)],"meta":{}}"#
        )
        #expect(page.rows.map(\.id) == ["a", "b"])
        #expect(page.dropped == ["x", "?"])
    }

    @Test("A row without a category, and with a time that cannot be read, is announced with the time of its event")
    func unreadableTime() throws {
        let text = #"{"n_id":"x","n_category":null,"created_on":"yesterday","message":{"text":"t"}}"#
        var driver = StateDriver()
        driver.load([a])
        driver.news(try ResponseDecoder.decode(response(200, text), as: FeedNotification.self))
        #expect(driver.ids == ["x", "A"])
        #expect(driver.state.data.notifications.first?.created == base)
    }

    @Test("A page shows its rows without a category, and those whose times are texts or cannot be read")
    func oddRows() throws {
        func odd(_ id: String, _ created: String) -> String {
            #"{"n_id":"\#(id)","n_category":null,"created_on":\#(created),"message":{"text":"t"}}"#
        }
        let rows = [
            a.json, odd("text", #""1754346745613""#), odd("date", #""2025-08-04T22:32:25.613Z""#), odd("none", "null"),
            odd("01K1VNB0E0PNNED00000000001", #""yesterday""#), odd("list", "[1]"), b.json,
        ]
        let page = try page(#"{"results":[\#(rows.joined(separator: ","))],"meta":{}}"#)
        #expect(page.dropped == [] && page.rows.count == rows.count)
        #expect(page.rows[1...5].allSatisfy { $0.category == "" })
        #expect(page.rows[1...3].map(\.created) == [1_754_346_745_613, 1_754_346_745_613, 0])
        #expect(page.rows[4].created > 1_754_000_000_000, "the time of its id")
        var driver = StateDriver()
        driver.load(page.rows)
        #expect(Set(driver.ids) == Set(page.rows.map(\.id)))
    }

    @Test("Counts that arrive during the load of a page are kept")
    func countsDuringALoad() throws {
        var driver = StateDriver()
        let load = try driver.fetch()
        driver.count(.init(badge: 7))
        driver.news(row("N"))
        _ = driver.state.finish(load, .success(.init(rows: [a, b])), now: base)
        #expect(driver.meta.badge == 8)
        #expect(driver.ids == ["N", "A", "B"])
    }

    @Test("Store counts follow an action at once")
    func storeCounts() throws {
        var driver = StateDriver([NotificationStore(id: "All"), unread])
        driver.load([a, b], counts: .init(badge: 2, stores: ["All": 2, "Unread": 2]))
        let number = try driver.begin(.markAsInteracted("A"))
        #expect(driver.meta.stores == ["All": 1, "Unread": 1])
        _ = driver.state.finish(number, succeeded: true, now: base)
        #expect(driver.meta.stores == ["All": 1, "Unread": 1])
        #expect(throws: StateDriver.Nothing.self) { try driver.begin(.markAsRead("A")) }
        #expect(throws: Never.self) { try driver.begin(.markAsInteracted("A")) }
    }

    @Test(
        "Whether more rows follow is decided by has_more, else by the page numbers, else by the total",
        arguments: [
            (#"{"total_count":3,"has_more":false,"current_page":1,"total_pages":2}"#, false, 3),
            (#"{"total_count":5,"has_more":true}"#, true, 5),
            (#"{"current_page":1,"total_pages":2}"#, true, nil),
            (#"{"current_page":2,"total_pages":2,"total_count":9}"#, false, 9),
            (#"{"total_count":9}"#, nil, 9),
            (#"{"total_count":-1,"has_more":null}"#, nil, 0),
            ("[]", nil, nil),
        ] as [(String, Bool?, Int?)]
    )
    func hasMore(meta: String, hasMore: Bool?, total: Int?) throws {
        let page = try page(#"{"results":[],"meta":\#(meta)}"#)
        #expect(page.hasMore == hasMore)
        #expect(page.total == total)
    }

    @Test("An empty page and a page without new rows end the list, even with has_more")
    func lastPage() throws {
        var driver = StateDriver()
        driver.load([pinned, a], hasMore: true)
        // A page may repeat rows: the cursor does not distinguish rows of one millisecond.
        let next = try driver.state.beginNextPage()
        _ = driver.state.finish(next, .success(.init(rows: [a, b], hasMore: true)), now: base)
        #expect(driver.ids == ["P", "A", "B"])
        let same = try driver.state.beginNextPage()
        _ = driver.state.finish(same, .success(.init(rows: [b], hasMore: true)), now: base)
        #expect(!driver.state.data.pageInfo.hasMore)
        driver.load([pinned, a], hasMore: true)
        let empty = try driver.state.beginNextPage()
        _ = driver.state.finish(empty, .success(.init(rows: [], hasMore: true)), now: base)
        #expect(!driver.state.data.pageInfo.hasMore)
        #expect(throws: SuprSendError.self) { try driver.state.beginNextPage() }
        #expect(throws: StateDriver.Nothing.self) { try driver.fetch() }
    }

    /// With the rows of that millisecond once more, and one more row for each of them.
    @Test("The next page begins where the service's last one ended")
    func nextPage() throws {
        var driver = StateDriver()
        driver.load([pinned, a], hasMore: true)
        let end = PageCursor(isPinned: false, created: Timestamp(milliseconds: a.created.milliseconds + 1))
        // Neither archiving the last loaded row nor pinning it moves the end.
        let number = try driver.begin(.markAsArchived("A"))
        driver.update(row("A", age: 1000, pinned: true))
        let next = try driver.state.beginNextPage()
        #expect(next.call == .list(pageSize: 21, store: .default, after: end))
        _ = driver.state.finish(number, succeeded: true, now: base)
        _ = driver.state.finish(next, .success(.init(rows: [b], hasMore: false)), now: base)
        #expect(driver.ids == ["P", "B"])
    }

    @Test("An answer for the previous store is not applied to the active one")
    func answerForPreviousStore() throws {
        var driver = StateDriver([unread, promo])
        let old = try driver.fetch()
        driver.count(.init(badge: 4, stores: ["Unread": 3]))
        let detail = driver.state.beginRow()
        let count = driver.state.beginCount()
        let new = try driver.change(to: "Promo")
        #expect(driver.meta == .init(badge: 4, stores: ["Unread": 3, "Promo": 0]))
        let page = NotificationPage(rows: [row("X", category: "promo")])
        #expect(driver.finish(new, page) == .applied)
        #expect(driver.finish(old, .init(rows: [a, b])) == .otherStore)
        // A single row belongs to its stores; the counts are of all stores.
        _ = driver.state.finishRow(detail, a, now: base)
        _ = driver.state.finish(count, .init(badge: 5, stores: ["Unread": 4, "Promo": 1]), now: base)
        #expect(driver.ids == ["X"])
        #expect(driver.state.data.store == promo)
        #expect(driver.meta == .init(badge: 5, stores: ["Unread": 4, "Promo": 1]))
        // Back at the first store, its earlier answer is still not applied.
        let back = try driver.change(to: "Unread")
        #expect(driver.finish(old, .init(rows: [a])) == .otherStore)
        #expect(driver.finish(back, .init(rows: [b])) == .applied)
        #expect(driver.ids == ["B"])
    }

    @Test("Marking all as read clears the badge at once")
    func markAllRead() throws {
        var driver = StateDriver([NotificationStore(id: "All"), unread])
        driver.load([a, b], counts: .init(badge: 5, stores: ["All": 2, "Unread": 2]))
        let number = try driver.begin(.markAllAsRead)
        #expect(driver.meta == .init(badge: 0, stores: ["All": 0, "Unread": 0]))
        #expect(driver.state.data.notifications.allSatisfy { $0.isRead })
        _ = driver.state.finish(number, succeeded: true, now: base)
        #expect(driver.meta == .init(badge: 0, stores: ["All": 0, "Unread": 0]))
    }

    @Test("The first page has an empty cursor, also after rows arrived by events")
    func firstPage() throws {
        var driver = StateDriver()
        driver.news(row("N"))
        let load = try driver.fetch()
        #expect(load.call == .list(pageSize: 20, store: .default, after: nil))
        _ = driver.state.finish(load, .success(.init(rows: [a, b])), now: base)
        #expect(driver.ids == ["N", "A", "B"])
        // Also after a first load that failed.
        driver = StateDriver()
        let failed = try driver.fetch()
        driver.news(row("N"))
        _ = driver.state.finish(failed, .failure(SuprSendError(.serverFailure, "no")), now: base)
        #expect(try driver.fetch().call == .list(pageSize: 20, store: .default, after: nil))
    }

    @Test("An older first page does not replace a newer one")
    func olderPage() {
        var driver = StateDriver()
        let (first, second) = (driver.state.beginRefresh(), driver.state.beginRefresh())
        #expect(driver.finish(second, .init(rows: [a], total: 2, hasMore: true)) == .applied)
        #expect(driver.finish(first, .init(rows: [b], total: 1, hasMore: false)) == .applied)
        #expect(driver.ids == ["A"])
        #expect(driver.state.data.pageInfo.hasMore)
    }

    @Test("Older counts are ignored")
    func olderCounts() {
        var driver = StateDriver()
        driver.load([a])
        let (first, second) = (driver.state.beginCount(), driver.state.beginCount())
        _ = driver.state.finish(second, .init(badge: 5), now: base)
        _ = driver.state.finish(first, .init(badge: 4), now: base)
        #expect(driver.meta.badge == 5)
    }
}
