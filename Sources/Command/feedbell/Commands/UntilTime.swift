import Glibc
import InboxPresentation
import Translation

/// The end of a pause or of a snooze, as it is written on the command line.
enum UntilTime {
    static let forms = "a duration (30m, 2h, 3d, 1w), tomorrow, a weekday, a date (YYYY-MM-DD), or until HH:MM"
    static let examples = "30m, 2h, 3d, 1w, tomorrow, monday, until 14:30, until 2026-12-01"

    private static let longest: Int64 = 366 * 86_400
    private static let morning: (hour: Int32, minute: Int32) = (9, 0)
    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// Milliseconds since the Unix epoch; nil if the words are invalid or the time is past.
    ///
    /// A day is its morning, at nine. "until" may stand before a day, and must stand before a time of day.
    static func parse(_ words: [String], now: Int64) -> Int64? {
        switch words.count {
        case 1: seconds(words[0]).map { now + $0 * 1000 } ?? day(words[0], now: now)
        case 2 where words[0] == "until": next(words[1], now: now) ?? day(words[1], now: now)
        default: nil
        }
    }

    /// The notice about a time of day that has passed today; nil: none.
    static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        guard words.count == 2, TimeText.timeOfDay(words[1]) != nil else { return nil }
        let time = LocalTime(until).text(now: now)
        return time.contains(" ") ? passed(words[1], next: time) : nil
    }

    private static func passed(_ time: String, next: String) -> String {
        translated("{time} is past today: paused until tomorrow, {next}.", ["time": time, "next": next])
    }

    /// `90m`, `1h30m`: at most a year.
    private static func seconds(_ text: String) -> Int64? {
        TimeText.seconds(text).flatMap { $0 <= longest ? $0 : nil }
    }

    /// The morning of `tomorrow`, of the next day with this name, or of a date.
    private static func day(_ text: String, now: Int64) -> Int64? {
        let today = tm(dateOf: now)
        if text.lowercased() == "tomorrow" { return today.milliseconds(at: morning, days: 1) }
        if let weekday = weekday(text) {
            return today.milliseconds(at: morning, days: (weekday - today.tm_wday + 6) % 7 + 1)
        }
        return TimeText.date(text).map { $0.milliseconds(at: morning) }.flatMap { $0 > now ? $0 : nil }
    }

    /// The number of a weekday, by its name or the first letters of it; Sunday is 0.
    private static func weekday(_ text: String) -> Int32? {
        guard text.count >= 3 else { return nil }
        return weekdays.firstIndex { $0.hasPrefix(text.lowercased()) }.map(Int32.init)
    }

    /// The next local time `HH:MM`.
    private static func next(_ text: String, now: Int64) -> Int64? {
        guard let time = TimeText.timeOfDay(text) else { return nil }
        let today = tm(dateOf: now)
        let end = today.milliseconds(at: time)
        return end > now ? end : today.milliseconds(at: time, days: 1)
    }
}
