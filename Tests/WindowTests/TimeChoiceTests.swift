import AgentInterface
import Glibc
import Testing

@testable import Window

@Suite struct TimeChoiceTests {
    /// A local Tuesday, 10:00: 2026-09-22.
    private static let now = TimeText.date("2026-09-22")!.milliseconds(at: (10, 0))

    private static func time(_ date: String, _ hour: Int32, _ minute: Int32 = 0) -> Int64? {
        TimeText.date(date)?.milliseconds(at: (hour, minute))
    }

    @Test("At first it is tomorrow at nine, in the calendar and in words") func beginning() {
        let choice = TimeChoice(now: Self.now)
        #expect(choice.text == "9:00" && choice.day(now: Self.now) == .init(year: 2026, month: 9, day: 23))
        #expect(choice.time(now: Self.now) == Self.time("2026-09-23", 9))
        #expect(choice.meaning(now: Self.now) == "Until tomorrow, 9:00" && choice.problem(now: Self.now) == nil)
    }

    @Test(
        "Words say the day, or leave it to the calendar, which follows them",
        arguments: [
            ("18h", "2026-09-23", 18, "Until tomorrow, 18:00"), ("14.30", "2026-09-23", 14, "Until tomorrow, 14:30"),
            ("6pm", "2026-09-23", 18, "Until tomorrow, 18:00"), ("fri 9", "2026-09-25", 9, "Until Friday, 9:00"),
            ("in 2h", "2026-09-22", 12, "Until 12:00"), ("2026-11-05 18:05", "2026-11-05", 18, "Until Nov 5, 18:05"),
        ] as [(String, String, Int32, String)]
    )
    func words(text: String, date: String, hour: Int32, meaning: String) throws {
        var choice = TimeChoice(now: Self.now)
        choice.type(text, now: Self.now)
        let time = try #require(choice.time(now: Self.now))
        #expect(tm(dateOf: time).tm_hour == hour && choice.meaning(now: Self.now) == meaning)
        let day = tm(dateOf: try #require(Self.time(date, 12)))
        #expect(choice.day(now: Self.now) == .init(year: 2026, month: Int(day.tm_mon) + 1, day: Int(day.tm_mday)))
    }

    @Test("A day of the calendar keeps the time of day, and replaces the day that was written") func calendar() {
        var choice = TimeChoice(now: Self.now)
        choice.type("18h30", now: Self.now)
        choice.pick(.init(year: 2026, month: 12, day: 1), now: Self.now)
        #expect(choice.text == "18h30" && choice.time(now: Self.now) == Self.time("2026-12-01", 18, 30))
        choice.type("fri 8", now: Self.now)
        choice.pick(.init(year: 2026, month: 12, day: 2), now: Self.now)
        #expect(choice.text == "8:00" && choice.time(now: Self.now) == Self.time("2026-12-02", 8))
        // While another time is typed, the day stays.
        choice.type("", now: Self.now)
        #expect(choice.time(now: Self.now) == nil)
        choice.type("7:15", now: Self.now)
        #expect(choice.time(now: Self.now) == Self.time("2026-12-02", 7, 15))
    }

    @Test(
        "What is no time that is to come is said",
        arguments: [
            ("soon", "\"soon\" is not a valid time. Examples: 18:00, "), ("", "\"\" is not a valid time. Examples: "),
            ("2020-01-01", "The time \"01/01/20, 9:00\" is past."),
        ]
    )
    func wrongTime(text: String, problem: String) {
        var choice = TimeChoice(now: Self.now)
        choice.type(text, now: Self.now)
        #expect(choice.time(now: Self.now) == nil && choice.meaning(now: Self.now).hasPrefix("Examples: 18:00, "))
        #expect(choice.problem(now: Self.now)?.hasPrefix(problem) == true)
    }

    @Test("The evening, the morning and Monday are offered with their times, as far as they differ")
    func offers() throws {
        func offers(_ date: String, _ hour: Int32) throws -> [String] {
            TimeChoice.offers(now: try #require(Self.time(date, hour))).map { "\($0.title) \($0.clock)" }
        }
        #expect(try offers("2026-09-22", 10) == ["This Evening 18:00", "Tomorrow 9:00", "Monday 9:00"])
        #expect(try offers("2026-09-22", 18) == ["Tomorrow 9:00", "Monday 9:00"])
        #expect(try offers("2026-09-27", 10) == ["This Evening 18:00", "Tomorrow 9:00"], "tomorrow is Monday")
    }
}
