import AgentInterface
import VisibleText

extension RuleRecord {
    /// The rule as people say it: "orders (work): no popups until tomorrow, 9:00".
    func sentence(now: Int64) -> String {
        let (conditions, settings) = (RuleConditionsRecord(self.conditions), RuleSettingsRecord(self.settings))
        let effect = settings.effect
        let values = ["what": conditions.subject, "effect": effect, "time": LocalTime(self.until).shown(now: now)]
        return
            (self.until == 0
            // Translators: A rule: its notifications, and what happens with them, as in "orders: no popups".
            ? translated("{what}: {effect}", values)
            // Translators: As before, with the end of the rule.
            : translated("{what}: {effect} until {time}", values)).sentenceLine
    }
}

extension RuleConditionsRecord {
    /// `orders or refunds (work), from 22:00 to 7:00`.
    fileprivate var subject: String {
        let account = self.account.map(Self.alternatives)
        let named: [String?] = [
            self.category.map(Self.alternatives),
            // Translators: This and the following ones are notifications that a rule is about.
            self.tag.map { translated("tag {name}", ["name": Self.alternatives($0)]) },
            self.topic.map { translated("topic {name}", ["name": Self.alternatives($0)]) },
            self.title.map { translated("\"{text}\" in the title", ["text": Self.alternatives($0)]) },
            self.text.map { translated("\"{text}\" in the text", ["text": Self.alternatives($0)]) },
        ]
        let what = translatedList(named.compactMap(\.self))
        let subject =
            switch (what.isEmpty, account) {
            case (true, nil): translated("every notification")
            // Translators: All notifications of an account.
            case (true, let account?): translated("everything of {account}", ["account": account])
            case (false, nil): what
            // Translators: Notifications, and their account in parentheses, as in "orders (work)".
            case (false, let account?): translated("{what} ({account})", ["what": what, "account": account])
            }
        return translatedList([subject, time].compactMap(\.self))
    }

    private var time: String? {
        let days = Weekday.configured.indices(of: self.days ?? Weekday.configured)
        let names = translatedList(Weekday.allCases.map(\.name).elements(at: days))
        let (from, to) = (WrittenClock.shown(self.from ?? ""), WrittenClock.shown(self.to ?? ""))
        let values = ["start": from, "end": to, "days": names]
        if self.from == nil { return days.count == 7 ? nil : translated("on {days}", values) }
        return days.count == 7
            ? translated("from {start} to {end}", values) : translated("from {start} to {end} on {days}", values)
    }

    /// Patterns of words as these words.
    private static func alternatives(_ patterns: [String]) -> String {
        patterns.map(RuleDraft.plain).reduce("") { words, pattern in
            words.isEmpty ? pattern : translated("{pattern} or {other}", ["pattern": words, "other": pattern])
        }
    }
}

extension RuleSettingsRecord {
    fileprivate var effect: String {
        var others = self
        (others.mute, others.urgency) = (nil, nil)
        // What is muted is not counted.
        if self.mute == true { others.badge = nil }
        let urgency: String? =
            switch self.urgency {
            case "low": translated("low urgency")
            case "normal": translated("normal urgency")
            case "critical": translated("critical urgency")
            default: nil
            }
        if self.sound == "none" { others.sound = nil }
        let effects: [String?] = [
            // Translators: This and the following ones are what a rule does, as in "orders: no popups".
            self.mute == true ? translated("no popups") : nil, urgency,
            self.sound == "none" ? translated("no sound") : nil,
            others.values.isEmpty && (self.mute == true || urgency != nil || self.sound == "none") ? nil : others.words,
        ]
        return translatedList(effects.compactMap(\.self))
    }
}
