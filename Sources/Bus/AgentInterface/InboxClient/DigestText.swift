import VisibleText

extension DigestRecord {
    /// `weekly, Monday, Thursday 9:00, from 2026-01-31`.
    package var words: String {
        let time = self.time.map(Self.shortTime)
        let when = [days, time].compactMap(\.self).joined(separator: " ")
        // Translators: The first day of a digest schedule.
        let start = self.start.map { translated("from {date}", ["date": $0]) }
        return translatedList([repetition, when, start ?? ""].filter { !$0.isEmpty }).onOneLine
    }

    /// How often it is sent.
    private var repetition: String {
        let count = Int(max(1, self.interval))
        switch self.frequency {
        // Translators: This and the following ones say how often a digest is sent.
        case "instantly": return translated("at once")
        case "minutely": return translated("every minute", plural: "every {count} minutes", count: count)
        case "hourly": return translated("hourly", plural: "every {count} hours", count: count)
        case "daily": return translated("daily", plural: "every {count} days", count: count)
        case "weekly": return translated("weekly", plural: "every {count} weeks", count: count)
        case "weekly_mo2fr": return translated("Monday to Friday")
        case "monthly": return translated("monthly", plural: "every {count} months", count: count)
        default: return self.label.isEmpty ? self.id : self.label
        }
    }

    private var days: String? {
        let weekdays = self.frequency == "weekly_mo2fr" ? [] : self.weekdays ?? []
        let days = Weekday.names(weekdays) + (self.monthdays ?? []).map(\.words)
        return days.isEmpty ? nil : translatedList(days)
    }

    /// `9:00` for `09:00`.
    private static func shortTime(_ time: String) -> String {
        time.hasPrefix("0") && time.count == 5 ? String(time.dropFirst()) : time
    }
}

extension DigestMonthDay {
    /// `day 15`, `last day`, `first Monday`, `last Saturday/Sunday`.
    fileprivate var words: String {
        guard !weekdays.isEmpty else {
            if position == -1 { return translated("last day") }
            // Translators: A day of the month. A negative number counts from its end.
            return translated("day {number}", ["number": "\(position)"])
        }
        let days = ["weekday": Weekday.names(weekdays).joined(separator: "/")]
        switch position {
        // Translators: A weekday of each month, such as "first Monday".
        case 1: return translated("first {weekday}", days)
        case 2: return translated("second {weekday}", days)
        case 3: return translated("third {weekday}", days)
        case 4: return translated("fourth {weekday}", days)
        case -1: return translated("last {weekday}", days)
        // Translators: The position of a weekday in the month, such as "5. Monday"; negative: from its end.
        default: return translated("{number}. {weekday}", days.merging(["number": "\(position)"]) { $1 })
        }
    }
}

extension Weekday {
    /// The names of days. An unknown code stays as it is.
    fileprivate static func names(_ codes: [String]) -> [String] { codes.map { Weekday(rawValue: $0)?.name ?? $0 } }
}
