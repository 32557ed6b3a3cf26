import Glibc
import InboxPresentation
import Testing

@testable import feedbell

@Suite struct AgentControlTests {
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
        let until = try #require(PauseTime.parse(["until", time], now: now))
        let notice = PauseTime.notice(["until", time], until: until, now: now)
        #expect((notice != nil) == isTomorrow)
        let end = LocalTime(until).text(now: now)
        if isTomorrow { #expect(notice == "\(time) is past today: paused until tomorrow, \(end).") }
        #expect(PauseTime.notice(["1d"], until: now + 86_400_000, now: now) == nil)
        #expect(PauseTime.notice([], until: 0, now: now) == nil)
    }

    @Test(
        "A duration and a time of day have one form each",
        arguments: [
            (["90m"], 5400), (["1h30m"], 5400), (["366d"], 366 * 86_400), (["367d"], nil), (["0s"], nil), (["5"], nil),
            (["-1h"], nil), (["1h30"], nil), (["1234567890s"], nil), ([""], nil), (["until"], nil), (["18:00"], nil),
            (["until", "24:00"], nil), (["until", "18:60"], nil), (["until", "18:5"], nil), (["until", "+8:00"], nil),
        ] as [([String], Int64?)]
    )
    func pauseTime(words: [String], seconds: Int64?) {
        let now: Int64 = 1_790_000_000_000
        #expect(PauseTime.parse(words, now: now) == seconds.map { now + $0 * 1000 })
    }

    @Test(
        "The most similar command is suggested, if one is similar",
        arguments: [
            ("lits", "Did you mean \"list\"?"), ("statu", "Did you mean \"status\"?"),
            ("recconnect", "Did you mean \"reconnect\"?"), ("foo", nil), ("x", nil),
        ]
    )
    func similarCommand(word: String, suggestion: String?) {
        #expect(Suggestion.of(["status", "list", "follow", "reconnect"], for: word) == suggestion)
    }
}
