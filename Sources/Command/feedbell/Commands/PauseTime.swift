import Glibc
import InboxPresentation
import Translation

/// The end of a pause, as it is written on the command line.
enum PauseTime {
    /// Milliseconds since the Unix epoch, 0 for "until resumed"; nil if the words are invalid.
    static func parse(_ words: [String], now: Int64) -> Int64? {
        switch words.count {
        case 0: return 0
        case 1: return seconds(words[0]).map { now + $0 * 1000 }
        case 2 where words[0] == "until": return next(words[1], now: now)
        default: return nil
        }
    }

    /// The notice about a time of day that has passed today; nil: none.
    static func notice(_ words: [String], until: Int64, now: Int64) -> String? {
        guard words.first == "until", words.count == 2 else { return nil }
        let time = LocalTime(until).text(now: now)
        return time.contains(" ") ? passed(words[1], next: time) : nil
    }

    private static func passed(_ time: String, next: String) -> String {
        translated("{time} is past today: paused until tomorrow, {next}.", ["time": time, "next": next])
    }

    /// `90m`, `1h30m`: at most a year.
    private static func seconds(_ text: String) -> Int64? {
        TimeText.seconds(text).flatMap { $0 <= 366 * 86_400 ? $0 : nil }
    }

    /// The next local time `HH:MM`.
    private static func next(_ text: String, now: Int64) -> Int64? {
        guard let time = TimeText.timeOfDay(text) else { return nil }
        let today = tm(dateOf: now)
        let end = today.milliseconds(at: time)
        return end > now ? end : today.milliseconds(at: time, days: 1)
    }
}
