import AgentInterface
import Basics
import DBus
import Inbox

extension Rules {
    /// The rules in the form of `dbus/org.feedbell.Agent1.xml`.
    var dictionaries: [[String: Value]] {
        rules.enumerated().map { index, rule in
            var record = RuleRecord()
            record.number = UInt32(index + 1)
            record.id = rule.id
            record.origin = rule.origin.rawValue
            record.isEditable = rule.origin == .settings
            record.isEnabled = rule.isEnabled
            record.until = rule.until?.milliseconds ?? 0
            record.conditions = rule.conditions.dictionary
            record.settings = rule.effects.dictionary
            return record.values
        }
    }

    /// Checks of these rules in the form of `dbus/org.feedbell.Agent1.xml`.
    func dictionaries(_ checks: [Check]) -> [[String: Value]] {
        checks.map { check in
            let rule = rules[check.rule]
            var record = RuleCheckRecord()
            record.id = rule.id
            record.number = UInt32(check.rule + 1)
            record.conditions = rule.conditions.dictionary
            record.settings = rule.effects.dictionary
            record.applies = check.mismatch == nil
            record.unmet = check.mismatch?.condition ?? ""
            record[RuleCheckKeys.all.values] = check.mismatch?.values ?? []
            return record.values
        }
    }
}

extension RuleMismatch {
    /// The maximum number of reported values, and of characters of each.
    private static let valueLimit = 50
    private static let lengthLimit = 200

    fileprivate var condition: String {
        switch self {
        case .field(let match, _): match.field.rawValue
        case .hours: "time"
        }
    }

    fileprivate var values: [String] {
        switch self {
        case .field(_, let values): values.prefix(Self.valueLimit).map { String($0.prefix(Self.lengthLimit)) }
        case .hours(_, let time): [time.weekday.rawValue, WeeklyHours.text(time.minute)]
        }
    }
}

extension RuleConditions {
    fileprivate var dictionary: [String: Value] {
        var record = RuleConditionsRecord()
        for match in matches {
            let patterns = match.patterns.map(\.source)
            switch match.field {
            case .account: record.account = patterns
            case .category: record.category = patterns
            case .tag: record.tag = patterns
            case .topic: record.topic = patterns
            case .title: record.title = patterns
            case .text: record.text = patterns
            }
        }
        if let hours {
            record.from = WeeklyHours.text(hours.from)
            record.to = WeeklyHours.text(hours.to)
            record.days = WeeklyHours.Weekday.allCases.filter(hours.days.contains).map(\.rawValue)
        }
        return record.values
    }
}

extension RuleEffects {
    fileprivate var dictionary: [String: Value] {
        var record = RuleSettingsRecord()
        record.urgency = urgency?.rawValue
        record.sound = sound?.text
        record.timeout = timeout?.milliseconds
        record.resident = isResident ? true : nil
        record.mute = isMuted ? true : nil
        record.badge = countsInBadge ? nil : false
        record.markRead = marksRead ? true : nil
        record.ignoreQuiet = ignoresQuiet ? true : nil
        record.digest = digest.map { UInt32(clamping: $0.components.seconds) }
        record.markSeen = markSeen?.rawValue
        record.replace = replace?.rawValue
        record.icon = icon
        return record.values
    }
}

extension Popup.Sound {
    /// As in the configuration.
    fileprivate var text: String {
        switch self {
        case .silent: "none"
        case .theme(let name): name
        case .file(let path): path
        }
    }
}

extension PopupPolicy.Timeout {
    /// As in the call of `Notify`.
    fileprivate var milliseconds: Int32 {
        switch self {
        case .serverDefault: -1
        case .after(let milliseconds): milliseconds
        case .never: 0
        }
    }
}
