import DBus

/// What `feedbell preferences` says: sections, their categories, the channels of each, and the channels as a whole.
struct PreferencesReport {
    var categories: [[String: Value]]
    var levels: [(channel: String, level: String)]

    var text: String {
        var lines: [String] = []
        var section: String?
        for category in categories {
            let heading = category.text("section") ?? ""
            if heading != section {
                if !lines.isEmpty { lines.append("") }
                if !heading.isEmpty { lines.append(heading) }
                section = heading
            }
            let name = "\(category.text("name") ?? "") [\(category.text("category") ?? "")]"
            lines.append("  \(name): \(Self.state(category.text("preference") ?? "", category.flag("editable")))")
            let channels = Self.channels(category["channels"])
            if !channels.isEmpty { lines.append("    " + channels.joined(separator: ", ")) }
        }
        if !levels.isEmpty {
            if !lines.isEmpty { lines.append("") }
            lines.append("Channels")
            lines += levels.map { "  \($0.channel): \($0.level)" }
        }
        return lines.map { $0.printable + "\n" }.joined()
    }

    private static func channels(_ value: Value?) -> [String] {
        guard case .array(_, let channels)? = value else { return [] }
        return channels.compactMap { channel in
            guard case .structure(let fields) = channel, fields.count == 3, case .string(let name) = fields[0],
                case .string(let preference) = fields[1], case .bool(let isEditable) = fields[2]
            else { return nil }
            return "\(name) \(state(preference, isEditable))"
        }
    }

    private static func state(_ preference: String, _ isEditable: Bool) -> String {
        (preference == "opt_in" ? "on" : "off") + (isEditable ? "" : " (fixed)")
    }
}
