import GTK
import Translation
import VisibleText
import Window

/// The window with the preferences, which is made anew each time it is opened.
final class PreferencesView {
    private(set) var page = PreferencesPage()
    private let request: (PreferencesPage.Effect) -> Void
    private var window: PreferencesWindow?
    private var forms: [(account: String, form: FormView<PreferenceRow>)] = []
    private var isReceiving = false
    private var waiting: [PreferencesPage.Event] = []

    /// - Parameter request: Performs what the page requests of the agent.
    init(request: @escaping (PreferencesPage.Effect) -> Void) { self.request = request }

    func open(over parent: GTK.Window) {
        if let window { return window.present() }
        let window = PreferencesWindow()
        self.window = window
        window.setTitle(translated("Preferences"))
        window.setParent(parent)
        window.onClosed { [unowned self] in
            (self.window, forms) = (nil, [])
            receive(.closed)
        }
        receive(.opened)
        window.present()
    }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: PreferencesPage.Event) {
        waiting.append(event)
        guard !isReceiving else { return }
        isReceiving = true
        defer { isReceiving = false }
        while !waiting.isEmpty {
            let effects = page.receive(waiting.removeFirst())
            render()
            for effect in effects {
                if case .show(let text) = effect { window?.showToast(text.onOneLine) } else { request(effect) }
            }
        }
    }

    private func render() {
        guard let window else { return }
        if page.accounts != forms.map(\.account) || forms.isEmpty { makeForms(in: window) }
        for (account, form) in forms { form.show(page.groups(of: account)) }
    }

    private func makeForms(in window: PreferencesWindow) {
        for (_, form) in forms { window.remove(form.page) }
        forms = page.accounts.map { account in
            let form = FormView<PreferenceRow>(title: account.onOneLine, icon: "preferences-other-symbolic") {
                [unowned self] in receive(.set(account: account, $0, $1))
            }
            window.add(form.page)
            return (account, form)
        }
        guard forms.isEmpty else { return }
        let none = FormView<PreferenceRow>(title: WindowNames.name, icon: "preferences-other-symbolic") { _, _ in }
        none.show([FormGroup(text: translated("No account's service has preferences."))])
        window.add(none.page)
        forms = [("", none)]
    }
}
