package import AgentInterface
import DBus

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
        return found.map { "\"\($0)\"" }.joined(separator: " or ")
    }

    /// `from 22:00 to 07:00 on sat, sun`.
    var hours: String {
        let days = self.days ?? []
        let times = self.from == self.to ? nil : self.from.map { "from \($0) to \(self.to ?? "")" }
        let isDaily = days.count == 7 && times != nil
        return [times, isDaily ? nil : "on " + days.joined(separator: ", ")].compactMap(\.self).joined(separator: " ")
    }

    /// `category "ci*" or "builds", from 22:00 to 07:00`.
    package var words: String {
        let parts = patterns.map { "\($0.name) \(alternatives($0.name))" } + (self.days == nil ? [] : [hours])
        return parts.isEmpty ? "every notification" : parts.joined(separator: ", ")
    }
}

extension RuleSettingsRecord {
    /// `urgency low, timeout 5 s`.
    package var words: String {
        let words: [String?] = [
            self.mute == true ? "no popup" : nil, self.urgency.map { "urgency \($0)" },
            self.sound.map { "sound \($0)" }, self.timeout.map(Self.timeout),
            self.resident == true ? "resident" : nil, self.digest.map { "digest after \(Self.interval($0))" },
            self.markSeen.map { "marked as seen when \($0)" }, self.replace.map { "replaces the same \($0)" },
            self.icon.map { "icon \($0)" },
        ]
        let known = words.compactMap(\.self)
        return known.isEmpty ? "no changes" : known.joined(separator: ", ")
    }

    private static func timeout(_ milliseconds: Int32) -> String {
        switch milliseconds {
        case ..<0: "timeout default"
        case 0: "timeout never"
        default: milliseconds % 1000 == 0 ? "timeout \(milliseconds / 1000) s" : "timeout \(milliseconds) ms"
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
        if self.applies { return "Rule \(self.number) applies: \(RuleSettingsRecord(self.settings).words)." }
        return "Rule \(self.number) does not apply: \(reason)."
    }

    private var reason: String {
        let conditions = RuleConditionsRecord(self.conditions)
        let values = self[RuleCheckKeys.all.values]
        if self.unmet == "time", values.count == 2 {
            return "it is \(values[1]) on \(values[0]), not \(conditions.hours)"
        }
        let expected = conditions.alternatives(self.unmet)
        if values.isEmpty { return "it has no \(self.unmet), but needs \(expected)" }
        if values.joined().count > Self.valueLimit { return "\(self.unmet) does not match \(expected)" }
        if values == [""] { return "\(self.unmet) is empty, not \(expected)" }
        let found = values.map { "\"\($0)\"" }.joined(separator: ", ")
        return "\(self.unmet) is \(found), not \(expected)"
    }
}
