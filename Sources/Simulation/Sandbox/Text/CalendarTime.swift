/// A time of the Gregorian calendar in UTC.
struct CalendarTime: Sendable, Equatable {
    var year: Int64
    var month: Int64
    var day: Int64
    /// Days since Thursday, modulo seven.
    var weekday: Int
    /// Milliseconds since midnight.
    var time: Int64

    /// - Parameter milliseconds: since the Unix epoch; earlier times count as the epoch.
    init(_ milliseconds: Int64) {
        let (day, time) = max(0, milliseconds).quotientAndRemainder(dividingBy: 86_400_000)
        // Converts days to a Gregorian date, with years that begin in March.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        weekday = Int(day % 7)
        self.time = time
    }

    var hour: Int64 { time / 3_600_000 }
    var minute: Int64 { time / 60_000 % 60 }
    var second: Int64 { time / 1_000 % 60 }
    var millisecond: Int64 { time % 1_000 }

    static func padded(_ value: Int64, to width: Int = 2) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// ISO 8601 with milliseconds and "Z", such as `2026-01-01T00:00:00.125Z`.
enum ISODate {
    /// - Parameter milliseconds: since the Unix epoch.
    static func text(_ milliseconds: Int64) -> String {
        let date = CalendarTime(milliseconds)
        func padded(_ value: Int64, _ width: Int = 2) -> String { CalendarTime.padded(value, to: width) }
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))T"
            + "\(padded(date.hour)):\(padded(date.minute)):\(padded(date.second)).\(padded(date.millisecond, 3))Z"
    }
}
