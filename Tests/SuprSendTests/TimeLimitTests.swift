import Basics
import ClientKit
import Testing

@testable import SuprSend

/// Times of the service may be any 64 bits.
@Suite("Times at the limits") struct TimeLimitTests {
    private static let microseconds = base.milliseconds * 1_000
    private static let nanoseconds = base.milliseconds * 1_000_000
    private static let limits: [Int64] = [.min, -1, 0, microseconds, nanoseconds, .max]

    private let stores = [
        NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
        NotificationStore(id: "Promo", query: .init(categories: ["promo"])),
    ]

    private func decoded(_ fields: String) throws -> FeedNotification {
        try ResponseDecoder.decode(
            response(200, #"{"n_id":"odd","n_category":"promo","message":{"text":"t"},\#(fields)}"#),
            as: FeedNotification.self
        )
    }

    private func odd(_ created: Int64) throws -> FeedNotification { try decoded(#""created_on":\#(created)"#) }

    @Test(
        "Creation times are clamped, and the cursor has the service's value",
        arguments: [
            (.min, 0), (-1, 0), (0, 0), (base.milliseconds, base.milliseconds), (microseconds, base.milliseconds),
            (nanoseconds, base.milliseconds),
            (.max, 9_223_372_036_854), (253_402_300_799_999, 253_402_300_799_999),
            (253_402_300_800_000, 253_402_300_800),
        ] as [(Int64, Int64)]
    )
    func creation(raw: Int64, created: Int64) throws {
        let row = try odd(raw)
        #expect(row.created == Timestamp(milliseconds: created))
        #expect(PageCursor(after: row).created == Timestamp(milliseconds: raw))
        let end = row.sortKey == Timestamp(milliseconds: .max) ? .max : raw + 1
        #expect(PageCursor(after: row).overlapping.created == Timestamp(milliseconds: end))
    }

    @Test(
        "Other times are clamped to what can be displayed",
        arguments: [(Int64.min, Int64(0)), (Int64.max, Int64(253_402_300_799_999))]
    )
    func display(raw: Int64, shown: Int64) throws {
        let row = try decoded(
            #""created_on":1,"seen_on":\#(raw),"read_on":\#(raw),"interacted_on":\#(raw),"expiry":\#(raw)"#
        )
        #expect([row.seen, row.read, row.interacted].allSatisfy { $0 == Timestamp(milliseconds: shown) })
        #expect(row.expiry == Timestamp(milliseconds: max(shown, 1)))
        #expect(row.isExpired(at: base) == (raw < 0))
    }

    @Test("A live row with an extreme time hides no row that is missed later", arguments: limits)
    func live(raw: Int64) throws {
        var service = PagedService([row("old", age: 60_000)], stores: stores)
        #expect(service.catchUp() == [])
        #expect(service.publish(try odd(raw)) == ["odd"])
        try expectNothingIsHidden(&service, announced: ["odd"])
    }

    @Test("A row with an extreme time on the first pages hides no row that is missed later", arguments: limits)
    func onThePage(raw: Int64) throws {
        var service = PagedService([row("old", age: 60_000), try odd(raw)], stores: stores)
        #expect(service.catchUp() == [], "what was there before is no news")
        try expectNothingIsHidden(&service, announced: [])
    }

    @Test("Pages full of rows with extreme times hide no missed rows behind them", arguments: limits)
    func fullPages(raw: Int64) throws {
        let many = try (0..<45).map { number in
            var odd = try odd(raw)
            odd.id = "odd \(number)"
            return odd
        }
        var service = PagedService([row("old", age: 60_000)] + many, stores: stores)
        #expect(service.catchUp() == [], "what was there before is no news")
        service.driver.now = service.driver.now.advanced(milliseconds: 1_000)
        var new = row("missed")
        new.created = service.driver.now
        new.sortKey = new.created
        service.rows.append(new)
        service.restart(announced: many.map(\.id))
        #expect(service.catchUp() == ["missed"])
        #expect(service.catchUp() == [])
    }

    @Test("A missed row with an extreme time hides no other, and is announced once", arguments: limits)
    func missed(raw: Int64) throws {
        var service = PagedService([row("old", age: 60_000)], stores: stores)
        #expect(service.catchUp() == [])
        service.rows += [try odd(raw), row("missed", age: 50_000)]
        let announced = service.catchUp()
        // A row with the earliest time is new in the store that was empty.
        #expect(Set(announced) == ["missed", "odd"])
        try expectNothingIsHidden(&service, announced: announced)
    }

    /// With any extreme row, the rows missed in this run and before the next ones are announced once.
    private func expectNothingIsHidden(_ service: inout PagedService, announced: [String]) throws {
        var announced = announced
        for (number, store) in ["All", "Promo", "Unread", "All"].enumerated() {
            if let load = try service.driver.state.changeStore(store) {
                _ = service.driver.finish(load, service.page(load.call))
            }
            service.driver.now = service.driver.now.advanced(milliseconds: 1_000)
            let (id, category) = ("missed\(number)", number % 2 == 0 ? "promo" : "system")
            var new = row(id, category: category)
            new.created = service.driver.now
            new.sortKey = new.created
            service.rows.append(new)
            if number > 1 { service.restart(announced: announced) }
            var news = service.catchUp()
            // Of a row of the future that was there before the first run, another run cannot know that, until it has
            // announced it.
            if number > 1, !announced.contains("odd") { news.removeAll { $0 == "odd" } }
            #expect(news == [id])
            #expect(service.catchUp() == [], "nothing twice")
            announced += [id] + (number > 1 ? ["odd"] : [])
            let caughtUp = try #require(service.driver.state.caughtUp)
            #expect(caughtUp >= new.created && caughtUp <= service.driver.now.advanced(milliseconds: 300_000))
        }
    }

    @Test(
        "A mark in the future, written by an earlier version, counts as now",
        arguments: [Int64.max, base.milliseconds * 1_000, base.milliseconds + 400_000]
    )
    func markInTheFuture(mark: Int64) throws {
        var service = PagedService([row("old", age: 60_000), row("new", age: 10)], stores: stores)
        service.driver.state.resume(after: Timestamp(milliseconds: mark), announced: [])
        #expect(service.catchUp() == [])
        #expect(service.driver.state.caughtUp == base)
        try expectNothingIsHidden(&service, announced: [])
    }

    @Test("A mark at the beginning of time hides no rows", arguments: [Int64.min, 0])
    func markAtTheBeginning(mark: Int64) throws {
        var service = PagedService([row("old", age: 60_000), try odd(.max)], stores: stores)
        service.driver.state.resume(after: Timestamp(milliseconds: mark), announced: [])
        #expect(Set(service.catchUp()) == ["old", "odd"])
        try expectNothingIsHidden(&service, announced: ["old", "odd"])
    }

    @Test("Pages continue after a row with an extreme time", arguments: limits)
    func pages(raw: Int64) throws {
        let others = (0..<60).map { row("\($0)", age: Int64($0)) }
        var service = PagedService(others + [try odd(raw)])
        _ = service.catchUp()
        var rounds = 0
        while service.driver.state.data.pageInfo.hasMore, rounds < 10 {
            rounds += 1
            try service.fetchNextPage()
        }
        #expect(Set(service.driver.ids) == Set(service.rows.map(\.id)))
        #expect(service.driver.ids.count == 61 && rounds < 10)
    }

    @Test("A page that ends with an extreme time is followed by another one", arguments: [Int64.min, Int64.max])
    func lastOfAPage(raw: Int64) throws {
        var driver = StateDriver([stores[0], stores[2]])
        driver.state.resume(after: base, announced: [])
        driver.load([])
        var scan = try #require(driver.state.scans().first)
        _ = driver.state.proceed(&scan, .init(rows: [row("a", age: -5), try odd(raw)], hasMore: true), now: base)
        guard raw > 0 else {
            #expect(scan.call == nil, "what is that old was there before")
            return
        }
        guard case .list(_, _, let cursor)? = scan.call else {
            Issue.record("the scan ends")
            return
        }
        #expect(cursor?.created == Timestamp(milliseconds: raw))
    }

    @Test("A row with an extreme time, live and on a page, does not end the feed", arguments: limits)
    func overAConnection(raw: Int64) async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 60_000), try odd(raw))
        try await withFeed(FeedOptions(stores: stores), inbox: inbox) { world in
            await world.online()
            let connection = try await world.socket.connection(1)
            var live = try odd(raw)
            live.id = "live"
            await inbox.publish(live, row("next"))
            connection.push("new_notification", "live")
            connection.push("new_notification", "next")
            #expect(await world.announcement()?.id == "live")
            #expect(await world.announcement()?.id == "next")
        }
    }
}
