import AgentInterface
import Testing

@testable import Window

/// The words above the first row of a day. The present is the noon of Friday, 21 November 2025.
@Suite struct DayHeadingsTests {
    private typealias Fixture = PageFixture

    private static let day: Int64 = 86_400

    /// A page with notifications of these ages in seconds, of which the first ones are pinned.
    private func page(pinned: [Int64] = [], _ ages: [Int64]) -> PageFixture {
        let notifications = (pinned + ages).enumerated().map { number, age in
            Fixture.notification("\(number)", age: age) { $0.isPinned = number < pinned.count }
        }
        return PageFixture([Fixture.account("work")], [notifications])
    }

    private func headings(_ page: PageFixture) -> [String?] {
        page.page.rows.map { page.page.row($0)?.heading }
    }

    @Test("The first row of each day, of the last week and of each month has a heading") func periods() {
        let days: [Int64] = [-1, 0, 0, 1, 1, 2, 4, 5, 11, 12, 20, 21, 60, 325, 360]
        let expected = [
            "Today", "", "", "Yesterday", "", "Wednesday", "Monday", "Last Week", "", "November", "", "October",
            "September", "December 2024", "November 2024",
        ]
        #expect(headings(page(days.map { $0 * Self.day })) == expected)
    }

    @Test("At midnight, or in another time zone, there are other headings") func midnight() {
        // Monday, Sunday, Saturday, Monday and Sunday.
        var page = page([4, 5, 6, 11, 12].map { $0 * Self.day })
        page.now -= 4 * Self.day * 1_000
        _ = page.send(.timeZoneChanged)
        #expect(headings(page) == ["Today", "Yesterday", "Last Week", "", "November"])
        let effects = page.page.receive(.visible(page.page.rows), now: page.now)
        #expect(effects.contains { if case .runClock(_, let time) = $0 { time <= Self.day * 1_000 } else { false } })
        page.now += Self.day * 1_000
        _ = page.send(.clock(0))
        #expect(headings(page) == ["Yesterday", "Last Week", "", "", "November"])
    }

    @Test("Pinned ones stand above the days, and the heading goes to the next row of a day") func lists() {
        var page = page(pinned: [3 * Self.day], [0, 0, Self.day])
        #expect(headings(page) == ["Pinned", "Today", "", "Yesterday"])
        _ = page.send(.select([Fixture.row("1")]))
        _ = page.send(.act(.archive))
        #expect(headings(page) == ["Pinned", "Today", "Yesterday"])
        _ = page.send(.act(.headings))
        #expect(headings(page) == ["", "", ""])
    }
}
