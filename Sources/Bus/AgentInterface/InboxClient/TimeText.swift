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

    /// The seconds of a duration, from one second to 9999 years: `90m`, `1h30m`, `1w`. nil if the text is no duration.
    package static func seconds(_ text: some StringProtocol) -> Int64? {
        var total: Int64 = 0
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                if digits.count > 9 { return nil }
                continue
            }
            let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
            guard let unit = units[character], let number = Int64(digits) else { return nil }
            total += number * unit
            if total > longestDuration { return nil }
            digits = ""
        }
        return digits.isEmpty && total > 0 ? total : nil
    }

    /// A local time of day.
    package typealias Clock = (hour: Int32, minute: Int32)

    /// The hour and minute of `HH:MM`, also `H:MM`.
    package static func timeOfDay(_ text: some StringProtocol) -> Clock? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = number(parts[0], 1...2, 0...23), let minute = number(parts[1], 2...2, 0...59)
        else { return nil }
        return (hour, minute)
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
