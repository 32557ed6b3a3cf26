import AgentInterface
import DBus
import Inbox

extension PreferencesContents.Digest.Change {
    private static let keyNames = DigestChangeKeys.descriptions.map(\.name)

    /// Reads the schedule of `SetDigest`.
    ///
    /// - Throws: `InvalidArgs` for an unknown key, a value of another type, one that is no time or day, and an empty
    ///   schedule.
    init(_ schedule: [String: Value]) throws(DBusError) {
        if let unknown = schedule.keys.sorted().first(where: { !Self.keyNames.contains($0) }) {
            throw DBusError(
                .invalidArgs,
                "A digest schedule has no \"\(unknown)\". The keys are \(Self.keyNames.joined(separator: ", "))."
            )
        }
        guard !schedule.isEmpty else {
            throw DBusError(
                .invalidArgs,
                "The schedule is empty. Give at least one of \(Self.keyNames.joined(separator: ", "))."
            )
        }
        let (record, keys) = (DigestChangeRecord(schedule), DigestChangeKeys.all)
        self.init(
            id: try record.checked(keys.id),
            time: try record.checked(keys.time),
            start: try record.checked(keys.start),
            weekdays: try record.checked(keys.weekdays),
            monthdays: try record.checked(keys.monthdays).map { days in
                days.map { .init(Int($0.position), weekdays: $0.weekdays) }
            }
        )
        if let problem {
            throw DBusError(.invalidArgs, problem)
        }
    }

    /// Why a value cannot be used; nil: all can.
    private var problem: String? {
        if let id, !Self.isWord(id) { return "\"\(id)\" is no id of a schedule. Use the id that List returns." }
        if let time, !Self.isTime(time) {
            return "\"\(time)\" is no time of day. Use hours and minutes, such as \"09:00\"."
        }
        if let start, !Self.isWord(start) { return "\"\(start)\" is no date. Use a date such as \"2026-01-31\"." }
        if let weekdays {
            if weekdays.isEmpty {
                return "There is no weekday. Give at least one of \(Self.week.joined(separator: ", "))."
            }
            if let problem = Self.problem(of: weekdays) { return problem }
        }
        guard let monthdays else { return nil }
        if monthdays.isEmpty || monthdays.count > 100 { return "Give 1 to 100 days of the month." }
        for day in monthdays {
            guard day.position != 0, abs(day.position) <= 31 else {
                return "\(day.position) is no day of a month. Use 1 to 31, or -1 for the last one."
            }
            if let problem = Self.problem(of: day.weekdays) { return problem }
        }
        return nil
    }

    private static let week = ["mo", "tu", "we", "th", "fr", "sa", "su"]

    private static func problem(of weekdays: [String]) -> String? {
        if let unknown = weekdays.first(where: { !week.contains($0) }) {
            return "\"\(unknown)\" is no weekday. The weekdays are \(week.joined(separator: ", "))."
        }
        return Set(weekdays).count == weekdays.count ? nil : "A weekday is given twice. Give each only once."
    }

    /// A short text without blanks.
    private static func isWord(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// `HH:MM`.
    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { return false }
        return hour < 24 && minute < 60
    }
}
