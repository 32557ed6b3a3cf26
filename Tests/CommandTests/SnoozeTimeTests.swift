import InboxPresentation
import Testing

@testable import feedbell

@Suite struct SnoozeTimeTests {
    /// 2026-09-21, a Monday.
    private let now: Int64 = 1_790_000_000_000

    @Test(
        "A time is a duration, a day at nine, or a time of day",
        arguments: [
            ("30m", nil), ("tomorrow", "2026-09-22 09:00"), ("Monday", "2026-09-28 09:00"), ("tue", "2026-09-22 09:00"),
            ("sunday", "2026-09-27 09:00"), ("until 2026-12-01", "2026-12-01 09:00"),
        ] as [(String, String?)]
    )
    func times(text: String, expected: String?) throws {
        let time = try #require(SnoozeTime.parse(text.split(separator: " ").map(String.init), now: now))
        #expect(time == now + 1_800_000 || LocalTime(time).text(now: now) == expected)
        #expect(try #require(SnoozeTime.parse(["until", "23:59"], now: now)) > now)
    }

    @Test(
        "Other texts are no times",
        arguments: ["", "mo", "yesterday", "0s", "400d", "until", "until 2020-01-01", "1 h"]
    )
    func invalid(text: String) {
        #expect(SnoozeTime.parse(text.split(separator: " ").map(String.init), now: now) == nil)
    }
}
