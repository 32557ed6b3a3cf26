import AgentInterface
import GTK
import VisibleText
import Window

/// The pages with the settings.
final class SettingsForm {
    private var page = SettingsPage()
    private let events = PageEvents<SettingsPage.Event>()
    private unowned let parent: PreferencesView
    private lazy var views = SettingsPage.Section.allCases.map { section in
        let view = FormView<SettingsPage.Row>(title: section.title, icon: section.icon) { [unowned self] in
            receive(.set($0, $1))
        }
        return (section, view)
    }
    /// The last one.
    private var rule: RuleView?

    init(_ parent: PreferencesView) { self.parent = parent }

    func page(of section: SettingsPage.Section) -> RowPage? { views.first { $0.0 == section }?.1.page }

    func applyTexts() { for (_, view) in views { view.applyTexts() } }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: SettingsPage.Event) {
        events.receive(event, { page.receive($0, now: LocalTime.now) }, render: render, perform: perform)
    }

    func render() {
        guard parent.window != nil else { return }
        for (section, view) in views { view.show(page.groups(of: section, now: LocalTime.now)) }
    }

    private func perform(_ effect: SettingsPage.Effect) {
        switch effect {
        case .show(let text): parent.showMessage(text)
        case .openForm(let purpose): parent.request(.openForm(purpose))
        case .openRule(let record, let accounts):
            guard let window = parent.openWindow else { break }
            rule = RuleView(record, accounts: accounts, over: window, calls: parent.calls)
        case .list, .listRules, .changeRules, .change, .pause, .resume:
            parent.calls.start {
                await $0.perform(effect)
            } returned: { [unowned self] in
                for event in $0 { receive(event) }
            }
        }
    }
}

extension SettingsPage.Section {
    fileprivate var icon: String {
        switch self {
        case .popups: "preferences-system-notifications-symbolic"
        case .quiet: "weather-clear-night-symbolic"
        case .rules: "view-list-symbolic"
        case .advanced: "emblem-system-symbolic"
        }
    }
}
