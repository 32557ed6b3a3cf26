package import AgentInterface
import VisibleText

/// The form of a rule: a new one, or one that is changed. It says at once what the rule matches.
package struct RuleForm: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// What exists to choose from.
        case choices(RuleChoices)
        case set(RuleDraft.Field, FormValue)
        /// What a rule matches, in a sentence.
        case tried(RuleRecord, String)
        case submit
        /// The rule was saved; `failure`: in a sentence, nil if it was.
        case ended(failure: String?)
    }

    package enum Effect: Equatable, Sendable {
        /// Find what exists to choose from in these accounts.
        case loadChoices(accounts: [String])
        /// Find what a rule matches.
        case tryRule(RuleRecord)
        case save(SettingsPage.RuleChange)
        case close
    }

    private let rule: RuleRecord?
    private let accounts: [String]
    private var draft: RuleDraft?
    /// The rule of which it is found what it matches.
    private var trying: RuleRecord?
    private var result = ""
    private var failure: String?
    package private(set) var isChanged = false
    package private(set) var isSaving = false

    /// - Parameters:
    ///   - rule: nil: a new one.
    ///   - accounts: The names of all accounts.
    package init(_ rule: RuleRecord?, accounts: [String]) { (self.rule, self.accounts) = (rule, accounts) }

    package var beginning: [Effect] { [.loadChoices(accounts: accounts)] }

    package var title: String { rule == nil ? translated("New Rule") : translated("Change Rule") }

    /// The line above the form.
    package var message: String { failure ?? result }

    package var canSubmit: Bool { draft?.canBeSaved == true && !isSaving }

    package mutating func receive(_ event: Event, now: Int64) -> [Effect] {
        switch event {
        case .choices(let choices):
            draft = RuleDraft(rule, choices: choices)
            return tryDraft()
        case .set(let field, let value):
            draft?.set(field, to: value, now: now)
            (failure, isChanged) = (nil, true)
            return trying == nil ? tryDraft() : []
        case .tried(let rule, let sentence):
            trying = nil
            if rule == draft?.record { result = sentence } else { return tryDraft() }
        case .submit:
            guard canSubmit, let draft else { return [] }
            isSaving = true
            return [.save(draft.id.map { .change($0, draft.record) } ?? .add(draft.record))]
        case .ended(let failure):
            (isSaving, self.failure) = (false, failure)
            return failure == nil ? [.close] : []
        }
        return []
    }

    private mutating func tryDraft() -> [Effect] {
        guard let draft, !draft.isWrong else {
            result = ""
            return []
        }
        trying = draft.record
        return [.tryRule(draft.record)]
    }

    // MARK: Rows

    package typealias Group = FormGroup<RuleDraft.Field>

    package func groups(now: Int64) -> [Group] {
        guard let draft else { return [] }
        let text = translated("All that is filled in has to match. Of several words, separated by commas, one has to.")
        let end = draft.until == 0 ? "" : translated("Until {time}.", ["time": LocalTime(draft.until).shown(now: now)])
        func rows(_ fields: [RuleDraft.Field]) -> [FormRow<RuleDraft.Field>] {
            fields.map { field in
                FormRow(
                    field,
                    title: title(of: field),
                    text: field == .end ? end : "",
                    value: draft.value(of: field),
                    choices: choices(of: field, draft.choices),
                    problem: draft.problem(of: field)
                )
            }
        }
        let isMute = draft.settings.mute == true
        let effects: [RuleDraft.Field] = isMute ? [.markRead] : [.urgency, .sound, .timeout, .ignoreQuiet]
        return [
            Group(title: translated("Which Notifications"), text: text, rows: rows(draft.conditionFields)),
            Group(title: translated("What Happens"), rows: rows([.popup] + effects + [.badge, .end])),
        ]
    }

    private func title(of field: RuleDraft.Field) -> String {
        switch field {
        case .account: translated("Account")
        case .category: translated("Category")
        case .otherCategory: translated("Other Category")
        case .tag: translated("Tag")
        case .otherTag: translated("Other Tag")
        case .topic: translated("Topic")
        case .title: translated("Words in the Title")
        case .text: translated("Words in the Text")
        case .from: translated("From")
        case .to: translated("To")
        case .days: translated("Days")
        case .popup: translated("Show Popups")
        case .urgency: translated("Urgency")
        case .sound: translated("Sound")
        case .timeout: translated("How Long a Popup Stays")
        case .badge: translated("Count Unread Ones")
        case .markRead: translated("Mark as Read")
        case .ignoreQuiet: translated("Also in Quiet Hours")
        case .end: translated("End of the Rule")
        }
    }

    private func choices(of field: RuleDraft.Field, _ known: RuleChoices) -> [String] {
        let usual = translated("As Without the Rule")
        switch field {
        case .account: return [translated("All Accounts")] + known.accounts.map(\.nameLine)
        case .category:
            // Translators: The last choice of categories or tags: another one is typed.
            return [translated("All Categories")] + known.categories.map(\.nameLine) + [translated("Other…")]
        // Translators: The first choice of tags: whatever tags a notification has.
        case .tag: return [translated("All Tags")] + known.tags.map(\.nameLine) + [translated("Other…")]
        case .days: return Weekday.allCases.map(\.title)
        case .urgency: return [usual, translated("Low"), translated("Normal"), translated("Critical")]
        case .sound: return [usual, translated("None")]
        case .timeout:
            return [
                usual, translated("As the Desktop Decides"), translated("5 Seconds"), translated("10 Seconds"),
                translated("30 Seconds"), translated("Until It Is Closed"),
            ]
        // Translators: A choice of when a rule ends.
        case .end: return RuleDraft.ends.map { $0?.title ?? translated("No End") }
        default: return []
        }
    }

    /// What a rule matches, in a sentence.
    package static func result(count: Int) -> String {
        if count == 0 { return translated("This matches none of your newest notifications.") }
        return translated(
            "This matches {count} of your newest notifications.",
            plural: "This matches {count} of your newest notifications.",
            count: count
        )
    }
}
