import AgentInterface
import VisibleText

/// Mutes and rules.
extension SettingsPage {
    /// What a press does with a rule of `settings.toml`.
    package enum RuleAction: Hashable, Sendable {
        case change, moveUp, remove
    }

    // MARK: Events

    func act(_ action: RuleAction, on id: String) -> [Effect] {
        guard let rule = rules.first(where: { $0.id == id }) else { return [] }
        switch action {
        case .change: return [.openRule(rule, accounts: accounts.map(\.name))]
        case .moveUp:
            let ids = rules.filter { $0.isEditable && !$0.isMute }.map(\.id)
            guard let index = ids.firstIndex(of: id), index > 0 else { return [] }
            return [.changeRules(.move(id, before: ids[index - 1]))]
        case .remove: return [.changeRules(.remove(id))]
        }
    }

    /// The rule is on or off.
    func enable(_ id: String, _ isOn: Bool) -> [Effect] {
        guard var rule = rules.first(where: { $0.id == id }) else { return [] }
        rule.isEnabled = isOn
        return [.changeRules(.change(id, rule))]
    }

    // MARK: Rows

    static var mutedText: String { translated("It stays in the inbox, unread, without popups, and is not counted.") }

    private func muteRows(now: Int64) -> [FormRow<Row>] {
        rules.filter { $0.isMute && ($0.until == 0 || $0.until > now) }.map { rule in
            FormRow(.mute(rule.id), title: rule.sentence(now: now), value: .toggle(true)).within(translated("Muted"))
        }
    }

    /// What is muted, and the other rules.
    func ruleGroups(now: Int64) -> [Group] {
        let others = rules.filter { !$0.isMute }
        let text =
            others.isEmpty
            ? translated("Rules decide how single notifications are shown. There are none.")
            : translated("They decide how single notifications are shown: the first one that applies.")
        let add = FormRow(Row.addRule, title: translated("Add a Rule"), value: .press)
        return [
            Group(title: translated("Muted"), text: Self.mutedText, rows: muteRows(now: now)),
            Group(title: translated("Rules"), text: text, rows: others.map { row($0, now: now) } + [add]),
        ]
    }

    private func row(_ rule: RuleRecord, now: Int64) -> FormRow<Row> {
        let title = rule.sentence(now: now)
        guard rule.isEditable else {
            let origin =
                rule.origin == "preset" ? translated("Set by the administrator.") : translated("Set in your own file.")
            return FormRow(.rule(rule.number), title: title, text: origin)
        }
        let actions: [(RuleAction, String)] = [
            (.change, translated("Change")), (.moveUp, translated("Try Earlier")), (.remove, translated("Remove")),
        ]
        return FormRow(
            .ownRule(rule.id),
            title: title,
            value: .toggle(rule.isEnabled),
            rows: actions.map { FormRow(.ruleAction(rule.id, $0), title: $1, value: .press).within(title) }
        )
    }
}
