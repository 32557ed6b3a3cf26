import AgentInterface
import GTK
import VisibleText
import Window

/// The page with the settings.
final class SettingsForm {
    private var page = SettingsPage()
    private let events = PageEvents<SettingsPage.Event>()
    private unowned let parent: PreferencesView
    private(set) lazy var view = FormView<SettingsPage.Row>(
        title: translated("Settings"),
        icon: "emblem-system-symbolic"
    ) { [unowned self] in
        receive(.set($0, $1))
    }

    init(_ parent: PreferencesView) { self.parent = parent }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: SettingsPage.Event) {
        events.receive(event, { page.receive($0, now: LocalTime.now) }, render: render, perform: perform)
    }

    func render() { if parent.window != nil { view.show(page.groups(now: LocalTime.now)) } }

    private func perform(_ effect: SettingsPage.Effect) {
        switch effect {
        case .show(let text): parent.showMessage(text)
        case .openForm(let purpose): parent.request(.openForm(purpose))
        case .list, .listRules, .changeRules, .tryRule, .change, .pause, .resume:
            parent.calls.start {
                await $0.run(effect)
            } returned: { [unowned self] in
                for event in $0 { receive(event) }
            }
        }
    }
}
