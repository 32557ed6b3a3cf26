import AgentInterface
import DBus
import VisibleText

extension DigestRecord {
    /// `digest: weekly, Monday 9:00, from 2026-01-31 (fixed: start)`: with its id if that says more, and the parts that
    /// cannot be changed.
    var line: String {
        let parts = [
            ("weekdays", self.weekdays != nil), ("monthdays", self.monthdays != nil), ("time", self.time != nil),
            ("start", self.start != nil),
        ].filter(\.1).map(\.0)
        let fixed = parts.filter { !self.editable.contains($0) }
        // Translators: Before when a digest is sent.
        var line = translated("digest: {schedule}", ["schedule": words])
        if self.id != self.frequency, !words.contains(self.id) { line += " [\(self.id)]" }
        guard !fixed.isEmpty else { return line }
        if fixed == parts { return line + " " + PreferencesReport.fixed }
        // Translators: The parts of a digest schedule that cannot be changed, as the options of the command.
        return line + " " + translated("(fixed: {parts})", ["parts": translatedList(fixed)])
    }
}

extension PropertyRecord {
    /// `Shortest build [min_minutes]: 5`.
    var words: String {
        let name = self.label.isEmpty ? self.id : "\(self.label) [\(self.id)]"
        let words = "\(name): \(self.value.map(Self.words) ?? translated("not set"))"
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
