package import Glibc
import VisibleText

/// Parts of times, as the user writes them.
package enum TimeText {
    /// The sentence about a text that is no time.
    ///
    /// - Parameter forms: Examples of what is accepted.
    package static func invalid(_ text: String, forms: String) -> String {
        translated("\"{text}\" is not a valid time. Examples: {examples}", ["text": text, "examples": forms])
    }

    private static let longestDuration: Int64 = 9999 * 366 * 86_400

    /// The seconds of a duration, from one second to 9999 years: `90m`, `1h30m`, `20 minutes`. nil if the text is none.
    package static func seconds(_ text: String) -> Int64? {
        var total: Int64 = 0
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let word = rest[digits.endIndex...].drop { $0 == " " }.prefix { $0 != " " && !($0.isASCII && $0.isNumber) }
            guard digits.count <= 9, let number = Int64(digits), let unit = TimeWords.unit(String(word)) else {
                return nil
            }
            total += number * unit
            if total > longestDuration { return nil }
            rest = rest[word.endIndex...].drop { $0 == " " }
        }
        return total > 0 ? total : nil
    }

    /// A local time of day.
    package typealias Clock = (hour: Int32, minute: Int32)

    /// The hour and minute of `9:05`, `9.05`, `9 am`, `9h05`, and how else a time of day is written in English and in
    /// the user's language.
    ///
    /// - Parameters:
    ///   - words: Folded.
    ///   - isBare: Whether an hour alone is one, and one in a word for hours that is also a unit, such as `9h`.
    package static func clock(_ words: [String], isBare: Bool) -> Clock? {
        var text = words.first ?? ""
        for word in words.dropFirst() {
            if let last = text.last, last.isNumber, let first = word.first, first.isNumber { return nil }
            text += word
        }
        var isAfternoon: Bool?
        for (words, value) in [(TimeWords.beforeNoon, false), (.afterNoon, true)] where isAfternoon == nil {
            if let rest = words.all.compactMap({ text.without($0) }).min(by: { $0.count < $1.count }) {
                (text, isAfternoon) = (rest, value)
            }
        }
        guard let (hour, minute, isUnit) = parts(text) else { return nil }
        switch isAfternoon {
        case nil where isUnit && !isBare: return nil
        case nil: return (hour, minute)
        case let isAfternoon?: return (1...12).contains(hour) ? (hour % 12 + (isAfternoon ? 12 : 0), minute) : nil
        }
    }

    /// The numbers of a time of day, and whether it could be a number or a duration.
    private static func parts(_ text: String) -> (hour: Int32, minute: Int32, isUnit: Bool)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let hour = number(digits, 1...2, 0...23) else { return nil }
        let rest = text[digits.endIndex...]
        let sign = rest.prefix { !($0.isASCII && $0.isNumber) }
        let minutes = rest[sign.endIndex...].prefix { $0.isASCII && $0.isNumber }
        let end = String(rest[minutes.endIndex...])
        let isHour = TimeWords.hour.contains(String(sign))
        if minutes.isEmpty {
            return sign.isEmpty || isHour ? (hour, 0, sign.isEmpty || TimeWords.hours.contains(String(sign))) : nil
        }
        guard let minute = number(minutes, 2...2, 0...59) else { return nil }
        if sign == ":" || sign == "." {
            return end.isEmpty || TimeWords.hour.contains(end) ? (hour, minute, false) : nil
        }
        return isHour && (end.isEmpty || TimeWords.minutes.contains(end))
            ? (hour, minute, TimeWords.hours.contains(String(sign))) : nil
    }

    /// The local date `YYYY-MM-DD`.
    package static func date(_ text: some StringProtocol) -> tm? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], 4...4, 1970...9999),
            let month = number(parts[1], 2...2, 1...12), let day = number(parts[2], 2...2, 1...31)
        else { return nil }
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (year - 1900, month - 1, day)
        // Noon exists in every time zone. 31 April would become 1 May.
        var noon = date
        noon.tm_hour = 12
        mktime(&noon)
        return noon.tm_mday == day ? date : nil
    }

    private static func number(_ text: some StringProtocol, _ digits: ClosedRange<Int>, _ values: ClosedRange<Int32>)
        -> Int32?
    {
        guard digits.contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int32(text).flatMap { values.contains($0) ? $0 : nil }
    }
}

extension String {
    /// The rest of a text that begins or ends with another one; nil: it does not.
    fileprivate func without(_ part: String) -> String? {
        if hasSuffix(part) { return String(dropLast(part.count)) }
        return hasPrefix(part) ? String(dropFirst(part.count)) : nil
    }
}

extension tm {
    /// The local date of a time.
    ///
    /// - Parameter milliseconds: Since the Unix epoch.
    package init(dateOf milliseconds: Int64) {
        var seconds = time_t(milliseconds / 1000)
        self.init()
        localtime_r(&seconds, &self)
    }

    /// Milliseconds since the Unix epoch at a local time of this date, or of the date `days` later.
    package func milliseconds(at time: (hour: Int32, minute: Int32), days: Int32 = 0) -> Int64 {
        var clock = self
        (clock.tm_hour, clock.tm_min, clock.tm_sec, clock.tm_isdst) = (time.hour, time.minute, 0, -1)
        clock.tm_mday += days
        return Int64(mktime(&clock)) * 1000
    }
}
