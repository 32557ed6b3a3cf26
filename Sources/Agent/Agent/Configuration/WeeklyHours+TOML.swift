import Inbox

extension WeeklyHours {
    /// Reads the keys `from`, `to` and `days`.
    ///
    /// - Parameter hasTimes: Whether `from` and `to` are required. Otherwise these are whole days.
    init(_ table: inout ConfigurationTable, hasTimes: Bool = true) throws(ConfigurationError) {
        let from = hasTimes ? try table.timeOfDay("from") : 0
        let to = hasTimes ? try table.timeOfDay("to") : 0
        let days = try table.strings("days")?.map { (name) throws(ConfigurationError) in
            guard let day = Weekday(rawValue: name) else {
                let names = Weekday.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw table.error(
                    "days",
                    "\"\(name)\" in \"\(table.name("days"))\" is not a day. Choose from \(names)."
                )
            }
            return day
        }
        self.init(from: from, to: to, days: days.map(Set.init) ?? Set(Weekday.allCases))
    }
}

extension ConfigurationTable {
    /// Minutes after midnight, written "HH:MM".
    fileprivate mutating func timeOfDay(_ key: String) throws(ConfigurationError) -> Int {
        let text = try requiredString(key)
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else {
            throw error(key, "\"\(name(key))\" must be a time of day such as \"22:00\", not \"\(text)\".")
        }
        return hour * 60 + minute
    }
}
