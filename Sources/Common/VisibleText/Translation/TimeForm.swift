package import Glibc
import Synchronization

/// How a locale writes a day of the year and a time of day: "5. Nov", "18:00"; "Nov 5", "6:00 PM".
package struct TimeForm: Equatable, Sendable {
    /// A format of strftime(3).
    var day: String
    /// A format of strftime(3).
    var date: String
    /// What follows the hours before noon and those after it; nil: there are 24 hours.
    var halves: [String]?

    /// - Parameters:
    ///   - dateAndTime: As date(1) writes them, a format of strftime(3).
    ///   - time: A format of strftime(3).
    ///   - halves: Empty texts in locales that do not use them.
    init(dateAndTime: String, date: String, time: String, halves: [String], isTwelveHours: Bool? = nil) {
        let words = dateAndTime.split(separator: " ").map(String.init)
        func names(_ word: String) -> Bool { ["%b", "%B", "%d", "%e", "%-d"].contains { word.contains($0) } }
        if let first = words.firstIndex(where: names), let last = words.lastIndex(where: names) {
            day = words[first...last].joined(separator: " ")
        } else {
            day = "%e %b"
        }
        for padded in ["%d", "%e"] {
            if let range = day.firstRange(of: padded) { day.replaceSubrange(range, with: "%-d") }
        }
        self.date = date
        let hasHalves = ["%I", "%l", "%p", "%r"].contains { time.contains($0) }
        let names = zip(halves, ["AM", "PM"]).map { $0.isEmpty ? $1 : $0 }
        self.halves = isTwelveHours ?? hasHalves ? names : nil
    }

    /// As LC_TIME of the environment says, after `Language.useEnvironment()`, and ``useHours(_:)``.
    package static var current: TimeForm {
        let locale = Language.timeLocale
        func text(_ item: Int, inC text: String) -> String {
            guard let locale else { return text }
            return nl_langinfo_l(Int32(item), locale).map { String(cString: $0) } ?? ""
        }
        return TimeForm(
            dateAndTime: text(_DATE_FMT, inC: "%a %b %e"),
            date: "%x",
            time: text(T_FMT, inC: "%T"),
            halves: [text(AM_STR, inC: "AM"), text(PM_STR, inC: "PM")],
            isTwelveHours: isTwelveHours
        )
    }

    private static let hours = Atomic<Int>(0)

    private static var isTwelveHours: Bool? {
        let hours = hours.load(ordering: .relaxed)
        return hours == 0 ? nil : hours == 12
    }

    /// Writes times of day with 12 or 24 hours, whatever the locale says.
    package static func useHours(_ count: Int) { hours.store(count, ordering: .relaxed) }

    /// `18:00`, `6:00 PM`.
    package func time(hour: Int32, minute: Int32) -> String {
        let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
        guard let halves else { return "\(hour):\(minutes)" }
        return "\((hour + 11) % 12 + 1):\(minutes) \(halves[hour < 12 ? 0 : 1])"
    }

    /// - Parameter hasYear: Whether the year is written, too.
    package func date(_ time: tm, hasYear: Bool) -> String { Self.text(time, hasYear ? date : day) }

    /// The name of the month, as it stands alone.
    package static func month(_ time: tm) -> String { text(time, "%OB") }

    private static func text(_ time: tm, _ format: String) -> String {
        var (time, bytes) = (time, [CChar](repeating: 0, count: 100))
        // In the locale C where there is no other.
        guard let locale = Language.timeLocale ?? newlocale(1 << LC_TIME, "C", nil) else { return "" }
        let count = strftime_l(&bytes, bytes.count, format, &time, locale)
        if Language.timeLocale == nil { freelocale(locale) }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
