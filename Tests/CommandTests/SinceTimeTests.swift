import AgentInterface
import Glibc
import Testing

@testable import feedbell

@Suite struct SinceTimeTests {
    private let now: Int64 = 1_790_000_000_000

    @Test(
        "A duration is the time that long ago, and a number is a time itself",
        arguments: [
            ("2h", 1_789_992_800_000), ("2 hours", 1_789_992_800_000),
            ("٢h", 1_789_992_800_000), ("1d", 1_789_913_600_000), ("1h30m", 1_789_994_600_000), ("0", 0),
            ("1789992800000", 1_789_992_800_000), ("99999d", 0), ("9223372036854775807", .max),
        ] as [(String, Int64)]
    )
    func durations(text: String, time: Int64) {
        #expect(SinceTime.parse(text, now: now) == time)
    }

    @Test(
        "Other texts are no times",
        arguments: [
            "", " ", "yester", "-2h", "2 x", "0s", "24:00", "1:2", "+1:00", "2h3", "2026-02-29", "2026-04-31",
            "2026-13-01", "26-11-20", "2026-11-20 ", "2026-11-20 25:00", "2026-11-20 18:00 x", "1969-12-31",
            "9223372036854775808",
        ]
    )
    func invalid(text: String) {
        #expect(SinceTime.parse(text, now: now) == nil)
    }

    @Test("A date is its first minute, and a date with a time is what lists print")
    func dates() throws {
        #expect(try shown("2026-11-20") == "2026-11-20 00:00")
        #expect(try shown("2026-11-20 18:05") == "2026-11-20 18:05")
        #expect(try shown("2024-02-29 9:05") == "2024-02-29 09:05")
        #expect(try shown("1970-01-02") == "1970-01-02 00:00")
    }

    /// The time in the form of a list, which leaves out today's date.
    private func shown(_ text: String) throws -> String {
        LocalTime(try #require(SinceTime.parse(text, now: now))).text(now: now)
    }

    @Test(
        "A day begins at midnight, and may have a time of day",
        arguments: [
            ("today", "2026-09-21 00:00"), ("yesterday", "2026-09-20 00:00"), ("Yesterday 18:00", "2026-09-20 18:00"),
            ("monday", "2026-09-21 00:00"), ("sun", "2026-09-20 00:00"), ("tuesday 9:00", "2026-09-15 09:00"),
            ("2026-09-20T10:00", "2026-09-20 10:00"),
        ]
    )
    func days(text: String, expected: String) throws {
        let later = now + 400 * 86_400_000
        #expect(LocalTime(try #require(SinceTime.parse(text, now: now))).text(now: later) == expected)
    }

    @Test("A duration may be that long ago, and now is now") func ago() {
        #expect(SinceTime.parse("2h ago", now: now) == now - 7_200_000)
        #expect(SinceTime.parse("1w", now: now) == now - 604_800_000)
        #expect(SinceTime.parse("now", now: now) == now)
    }

    @Test("A time of day is the last one", arguments: [-3 * 3600, -60, 0, 60, 3 * 3600])
    func timeOfDay(offset: Int) throws {
        // Noon, so that no offset leaves the day.
        let noon = tm(dateOf: now).milliseconds(at: (12, 0))
        let clock = LocalTime(noon + Int64(offset) * 1000).text(now: noon)
        let time = try #require(SinceTime.parse(clock, now: noon))
        #expect(time <= noon)
        #expect(LocalTime(time).text(now: time) == clock)
        #expect(LocalTime(time).text(now: noon).contains(" ") == (offset > 0), "yesterday")
    }
}
