import AgentInterface
import VisibleText

/// Mutes and rules.
extension SettingsPage {
    /// What a press does with a rule of `settings.toml`.
    package enum RuleAction: Hashable, Sendable {
        case change, moveUp, remove
    }

    /// What a press does with the rule that is being made or changed.
    package enum DraftAction: Hashable, Sendable {
        case add, tryOut, save, cancel
    }

    // MARK: Events

    mutating func act(_ action: RuleAction, on id: String) -> [Effect] {
        guard let rule = rules.first(where: { $0.id == id }) else { return [] }
        switch action {
        case .change:
            draft = RuleDraft(rule)
            return []
        case .moveUp:
            let ids = rules.filter { $0.isEditable && !$0.isMute }.map(\.id)
            guard let index = ids.firstIndex(of: id), index > 0 else { return [] }
            return [.changeRules(.move(id, before: ids[index - 1]))]
        case .remove: return [.changeRules(.remove(id))]
        }
    }

    mutating func act(_ action: DraftAction) -> [Effect] {
        switch (action, draft) {
        case (.add, _): draft = RuleDraft()
        case (.cancel, _): draft = nil
        case (.tryOut, let draft?): return [.tryRule(draft.record)]
        case (.save, let draft?):
            return [.changeRules(draft.id.map { .change($0, draft.record) } ?? .add(draft.record))]
        case (_, nil): break
        }
        return []
    }

    /// The rule is on or off.
    func enable(_ id: String, _ isOn: Bool) -> [Effect] {
        guard var rule = rules.first(where: { $0.id == id }) else { return [] }
        rule.isEnabled = isOn
        return [.changeRules(.change(id, rule))]
    }

    // MARK: Rows

    static var mutedText: String { translated("It stays in the inbox, unread, without popups, and is not counted.") }

    func muteRows(now: Int64) -> [FormRow<Row>] {
        rules.filter { $0.isMute && ($0.until == 0 || $0.until > now) }.map { rule in
            FormRow(
                .mute(rule.id),
                title: RuleConditionsRecord(rule.conditions).words.sentenceLine,
                text: rule.until == 0
                    ? "" : translated("Muted until {time}.", ["time": LocalTime(rule.until).text(now: now)]),
                value: .toggle(true)
            )
            .within(translated("Muted"))
        }
    }

    /// The rules, or the one that is being made or changed.
    func ruleGroups(now: Int64) -> [Group] {
        if let draft { return draftGroups(draft, now: now) }
        let others = rules.filter { !$0.isMute }
        let text =
            others.isEmpty
            ? translated("Rules decide how single notifications are shown. There are none.")
            : translated("They decide how single notifications are shown: the first one that applies.")
        let add = FormRow(Row.draft(.add), title: translated("Add a Rule"), value: .press)
        return [Group(title: translated("Rules"), text: text, rows: others.map(row) + [add])]
    }

    private func row(_ rule: RuleRecord) -> FormRow<Row> {
        let title = RuleConditionsRecord(rule.conditions).words.sentenceLine
        let words = RuleSettingsRecord(rule.settings).words.sentenceLine
        guard rule.isEditable else {
            let origin =
                rule.origin == "preset" ? translated("Set by the administrator.") : translated("Set in your own file.")
            return FormRow(.rule(rule.number), title: title, text: "\(words)\n\(origin)")
        }
        let actions: [(RuleAction, String)] = [
            (.change, translated("Change")), (.moveUp, translated("Try Earlier")), (.remove, translated("Remove")),
        ]
        return FormRow(
            .ownRule(rule.id),
            title: title,
            text: words,
            value: .toggle(rule.isEnabled),
            rows: actions.map { FormRow(.ruleAction(rule.id, $0), title: $1, value: .press).within(title) }
        )
    }

    private func draftGroups(_ draft: RuleDraft, now: Int64) -> [Group] {
        let names = accounts.map(\.name)
        func row(_ field: RuleDraft.Field, _ title: String, _ choices: [String] = [], text: String = "")
            -> FormRow<Row>
        {
            FormRow(
                .draftField(field),
                title: title,
                text: text,
                value: draft.value(of: field, accounts: names),
                choices: choices
            )
        }
        let title = draft.id == nil ? translated("New Rule") : translated("Change Rule")
        let conditions = [
            row(.account, translated("Account"), [translated("All Accounts")] + names.map(\.nameLine)),
            row(.category, translated("Category")), row(.topic, translated("Topic")),
            row(.title, translated("Words in the Title")), row(.text, translated("Words in the Text")),
            row(.from, translated("From")), row(.to, translated("To")),
            row(.days, translated("Days"), Weekday.allCases.map(\.name)),
        ]
        let usual = translated("As Without the Rule")
        let popup = row(.popup, translated("Show Popups"))
        let effects =
            draft.settings.mute == true
            ? [row(.markRead, translated("Mark as Read"))]
            : [
                row(
                    .urgency,
                    translated("Urgency"),
                    [usual, translated("Low"), translated("Normal"), translated("Critical")]
                ),
                row(.sound, translated("Sound"), [usual, translated("None")]),
                row(
                    .timeout,
                    translated("How Long a Popup Stays"),
                    [
                        usual, translated("As the Desktop Decides"), translated("5 Seconds"), translated("10 Seconds"),
                        translated("30 Seconds"), translated("Until It Is Closed"),
                    ]
                ), row(.ignoreQuiet, translated("Also in Quiet Hours")),
            ]
        let actions = [
            FormRow(
                Row.draft(.tryOut),
                title: translated("Try It with the Newest Notifications"),
                text: draft.result ?? "",
                value: .press
            ), FormRow(.draft(.save), title: translated("Save"), value: .press),
            FormRow(.draft(.cancel), title: translated("Cancel"), value: .press),
        ]
        let until =
            draft.until == 0
            ? "" : translated("Until {time}.", ["time": LocalTime(draft.until).text(now: now)])
        // Translators: A choice of when a rule ends.
        let ends = RuleDraft.ends.map { $0?.title ?? translated("No End") }
        let common = [
            row(.badge, translated("Count Unread Ones")), row(.end, translated("End of the Rule"), ends, text: until),
        ]
        let text = translated("All that is filled in has to match. Of several words, separated by commas, one has to.")
        return [
            Group(title: title, text: text, rows: conditions),
            Group(rows: [popup] + effects + common), Group(rows: actions),
        ]
    }

    /// What a rule matches, in sentences.
    static func result(count: Int, _ titles: [String]) -> String {
        if count == 0 { return translated("It matches none of the newest notifications.") }
        let sentence = translated(
            "It matches {count} of the newest notifications.",
            plural: "It matches {count} of the newest notifications.",
            count: count
        )
        return ([sentence] + titles.map(\.nameLine)).joined(separator: "\n")
    }
}
