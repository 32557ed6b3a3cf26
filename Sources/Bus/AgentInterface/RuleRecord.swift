package import DBus

/// A rule of the configuration as a dictionary: an element of the result of ``AgentRoot/rules``.
package typealias RuleRecord = Record<RuleKeys>

package struct RuleKeys: RecordKeys {
    package static let all = RuleKeys()

    /// Counted from 1, in the order of the configuration.
    package let number = RecordKey("number", default: UInt32(0))
    package let id = RecordKey("id", default: "")
    /// `preset`, `config` or `settings`.
    package let origin = RecordKey("origin", default: "")
    /// Whether programs can change it.
    package let isEditable = RecordKey("editable", default: false)
    package let isEnabled = RecordKey("enabled", default: true)
    /// In milliseconds since the Unix epoch; 0: it has no end.
    package let until = RecordKey("until", default: Int64(0))
    /// A ``RuleConditionsRecord``.
    package let conditions = RecordKey("conditions", default: [String: Value]())
    /// A ``RuleSettingsRecord``.
    package let settings = RecordKey("settings", default: [String: Value]())
}

extension RuleRecord {
    /// Whether the rule is a mute: a rule of `settings.toml` without popup and badge.
    package var isMute: Bool {
        let settings = RuleSettingsRecord(self.settings)
        return self.isEditable && settings.mute == true && settings.badge == false
    }
}

/// A pattern of a rule's condition.
package enum RulePattern {
    /// The pattern that matches a text and nothing else.
    package static func exact(_ text: String) -> String {
        var pattern = text.hasPrefix("/") ? "\\" : ""
        for character in text {
            if "*?\\".contains(character) { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern
    }
}

/// Whether a rule applies to a notification: an element of the result of ``AgentInbox/testRules``.
package typealias RuleCheckRecord = Record<RuleCheckKeys>

package struct RuleCheckKeys: RecordKeys {
    package static let all = RuleCheckKeys()

    package let id = RecordKey("id", default: "")
    package let number = RecordKey("number", default: UInt32(0))
    /// A ``RuleConditionsRecord``.
    package let conditions = RecordKey("conditions", default: [String: Value]())
    /// A ``RuleSettingsRecord``.
    package let settings = RecordKey("settings", default: [String: Value]())
    package let applies = RecordKey("applies", default: false)
    /// The first condition that is not met: a key of the conditions, or `time`; empty if the rule applies.
    package let unmet = RecordKey("unmet", default: "")
    /// The notification's values of the field that ``unmet`` names, shortened; for `time` the day and the time of day.
    package let values = RecordKey("values", default: [String]())
}

/// The conditions of a rule; all have to hold. Of several patterns of a key, one has to match.
package typealias RuleConditionsRecord = Record<RuleConditionsKeys>

package struct RuleConditionsKeys: RecordKeys {
    package static let all = RuleConditionsKeys()

    package let account = OptionKey<[String]>("account")
    package let category = OptionKey<[String]>("category")
    package let tag = OptionKey<[String]>("tag")
    package let topic = OptionKey<[String]>("topic")
    package let title = OptionKey<[String]>("title")
    package let text = OptionKey<[String]>("text")
    /// `HH:MM`.
    package let from = OptionKey<String>("from")
    package let to = OptionKey<String>("to")
    package let days = OptionKey<[String]>("days")
}

/// The settings of a rule.
package typealias RuleSettingsRecord = Record<RuleSettingsKeys>

package struct RuleSettingsKeys: RecordKeys {
    package static let all = RuleSettingsKeys()

    package let urgency = OptionKey<String>("urgency")
    /// The name of a sound, an absolute path, or `none`.
    package let sound = OptionKey<String>("sound")
    /// In milliseconds; -1: the server's default, 0: never.
    package let timeout = OptionKey<Int32>("timeout")
    package let resident = OptionKey<Bool>("resident")
    package let mute = OptionKey<Bool>("mute")
    /// Whether unread ones count in badges.
    package let badge = OptionKey<Bool>("badge")
    package let markRead = OptionKey<Bool>("mark_read")
    package let ignoreQuiet = OptionKey<Bool>("ignore_quiet")
    /// In seconds.
    package let digest = OptionKey<UInt32>("digest")
    package let markSeen = OptionKey<String>("mark_seen")
    package let replace = OptionKey<String>("replace")
    package let icon = OptionKey<String>("icon")
}
