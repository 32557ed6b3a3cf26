package import DBus

/// A rule of the configuration as a dictionary: an element of the result of ``AgentRoot/rules``.
package typealias RuleRecord = Record<RuleKeys>

package struct RuleKeys: RecordKeys {
    package static let all = RuleKeys()

    /// Counted from 1, in the order of the configuration.
    package let number = RecordKey("number", usual: UInt32(0))
    /// A ``RuleConditionsRecord``.
    package let conditions = RecordKey("conditions", usual: [String: Value]())
    /// A ``RuleSettingsRecord``.
    package let settings = RecordKey("settings", usual: [String: Value]())
}

/// Whether a rule applies to a notification: an element of the result of ``AgentInbox/testRules``.
package typealias RuleCheckRecord = Record<RuleCheckKeys>

package struct RuleCheckKeys: RecordKeys {
    package static let all = RuleCheckKeys()

    package let number = RecordKey("number", usual: UInt32(0))
    /// A ``RuleConditionsRecord``.
    package let conditions = RecordKey("conditions", usual: [String: Value]())
    /// A ``RuleSettingsRecord``.
    package let settings = RecordKey("settings", usual: [String: Value]())
    package let applies = RecordKey("applies", usual: false)
    /// The first condition that is not met: a key of the conditions, or `time`; empty if the rule applies.
    package let unmet = RecordKey("unmet", usual: "")
    /// The notification's values of the field that ``unmet`` names, shortened; for `time` the day and the time of day.
    package let values = RecordKey("values", usual: [String]())
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
    /// In seconds.
    package let digest = OptionKey<UInt32>("digest")
    package let markSeen = OptionKey<String>("mark_seen")
    package let replace = OptionKey<String>("replace")
    package let icon = OptionKey<String>("icon")
}
