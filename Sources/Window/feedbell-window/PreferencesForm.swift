import GTK
import VisibleText
import Window

/// The page with the preferences of the accounts.
final class PreferencesForm {
    private var page = PreferencesPage()
    private let events = PageEvents<PreferencesPage.Event>()
    private unowned let parent: PreferencesView
    private(set) lazy var view = FormView<PreferenceRow>(
        title: translated("Notifications"),
        icon: "preferences-other-symbolic",
        unfolded: { [unowned self] in if let account = page.account { receive(.unfolded(account: account, $0)) } },
        changed: { [unowned self] in changed($0, $1) }
    )

    init(_ parent: PreferencesView) { self.parent = parent }

    private func changed(_ row: PreferenceRow, _ value: FormValue) {
        // The typed texts belong to the account that was shown before.
        if row == .account { view.applyTexts() }
        if let account = page.account { receive(.set(account: account, row, value)) }
    }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: PreferencesPage.Event) {
        events.receive(event, { page.receive($0) }, render: render, perform: perform)
    }

    func render() { if parent.window != nil { view.show(page.groups) } }

    private func perform(_ effect: PreferencesPage.Effect) {
        switch effect {
        case .list(let account):
            parent.calls.start(isAwaited: false) {
                await $0.preferences(of: account)
            } returned: { [unowned self] in
                receive(.listed(account: account, $0))
            }
        case .send(let request):
            parent.calls.start {
                await $0.send(request)
            } returned: { [unowned self] in
                receive(.finished(request, failure: $0))
            }
        case .show(let text): parent.showMessage(text)
        case .openForm(let purpose): parent.request(.openForm(purpose))
        case .focus(let row):
            parent.window?.show(view.page)
            parent.window?.whenPresented { [view] in view.focus(row) }
        }
    }
}
