import AgentInterface
import DBus
import Translation

extension DigestRecord {
    /// `digest weekly: weekdays mo, time 09:00 (fixed)`; fixed parts are those that cannot be changed.
    var words: String {
        let parts: [(name: String, value: String?)] = [
            ("weekdays", self.weekdays?.joined(separator: "+")),
            ("monthdays", self.monthdays?.map(\.words).joined(separator: ",")), ("time", self.time),
            ("start", self.start),
        ]
        let editable = self.editable
        let words = parts.compactMap { name, value in
            value.map { value in "\(name) \(value)" + (editable.contains(name) ? "" : " " + PreferencesReport.fixed) }
        }
        return "digest \(self.id)" + (words.isEmpty ? "" : ": " + words.joined(separator: ", "))
    }
}

extension DigestMonthDay {
    fileprivate var words: String {
        "\(position)" + (weekdays.isEmpty ? "" : ":" + weekdays.joined(separator: "+"))
    }
}

extension PropertyRecord {
    /// `min_minutes: 5 (Shortest build)`.
    var words: String {
        var words = "\(self.id): \(self.value.map(Self.words) ?? translated("not set"))"
        if !self.label.isEmpty { words += " (\(self.label))" }
        return self.isEditable ? words : words + " " + PreferencesReport.fixed
    }

    private static func words(_ value: Value) -> String {
        if case .string(let text) = value { return text }
        if let list = try? [String](dbus: value) {
            return list.isEmpty ? translated("none") : list.joined(separator: ", ")
        }
        return JSONText(value).text
    }
}
