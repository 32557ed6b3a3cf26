package import AgentInterface

/// The agent's settings: what the user does and what the agent reports in, requests out. What it shows is in
/// `SettingsPage+Shown.swift`.
package struct SettingsPage: Equatable, Sendable {
    package enum Row: Hashable, Sendable {
        /// Whether popups are shown.
        case popups
        case pauseForHour
        case pauseUntilTomorrow
        case setting(String)
        /// Whether sessions start the agent.
        case autostart
        /// Whether there are quiet hours.
        case quiet
        /// A rule that cannot be changed here, by its number.
        case rule(UInt32)
        /// A rule of programs, by its id, and what can be done with it.
        case ownRule(String)
        case ruleAction(String, RuleAction)
        case addRule
        /// A mute, by the id of its rule.
        case mute(String)
        /// Why the settings are not known.
        case failure
        /// Sign in to an account, whose token is refused.
        case signIn(String)
    }

    package enum Event: Equatable, Sendable {
        case opened
        case closed
        /// All accounts, in the order of the configuration.
        case accounts([AccountState])
        /// The user is back from another window, where files may have been edited.
        case focused
        case listed([SettingDetails])
        /// In a sentence.
        case notListed(String)
        case rules([RuleRecord])
        /// The rules are others now.
        case rulesChanged
        /// A change of the rules has ended; `failure`: in a sentence, nil if it succeeded.
        case rulesEnded(failure: String?)
        /// Whether sessions start the agent; nil: it is not known.
        case autostart(Bool?)
        case pause(PopupPause)
        case set(Row, FormValue)
        /// A change has ended; `failure`: in a sentence, nil if it succeeded.
        case ended(failure: String?)
    }

    /// A change of the rules of programs.
    package enum RuleChange: Equatable, Sendable {
        case add(RuleRecord)
        case change(String, RuleRecord)
        case move(String, before: String)
        case remove(String)
    }

    package enum Effect: Equatable, Sendable {
        case list
        case listRules
        case changeRules(RuleChange)
        /// Open the form of a rule; nil: a new one.
        case openRule(RuleRecord?, accounts: [String])
        case change(AgentRequest)
        case openForm(AccountForm.Purpose)
        /// Until a time in milliseconds since the Unix epoch; 0: without an end.
        case pause(until: Int64)
        case resume
        /// A short message.
        case show(String)
    }

    private(set) var settings: [String: ListedSetting] = [:]
    private(set) var failure: String?
    private(set) var accounts: [AccountState] = []
    private(set) var rules: [RuleRecord] = []
    private(set) var startsWithSession: Bool?
    private(set) var pause = PopupPause()
    /// Values of the user that are not listed yet.
    private(set) var set: [Row: FormValue] = [:]
    private var isOpen = false
    private var isListing = false

    package init() {}

    package mutating func receive(_ event: Event, now: Int64) -> [Effect] {
        switch event {
        case .opened:
            isOpen = true
            return list()
        case .closed: isOpen = false
        case .accounts(let accounts): self.accounts = accounts
        case .focused: return isOpen && !isListing ? list() : []
        case .listed(let list):
            isListing = false
            settings = Dictionary(list.map { ($0.key, ListedSetting($0)) }, uniquingKeysWith: { $1 })
            // The pause is not listed.
            (failure, set) = (nil, set.filter { $0.key == .popups })
        case .notListed(let sentence): (isListing, failure) = (false, sentence)
        case .rules(let rules):
            self.rules = rules
            set = set.filter { $0.key.isOfRules == false }
        case .rulesChanged: return isOpen && !isListing ? [.listRules] : []
        case .rulesEnded(let failure?):
            set = set.filter { $0.key.isOfRules == false }
            return [.show(failure)]
        case .rulesEnded(nil): break
        case .autostart(let isOn): startsWithSession = isOn
        case .pause(let pause):
            self.pause = pause
            set[.popups] = nil
        case .set(let row, let value): return set(row, value, now: now)
        case .ended(let failure):
            // A refused value is replaced by the present one.
            if failure != nil { set = [:] }
            return (failure.map { [.show($0)] } ?? []) + (isOpen ? list() : [])
        }
        return []
    }

    private mutating func list() -> [Effect] {
        isListing = true
        return [.list]
    }

    private mutating func set(_ row: Row, _ value: FormValue, now: Int64) -> [Effect] {
        switch (row, value) {
        case (.signIn(let account), _): return [.openForm(.signIn(account: account))]
        case (.popups, .toggle(let isShown)):
            // A pause with an end stays one.
            guard value != popupsAreShown else { return [] }
            set[row] = value
            return [isShown ? .resume : .pause(until: 0)]
        case (.pauseForHour, .press): return [.pause(until: now + 3_600_000)]
        case (.pauseUntilTomorrow, .press): return [.pause(until: SnoozeChoice.tomorrow.until(now: now))]
        case (.quiet, .toggle(let isOn)):
            set[row] = value
            return [
                change(
                    isOn
                        ? [SettingChange("quiet.from", "22:00"), SettingChange("quiet.to", "07:00")]
                        : Self.quietKeys.map { SettingChange($0, "") }
                )
            ]
        case (.mute(let id), .toggle(false)):
            set[row] = value
            return [.changeRules(.remove(id))]
        case (.ownRule(let id), .toggle(let isOn)):
            set[row] = value
            return enable(id, isOn)
        case (.ruleAction(let id, let action), .press): return act(action, on: id)
        case (.addRule, .press): return [.openRule(nil, accounts: accounts.map(\.name))]
        case (.autostart, .toggle(let isOn)):
            set[row] = value
            return [.change(.setAutostart(isOn))]
        case (.setting(let key), .text(let text)) where Self.clocks.contains(key):
            guard let clock = WrittenClock.configured(text) else { return [.show(WrittenClock.problem(text))] }
            set[row] = .text(WrittenClock.shown(clock))
            return [change([SettingChange(key, clock)])]
        case (.setting(let key), _):
            guard let text = text(of: value, for: key) else { return [] }
            set[row] = value
            return [change([SettingChange(key, text)])]
        default: break
        }
        return []
    }

    /// The value of the row, as the user has set it.
    var popupsAreShown: FormValue { self.set[.popups] ?? .toggle(!pause.isPaused) }

    /// All keys that a configuration without quiet hours lacks.
    private static let quietKeys = ["quiet.from", "quiet.to", "quiet.days", "quiet.let_through"]

    private func change(_ changes: [SettingChange]) -> Effect { .change(.changeSettings(changes)) }

    /// How the command line writes a value; nil: the setting cannot have it.
    private func text(of value: FormValue, for key: String) -> String? {
        switch (value, Self.choices[key]) {
        case (.toggle(let isOn), let choices?): choices[isOn ? 1 : 0]
        case (.toggle(let isOn), nil): isOn ? "true" : "false"
        case (.choice(let index?), let choices?): choices.indices.contains(index) ? choices[index] : nil
        case (.number(let number), _): "\(number)"
        case (.several(let chosen), let choices?): choices.elements(at: chosen).joined(separator: ",")
        case (.text(let text), _): text
        default: nil
        }
    }

    /// The settings that are times of day.
    private static let clocks = ["quiet.from", "quiet.to"]

    /// The values that a row lets the user choose from. Of a switch, the first is off.
    static let choices: [String: [String]] = [
        "popups.timeout": ["default", "5", "10", "30", "never"],
        "popups.mark_seen": ["shown", "dismissed", "never"],
        "popups.locked": ["show", "hide-text", "hold"],
        "popups.buttons": ["read", "archive", "snooze", "mute"],
        "quiet.days": Weekday.configured,
        "quiet.let_through": ["nothing", "critical"],
        "desktop.launcher_badge": ["auto", "always", "never"],
    ]
}

extension SettingsPage.Row {
    /// Whether the row is about a present rule.
    fileprivate var isOfRules: Bool {
        switch self {
        case .mute, .ownRule: true
        default: false
        }
    }
}
