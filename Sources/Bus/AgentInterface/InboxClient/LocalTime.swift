import Glibc
import VisibleText

/// A time in the user's time zone.
package struct LocalTime {
    private let parts: tm

    /// - Parameter milliseconds: Since the Unix epoch.
    package init(_ milliseconds: Int64) {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        self.parts = parts
    }

    /// The present time in milliseconds since the Unix epoch. From now on, local times are in the present time zone:
    /// `localtime_r(3)` does not look for a change of it.
    package static var now: Int64 {
        tzset()
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// `09:12` on the day of `now`, otherwise `2026-11-20 09:12`.
    package func text(now: Int64) -> String {
        let today = LocalTime(now).parts
        let time = "\(Self.padded(parts.tm_hour)):\(Self.padded(parts.tm_min))"
        guard (parts.tm_year, parts.tm_yday) != (today.tm_year, today.tm_yday) else { return time }
        return "\(date) \(time)"
    }

    /// The time of day in the form of the user's locale: `9:12`, `9:12 AM`.
    package var clock: String { TimeForm.current.time(hour: parts.tm_hour, minute: parts.tm_min) }

    /// The time in the form of the user's locale, as a part of a sentence: `9:12`, `tomorrow, 9:12`, `Monday, 9:12`,
    /// `Nov 20, 9:12`.
    package func shown(now: Int64) -> String { translatedList([day(now: now), clock].filter { !$0.isEmpty }) }

    /// Empty: it is the day of `now`.
    private func day(now: Int64) -> String {
        let today = LocalTime(now).parts
        let days = (Self.noon(parts) - Self.noon(today)) / 86_400
        switch days {
        case 0: return ""
        // Translators: The day before a time of day, as a part of a sentence, as in "Snoozed until tomorrow, 9:00."
        case -1: return translated("yesterday")
        case 1: return translated("tomorrow")
        case 2...6: return Weekday.allCases[Int(parts.tm_wday + 6) % 7].name
        default: return shownDate(now: now)
        }
    }

    /// The date in the form of the user's locale: `Nov 20`, with the year if it is another one.
    package func shownDate(now: Int64) -> String {
        TimeForm.current.date(parts, hasYear: parts.tm_year != LocalTime(now).parts.tm_year)
    }

    /// The noon of a date in seconds, as if all days had 24 hours.
    private static func noon(_ date: tm) -> Int {
        var noon = date
        (noon.tm_hour, noon.tm_min, noon.tm_sec) = (12, 0, 0)
        return timegm(&noon)
    }

    /// `2026-11-20`.
    package var date: String {
        "\(parts.tm_year + 1900)-\(Self.padded(parts.tm_mon + 1))-\(Self.padded(parts.tm_mday))"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
