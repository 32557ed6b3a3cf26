import ClientKit
import Sandbox
import ServiceModels
import Testing

@testable import SuprSend

/// Many rows of one millisecond: a page ends between them.
@Suite("Rows of one millisecond") struct OneMillisecondTests {
    /// Loads the first page and all further ones. Returns how many requests there were.
    private func loadAll(_ service: inout PagedService) throws -> Int {
        _ = service.catchUp()
        while service.driver.state.data.pageInfo.hasMore {
            guard service.calls.count < 40 else { throw StateDriver.Nothing() }
            try service.fetchNextPage()
        }
        return service.calls.count
    }

    private func burst(_ count: Int, age: Int64 = 100, pinned: Bool = false) -> [FeedNotification] {
        (0..<count).map { row("\(pinned ? "p" : "b")\($0)", age: age, pinned: pinned) }
    }

    private func singles(_ count: Int, age: Int64 = 0) -> [FeedNotification] {
        (0..<count).map { row("s\(age + Int64($0))", age: age + Int64($0)) }
    }

    @Test("All of 60 rows are reached, 50 of which have the same millisecond", arguments: [0, 5, 10])
    func sixty(above: Int) throws {
        var service = PagedService(singles(above) + burst(50) + singles(10 - above, age: 200))
        let requests = try loadAll(&service)
        #expect(service.driver.ids == SuprSendRules.sorted(service.rows).map(\.id))
        #expect(requests <= 4, "no more than for 60 rows of different times, and one")
    }

    @Test("More rows are reported until the last page is loaded")
    func hasMore() throws {
        var service = PagedService(singles(5) + burst(50) + singles(5, age: 200))
        _ = service.catchUp()
        while service.driver.ids.count < 60 {
            #expect(service.driver.state.data.pageInfo.hasMore)
            let before = service.driver.ids.count
            try service.fetchNextPage()
            #expect(service.driver.ids.count > before)
        }
        #expect(!service.driver.state.data.pageInfo.hasMore)
        #expect(Set(service.driver.ids).count == 60)
    }

    @Test("Pinned rows of one millisecond are reached, and those below them")
    func pinned() throws {
        var service = PagedService(burst(45, age: 9_000, pinned: true) + burst(30) + singles(5))
        _ = try loadAll(&service)
        #expect(service.driver.ids.count == 80)
    }

    /// The service gives 100 rows at once and begins a page behind a millisecond only: of more, the rest cannot be
    /// asked for.
    @Test("Of more than 100 rows of one millisecond, 100 and all others are reached", arguments: [99, 100, 101, 250])
    func moreThanAPageHolds(count: Int) throws {
        var service = PagedService(singles(3) + burst(count) + singles(20, age: 200))
        let requests = try loadAll(&service)
        #expect(service.driver.ids.count == 23 + min(count, 100))
        #expect(service.driver.ids.suffix(20) == singles(20, age: 200).map(\.id)[...])
        #expect(requests < 10)
    }

    @Test("A service that repeats the same page is not requested endlessly")
    func theSamePage() throws {
        var driver = StateDriver()
        let page = NotificationPage(rows: SuprSendRules.sorted(burst(20)), total: 99, hasMore: true)
        driver.load(page.rows, hasMore: true)
        var requests = 0
        while driver.state.data.pageInfo.hasMore, requests < 10 {
            requests += 1
            let load = try driver.state.beginNextPage()
            _ = driver.finish(load, page)
        }
        #expect(requests < 3)
    }

    @Test("Missed rows are announced, though 50 of them have the same millisecond")
    func missed() {
        var service = PagedService([row("old", age: 10_000)])
        _ = service.catchUp()
        service.rows += singles(5) + burst(50) + singles(30, age: 200)
        #expect(service.catchUp().count == 85)
        #expect(service.catchUp() == [])
        // More than a page of the scan has.
        service.rows += (0..<150).map { row("c\($0)", age: -1_000) } + singles(5, age: -900)
        let announced = service.catchUp()
        #expect(announced.count >= 105 && Set(announced).count == announced.count)
        #expect(service.calls.count < 20)
    }

    @Test("Missed rows of the same millisecond as the newest known row are announced", arguments: [5, 50])
    func missedInTheMillisecondOfTheMark(count: Int) {
        var service = PagedService([row("old", age: 10_000), row("b-old", age: 100)])
        #expect(service.catchUp() == [])
        #expect(service.publish(row("b-live", age: 50)) == ["b-live"])
        service.rows += burst(count, age: 50)
        #expect(Set(service.catchUp()) == Set(burst(count).map(\.id)))
        #expect(service.catchUp() == [])
    }

    @Test("Rows from before the first run are not announced, whichever millisecond they have", arguments: [5, 50])
    func thereBefore(count: Int) throws {
        var service = PagedService(burst(count) + [row("old", age: 10_000)])
        _ = try loadAll(&service)
        #expect(service.driver.ids.count == count + 1)
        #expect(service.catchUp() == [])
        #expect(service.publish(row("live")) == ["live"])
        #expect(service.catchUp() == [])
    }

    @Test("Over the sandbox: 50 rows published in one call are all loaded", .timeLimit(.minutes(5)))
    func overTheSandbox() async throws {
        try await SandboxFeed.running { world in
            let time = world.clock.wall
            for number in 1...9 { try await world.sandbox.publish(["created_on": .integer(time + Int64(number))]) }
            let burst = Array(repeating: ["created_on": .integer(time - 1_000_000)] as JSON, count: 50)
            try await world.sandbox.execute("publish", ["notifications": .array(burst)])
            // As at the start of a program.
            let feed = try world.client.feeds.initialize()
            try await feed.fetch()
            var requests = 1
            while await feed.data.pageInfo.hasMore, requests < 10 {
                try await feed.fetchNextPage()
                requests += 1
            }
            let ids = await feed.data.notifications.map(\.id)
            #expect(ids == (await world.sandbox.inbox().rows.map(\.id)))
            #expect(ids.count == 60 && requests <= 4)
        }
    }
}
