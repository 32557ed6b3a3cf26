import GTK
import Translation
import VisibleText
import Window

/// The window with the preferences. Each opening makes another one.
final class PreferencesView {
    private var page = PreferencesPage()
    private let request: (PreferencesPage.Effect) -> Void
    private let events = EventQueue<PreferencesPage.Event>()
    private var window: PreferencesWindow?
    private var forms: [FormView<PreferenceRow>] = []
    /// The accounts of ``forms``.
    private var accounts: [String?] = []

    /// - Parameter request: Performs what the page requests of the agent.
    init(request: @escaping (PreferencesPage.Effect) -> Void) { self.request = request }

    func open(over parent: GTK.Window) {
        if let window { return window.present() }
        let window = PreferencesWindow()
        self.window = window
        window.setTitle(translated("Preferences"))
        window.setParent(parent)
        window.onClosed { [unowned self] in
            (self.window, forms, accounts) = (nil, [], [])
            receive(.closed)
        }
        receive(.opened)
        window.present()
    }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: PreferencesPage.Event) {
        events.receive(event) { events in
            let effects = events.flatMap { page.receive($0) }
            render()
            for effect in effects {
                if case .show(let text) = effect { window?.showToast(text.onOneLine) } else { request(effect) }
            }
        }
    }

    private func render() {
        guard let window else { return }
        let new = page.forms
        if new.map(\.account) != accounts { makeForms(new, in: window) }
        for (form, view) in zip(new, forms) { view.show(form.groups) }
    }

    private func makeForms(_ new: [PreferencesPage.Form], in window: PreferencesWindow) {
        for form in forms { window.remove(form.page) }
        accounts = new.map(\.account)
        forms = new.map { form in
            let view = FormView<PreferenceRow>(title: form.title, icon: "preferences-other-symbolic") {
                [unowned self] in
                if let account = form.account { receive(.set(account: account, $0, $1)) }
            }
            window.add(view.page)
            return view
        }
    }
}
