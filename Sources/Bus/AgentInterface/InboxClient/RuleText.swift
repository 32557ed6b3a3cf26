import DBus
import VisibleText

extension RuleConditionsRecord {
    private var patterns: [(name: String, patterns: [String])] {
        let all: [(String, [String]?)] = [
            ("account", self.account), ("category", self.category), ("tag", self.tag), ("topic", self.topic),
            ("title", self.title), ("text", self.text),
        ]
        return all.compactMap { name, patterns in patterns.map { (name, $0) } }
    }

    /// The patterns of a key: `"a" or "b"`.
    func alternatives(_ name: String) -> String {
        let found = patterns.first { $0.name == name }?.patterns ?? []
        guard var words = found.first.map(Self.quoted) else { return "" }
        for pattern in found.dropFirst() {
            // Translators: Two patterns of a rule, of which one has to match, such as "ci*" or "builds".
            words = translated("{pattern} or {other}", ["pattern": words, "other": Self.quoted(pattern)])
        }
        return words
    }

    private static func quoted(_ pattern: String) -> String { "\"\(pattern)\"" }

    /// `from 22:00 to 07:00 on sat, sun`.
    var hours: String {
        let days = self.days ?? []
        let values = ["start": self.from ?? "", "end": self.to ?? "", "days": days.joined(separator: ", ")]
        // Translators: When a rule applies. The days are names of the configuration: mon, tue and so on.
        if self.from == nil || self.from == self.to { return translated("on {days}", values) }
        return days.count == 7
            ? translated("from {start} to {end}", values) : translated("from {start} to {end} on {days}", values)
    }

    /// `category "ci*" or "builds", from 22:00 to 07:00`.
    package var words: String {
        let parts = patterns.map { "\($0.name) \(alternatives($0.name))" } + (self.days == nil ? [] : [hours])
        // Translators: To which notifications a rule applies that has no conditions.
        return parts.isEmpty ? translated("every notification") : translatedList(parts)
    }
}

extension RuleSettingsRecord {
    /// `urgency low, timeout 5 s`.
    package var words: String {
        let words: [String?] = [
            // Translators: This and the following ones are settings of a rule, without a full stop.
            self.mute == true ? translated("no popup") : nil,
            // Translators: Unread notifications do not count in the number of unread ones.
            self.badge == false ? translated("not counted") : nil,
            // Translators: Notifications are marked as read when they arrive.
            self.markRead == true ? translated("marked as read") : nil,
            // Translators: Popups are shown in quiet hours, too.
            self.ignoreQuiet == true ? translated("also in quiet hours") : nil,
            self.urgency.map { translated("urgency {level}", ["level": $0]) },
            self.sound.map { translated("sound {name}", ["name": $0]) }, self.timeout.map(Self.timeout),
            // Translators: Popups stay after a click.
            self.resident == true ? translated("resident") : nil,
            // Translators: Popups are collected for a time such as 2h, and shown as one.
            self.digest.map { translated("digest after {interval}", ["interval": Self.interval($0)]) },
            // Translators: The moment is a word of the configuration: shown, dismissed or never.
            self.markSeen.map { translated("marked as seen when {moment}", ["moment": $0]) },
            // Translators: A popup replaces the one with the same value of this key of the configuration.
            self.replace.map { translated("replaces the same {key}", ["key": $0]) },
            self.icon.map { translated("icon {name}", ["name": $0]) },
        ]
        let known = words.compactMap(\.self)
        // Translators: The settings of a rule that changes nothing.
        return known.isEmpty ? translated("no changes") : translatedList(known)
    }

    private static func timeout(_ milliseconds: Int32) -> String {
        switch milliseconds {
        // Translators: A popup stays as long as the desktop decides.
        case ..<0: translated("timeout default")
        case 0: translated("timeout never")
        case _ where milliseconds % 1000 == 0: translated("timeout {number} s", ["number": "\(milliseconds / 1000)"])
        default: translated("timeout {number} ms", ["number": "\(milliseconds)"])
        }
    }

    private static func interval(_ seconds: UInt32) -> String {
        for (unit, length) in [("d", UInt32(86_400)), ("h", 3_600), ("m", 60)] where seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}

extension RuleCheckRecord {
    /// A value that is longer is not repeated.
    private static let valueLimit = 60

    /// `Rule 1 does not apply: category is "news", not "builds".`
    package var sentence: String {
        let number = "\(self.number)"
        if self.applies {
            let settings = RuleSettingsRecord(self.settings).words
            return translated("Rule {number} applies: {settings}.", ["number": number, "settings": settings])
        }
        let conditions = RuleConditionsRecord(self.conditions)
        let found = self[RuleCheckKeys.all.values]
        var values = ["number": number, "key": self.unmet, "expected": conditions.alternatives(self.unmet)]
        if self.unmet == "time", found.count == 2 {
            values.merge(["day": found[0], "time": found[1], "hours": conditions.hours]) { $1 }
            // Translators: The day is such as mon; the hours are such as "from 22:00 to 07:00 on sat, sun".
            return translated("Rule {number} does not apply: it is {time} on {day}, not {hours}.", values)
        }
        if found.isEmpty {
            // Translators: In these sentences, the key is a word of the configuration, such as category.
            return translated("Rule {number} does not apply: it has no {key}, but needs {expected}.", values)
        }
        if found.joined().count > Self.valueLimit {
            return translated("Rule {number} does not apply: {key} does not match {expected}.", values)
        }
        if found == [""] { return translated("Rule {number} does not apply: {key} is empty, not {expected}.", values) }
        values["found"] = found.map { "\"\($0)\"" }.joined(separator: ", ")
        return translated("Rule {number} does not apply: {key} is {found}, not {expected}.", values)
    }

    /// The sentences about the rules that were tested, up to the first one that applies.
    package static func sentences(_ checks: [RuleCheckRecord]) -> [String] {
        let none = checks.contains(where: \.applies) ? [] : [translated("No rule applies.")]
        return checks.map(\.sentence) + none
    }
}
