import Basics
import Inbox

extension RuleEffects {
    /// Reads the keys of a rule that set something.
    init(_ table: inout ConfigurationTable) throws(ConfigurationError) {
        self.init()
        urgency = try table.choice("urgency")
        sound = try table.string("sound").map { (text) throws(ConfigurationError) in
            if text == "none" { return .silent }
            let text = try table.expandHome(text, of: "sound")
            return try Self.isPath(text, "sound", table) ? .file(text) : .theme(text)
        }
        if let node = table.node("timeout") { timeout = try PopupPolicy.Timeout(node, table) }
        isResident = try table.boolean("resident") ?? false
        isMuted = try table.boolean("mute") ?? false
        countsInBadge = try table.boolean("badge") ?? true
        marksRead = try table.boolean("mark_read") ?? false
        ignoresQuiet = try table.boolean("ignore_quiet") ?? false
        digest = try table.string("digest").map { (text) throws(ConfigurationError) in
            guard let interval = Self.interval(text) else {
                let problem = "must be from \"1m\" to \"7d\", such as \"30m\", \"1h\" or \"1d\", not \"\(text)\"."
                throw table.error("digest", "\"\(table.name("digest"))\" \(problem)")
            }
            return interval
        }
        markSeen = try table.choice("mark_seen")
        replace = try table.choice("replace")
        icon = try table.string("icon").map { (text) throws(ConfigurationError) in
            try table.expandHome(text, of: "icon")
        }
        if let icon { _ = try Self.isPath(icon, "icon", table) }
        try rejectContradictions(table)
    }

    /// Whether a text is an absolute path, and no name of a theme.
    private static func isPath(
        _ text: String,
        _ key: String,
        _ table: ConfigurationTable
    ) throws(ConfigurationError) -> Bool {
        let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard isLine, text.utf8.count <= 4096, text.hasPrefix("/") || !text.contains("/") else {
            let problem = "must be a name of the theme or an absolute path, starting with / or ~/, not \"\(text)\"."
            throw table.error(key, "\"\(table.name(key))\" \(problem)")
        }
        return text.hasPrefix("/")
    }

    private static let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400]

    private static func interval(_ text: String) -> Duration? {
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 6,
            text.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast())
        else { return nil }
        let seconds = count * unit
        return (60...7 * 86_400).contains(seconds) ? .seconds(seconds) : nil
    }

    /// A key without effect is a mistake: what the rule does is not what its author expects.
    private func rejectContradictions(_ table: ConfigurationTable) throws(ConfigurationError) {
        let others = [
            "urgency", "sound", "timeout", "resident", "digest", "mark_seen", "replace", "icon", "ignore_quiet",
        ]
        if isMuted, let other = others.first(where: table.contains) {
            throw table.error(other, "\"\(table.name(other))\" has no effect in a rule with mute = true. Remove one.")
        }
        if marksRead, !isMuted, !isResident {
            let problem = "needs mute = true or resident = true: another popup closes when its notification is read."
            throw table.error("mark_read", "\"\(table.name("mark_read"))\" \(problem)")
        }
        if digest != nil, let other = ["resident", "replace"].first(where: table.contains) {
            throw table.error(other, "\"\(table.name(other))\" has no effect in a rule with a digest. Remove one.")
        }
    }
}
