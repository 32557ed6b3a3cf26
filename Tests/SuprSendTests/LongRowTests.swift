import ClientKit
import Sandbox
import Testing

@testable import SuprSend

/// Rows that are so long that a page of them is too large for one answer.
@Suite("Long rows", .timeLimit(.minutes(5))) struct LongRowTests {
    /// The service's JSON may escape each byte of a text (`\u003c`).
    @Test("One row fits into an answer, however long it is") func oneRow() {
        let message =
            Limits.title + Limits.text + Limits.subtext + 4 * Limits.url + Limits.extraData
            + Limits.actions * (Limits.name + Limits.url)
        let row = Limits.id + 4 * Limits.name + Limits.tags * Limits.tag + message
        #expect(6 * row + 4_096 < HTTPRequest(url: "").maximumBodySize)
    }

    @Test("120 rows of 60 kB are all loaded, whatever the page size", arguments: [20, 100]) func pages(size: Int)
        async throws
    {
        try await SandboxFeed.running { world in
            let text = JSON.string(String(repeating: "x", count: 60_000))
            try await world.sandbox.execute(
                "publish",
                [
                    "notifications": .array(
                        (0..<120).map { ["created_on": .integer(world.clock.wall - $0 * 1_000), "text": text] }
                    )
                ]
            )
            let feed = try world.client.feeds.initialize(FeedOptions(pageSize: size))
            try await feed.fetch()
            while await feed.data.pageInfo.hasMore { try await feed.fetchNextPage() }
            let ids = await world.sandbox.inbox().rows.map(\.id)
            #expect(await feed.data.notifications.map(\.id) == ids)
            // The agent's lists do not change the feed's.
            let page = try await feed.page(of: .init(), size: 100, after: nil)
            #expect(page.rows.map(\.id) == Array(ids.prefix(50)) && page.hasFurther)
            #expect(try await feed.newestPage().rows.count == 50)
            #expect(await feed.state.pageLimit.rows == 50, "remembered")
        }
    }

    @Test("A page is halved until it fits; one row that does not fit is an error") func halving() {
        var state = FeedState(pageSize: 25)
        var error = SuprSendError(.unexpectedAnswer, "too large")
        error.isTooLarge = true
        var load = state.beginRefresh()
        var sizes: [Int] = []
        while case .list(let size, _, _) = load.call {
            sizes.append(size)
            guard state.finish(load, .failure(error), now: base).outcome == .tooLong else { break }
            load = state.beginAgain(load)
        }
        #expect(sizes == [25, 12, 6, 3, 1])
        #expect(state.data.status == .error)
    }

    @Test("A page that arrives too slowly is requested again with a quarter of the rows, and so are the next ones")
    func slowLink() throws {
        func size(_ load: FeedState.Load) -> Int? {
            if case .list(let size, _, _) = load.call { size } else { nil }
        }
        var state = FeedState(pageSize: 20)
        var error = SuprSendError(.unreachable, "too slow")
        error.isTooSlow = true
        let first = state.beginRefresh()
        #expect(size(first) == 20)
        #expect(state.finish(first, .failure(error), now: base).outcome == .tooLong)
        let second = state.beginAgain(first)
        #expect(size(second) == 5)
        let rows = (0..<5).map { row("n\($0)", age: $0) }
        _ = state.finish(second, .success(NotificationPage(rows: rows, hasMore: true)), now: base)
        var sizes: [Int?] = []
        while let rest = state.beginRest() {
            sizes.append(size(rest))
            let first = Int64(sizes.count * 5)
            let rows = (first..<first + 5).map { row("n\($0)", age: $0) }
            _ = state.finish(rest, .success(NotificationPage(rows: rows, hasMore: true)), now: base)
        }
        #expect(sizes == [5, 5, 5], "the link is as slow; a page is enough")
        let refresh = state.beginRefresh()
        #expect(size(refresh) == 20, "it may be faster")
    }
}
