import AgentInterface
import Glibc
import Testing

@testable import feedbell

@Suite struct UntilTimeTests {
    /// 2026-09-21, a Monday.
    private let now: Int64 = 1_790_000_000_000

    private func parse(_ text: String) -> Int64? {
        UntilTime.parse(UntilTime.words(text), now: now)
    }

    @Test(
        "A pause and a snooze end on a day at nine",
        arguments: [
            ("tomorrow", "2026-09-22 09:00"), ("until tomorrow", "2026-09-22 09:00"),
            ("Monday", "2026-09-28 09:00"), ("until monday", "2026-09-28 09:00"), ("tue", "2026-09-22 09:00"),
            ("until Sun", "2026-09-27 09:00"), ("2026-12-01", "2026-12-01 09:00"),
            ("until 2026-12-01", "2026-12-01 09:00"), ("tomorrow 14:30", "2026-09-22 14:30"),
            ("until monday 8:00", "2026-09-28 08:00"), ("2026-12-01 14:30", "2026-12-01 14:30"),
            ("until 2026-12-01T14:30", "2026-12-01 14:30"),
        ]
    )
    func days(text: String, expected: String) throws {
        #expect(LocalTime(try #require(parse(text))).text(now: now) == expected)
    }

    @Test(
        "They end after a duration of at most a year",
        arguments: [
            ("30s", 30), ("90m", 5400), ("1h30m", 5400), ("1d", 86_400), ("1w", 604_800), ("1w1d", 691_200),
            ("366d", 366 * 86_400), ("367d", nil), ("53w", nil), ("0s", nil), ("5", nil), ("-1h", nil), ("1h30", nil),
            ("1234567890s", nil), ("1 h", 3600), ("in 2h", 7200), ("in 20 minutes", 1200), ("for 1 hour 30 min", 5400),
            ("until in 2h", 7200), ("until 30m", nil), ("in 18:00", nil), ("in tomorrow", nil), ("1h 2", nil),
        ] as [(String, Int64?)]
    )
    func durations(text: String, seconds: Int64?) { #expect(parse(text) == seconds.map { now + $0 * 1000 }) }

    @Test(
        "They end at the next time of day",
        arguments: ["until 23:59", "until 0:00", "until 09:05", "at 09:05", "23:59"]
    )
    func timesOfDay(text: String) throws {
        let end = try #require(parse(text))
        #expect(now < end && end <= now + 25 * 3_600_000)
        #expect(LocalTime(end).text(now: end) == (text == "until 0:00" ? "00:00" : String(text.suffix(5))))
    }

    @Test(
        "An hour after until is a time of day, alone it is a duration, and both can be said elsewhere",
        arguments: [
            ("until 11h", "11:00", true), ("until 11h30", "11:30", true), ("until 11am", "11:00", true),
            ("until 11.30", "11:30", true), ("until 11", "11:00", true), ("until 11 o'clock", "11:00", true),
            ("at 6 pm", "18:00", true), ("until 12am", "00:00", true), ("11.30", "11:30", true),
            ("6:05 p.m.", "18:05", true), ("2h", "2h", false), ("fri 18h", "2026-09-25 18:00", false),
            ("fri 9", "2026-09-25 09:00", false), ("tomorrow at 9", "2026-09-22 09:00", false),
            ("on Monday at 6pm", "2026-09-28 18:00", false),
        ]
    )
    func hours(text: String, expected: String, isTimeOfDay: Bool) throws {
        let reading = try #require(TimeReader(direction: .future, now: now).reading(UntilTime.words(text)))
        #expect(reading.isTimeOfDay == isTimeOfDay)
        if text == "2h" { return #expect(reading.time == now + 7_200_000) }
        #expect(LocalTime(reading.time).text(now: isTimeOfDay ? reading.time : now) == expected)
        if isTimeOfDay { #expect(now < reading.time && reading.time <= now + 25 * 3_600_000) }
    }

    @Test("In a dialog, hours alone are a time of day, and other durations stay what they are")
    func hoursInDialog() throws {
        func read(_ text: String) -> Int64? { UntilTime.parse(UntilTime.words(text), hours: .timeOfDay, now: now) }
        for (text, clock) in [("18h", "18:00"), ("2h", "02:00"), ("9", "09:00"), ("18h30", "18:30")] {
            let time = try #require(read(text))
            #expect(LocalTime(time).text(now: time) == clock)
        }
        #expect(read("in 2h") == now + 7_200_000 && read("2 hours") == now + 7_200_000)
        #expect(read("30m") == now + 1_800_000 && read("in 20 minutes") == now + 1_200_000)
    }

    @Test(
        "Other words are no time",
        arguments: [
            "", "mo", "yesterday", "until", "until until", "until 24:00", "today", "2026-09-20 10:00", "until 18:60",
            "until 18:5", "until 24h", "until 13pm", "1h30", "9", "11 30",
            "until +8:00", "until 2020-01-01", "2026-09-20", "2026-02-30", "until monday 9:00 x",
            String(repeating: "999999999w", count: 40),
        ]
    )
    func invalid(text: String) { #expect(parse(text) == nil) }

    @Test("A time that is past is named as such") func past() {
        func sentence(_ words: [String]) -> String? {
            let result = Result { () throws(Failure) in try UntilTime.required(words, now: now) }
            if case .failure(let failure) = result { return failure.sentence }
            return nil
        }
        #expect(sentence(["until", "2020-01-01"]) == "The time \"until 2020-01-01\" is past.")
        #expect(sentence(["soon"])?.hasPrefix("\"soon\" is not a valid time. Examples: ") == true)
        #expect(sentence(["1h"]) == nil)
    }

    @Test(
        "The time of a snooze is as many of the last words as are one",
        arguments: [
            (["a", "1h"], 1), (["a", "b", "tomorrow"], 2), (["a", "until", "14:30"], 1), (["a", "14:30"], 1),
            (["a", "monday", "8:00"], 1), (["a", "until", "2026-12-01", "14:30"], 1), (["a", "b", "soon"], 2),
            (["a", "until", "soon"], 1), (["1h"], 0), ([], 0), (["a", "off"], 1),
        ] as [([String], Int)]
    )
    func snoozeWords(words: [String], ids: Int) {
        let parts = SnoozeCommand.parts(words, now: now)
        #expect(parts.ids.count == ids && parts.ids + parts.time == words)
    }

    @Test(
        "A pause until a time that has passed today ends tomorrow, and the command reports that",
        arguments: [
            (-60, true), (-3 * 3600, true), (60, false), (3 * 3600, false),
        ]
    )
    func pauseUntilAPastTime(offset: Int, isTomorrow: Bool) throws {
        // Noon, so that no offset leaves the day.
        var seconds = time_t(1_790_000_000)
        var clock = tm()
        localtime_r(&seconds, &clock)
        (clock.tm_hour, clock.tm_min, clock.tm_sec, clock.tm_isdst) = (12, 0, 0, -1)
        let now = Int64(mktime(&clock)) * 1000
        var then = time_t(Int(now / 1000) + offset)
        localtime_r(&then, &clock)
        let time = "\(clock.tm_hour):\(clock.tm_min < 10 ? "0" : "")\(clock.tm_min)"
        let until = try #require(UntilTime.parse(["until", time], now: now))
        let notice = UntilTime.notice(["until", time], until: until, now: now)
        #expect((notice != nil) == isTomorrow)
        let end = LocalTime(until).text(now: now)
        let padded = LocalTime(until).text(now: until)
        if isTomorrow { #expect(notice == "\(padded) is past today: paused until tomorrow, \(end).") }
        #expect(UntilTime.notice(["1d"], until: now + 86_400_000, now: now) == nil)
        #expect(UntilTime.notice(["until", "tomorrow"], until: now + 86_400_000, now: now) == nil)
        #expect(UntilTime.notice([], until: 0, now: now) == nil)
    }

    @Test(
        "The words of a mute are a time if they can be read as one, else a category before a time",
        arguments: [
            ("builds", ["builds"], []), ("builds 1h", ["builds"], ["1h"]), ("1h", [], ["1h"]),
            ("builds until tomorrow", ["builds"], ["until", "tomorrow"]), ("monday 8:00", [], ["monday", "8:00"]),
            ("until 2020-12-01", [], ["until", "2020-12-01"]), ("builds monday 8:00", ["builds"], ["monday", "8:00"]),
            ("builds news", ["builds"], ["news"]), ("", [], []),
        ] as [(String, [String], [String])]
    )
    func mutes(text: String, category: [String], time: [String]) {
        let words = UntilTime.words(text)
        let read = MuteWords(words, takesCategory: true, now: now)
        #expect(read.category == category && read.time == time)
        let withOption = MuteWords(words, takesCategory: false, now: now)
        #expect(withOption.category == [] && withOption.time == words)
    }
}
