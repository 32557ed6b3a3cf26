import GTK
import InboxClient
import Translation
import Window

/// The window with the preferences of each account, the accounts and the settings.
///
/// It is hidden when it is closed: GTK 4.8 keeps two megabytes of each such window that was destroyed.
final class PreferencesView {
    enum Event {
        case preferences(PreferencesPage.Event)
        case accounts(AccountsPage.Event)
        case settings(SettingsPage.Event)
    }

    enum Effect: Sendable {
        case preferences(PreferencesPage.Effect)
        case accounts(AccountsPage.Effect)
        case settings(SettingsPage.Effect)
        case openForm(AccountForm.Purpose)
        /// A short message, while no preferences are open.
        case show(String)
    }

    private var preferences = PreferencesPage()
    private(set) var accounts = AccountsPage()
    private var settings = SettingsPage()
    private let request: (Effect) -> Void
    private let events = PageEvents<Event>()
    private var window: PreferencesWindow?
    private var forms: [FormView<PreferenceRow>] = []
    /// The accounts of ``forms``.
    private var formAccounts: [String?] = []
    private var accountsForm: FormView<AccountsPage.Row>?
    private var settingsForm: FormView<SettingsPage.Row>?

    /// - Parameter request: Performs what the pages request of others.
    init(request: @escaping (Effect) -> Void) { self.request = request }

    /// nil: it is not open.
    var openWindow: PreferencesWindow? { window?.isVisible == true ? window : nil }

    func open(over parent: GTK.Window) {
        let window = window ?? makeWindow()
        self.window = window
        if openWindow == nil {
            window.setParent(parent)
            receive(.preferences(.opened))
            receive(.accounts(.opened))
            receive(.settings(.opened))
        }
        window.present()
    }

    private func makeWindow() -> PreferencesWindow {
        let window = PreferencesWindow()
        window.setTitle(translated("Preferences"))
        window.hideOnClose()
        window.onClosed { [unowned self] in closed() }
        window.onActivity { [unowned self] in if $0 { receive(.settings(.focused)) } }
        window.keepFocus()
        return window
    }

    func openAccounts(over parent: GTK.Window) {
        open(over: parent)
        if let accountsForm { window?.show(accountsForm.page) }
    }

    /// Shows a category of an account.
    func open(over parent: GTK.Window, account: String, category: String) {
        open(over: parent)
        receive(.preferences(.show(account: account, category: category)))
    }

    private func closed() {
        for form in forms { form.applyTexts() }
        settingsForm?.applyTexts()
        receive(.preferences(.closed))
        receive(.accounts(.closed))
        receive(.settings(.closed))
    }

    /// Passes an event to its page, and shows what follows from it.
    func receive(_ event: Event) {
        events.receive(event) { events in
            let effects = events.flatMap { handle($0) }
            render()
            for effect in effects { perform(effect) }
        }
    }

    private func handle(_ event: Event) -> [Effect] {
        switch event {
        case .preferences(let event): preferences.receive(event).map(Effect.preferences)
        case .accounts(let event): accounts.receive(event).map(Effect.accounts)
        case .settings(let event): settings.receive(event, now: LocalTime.now).map(Effect.settings)
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .preferences(.show(let text)), .accounts(.show(let text)), .settings(.show(let text)):
            if let openWindow { openWindow.showToast(text.sentenceLine) } else { request(.show(text)) }
        case .preferences(.focus(let account, let row)):
            guard let index = formAccounts.firstIndex(of: account) else { break }
            let form = forms[index]
            window?.show(form.page)
            window?.whenPresented { form.focus(row) }
        case .accounts(.ask(let question)):
            window?.ask(
                question.title,
                text: question.text,
                yes: question.yes,
                no: translated("Cancel"),
                destroys: true
            ) {
                [unowned self] in receive(.accounts(.answered(question, isYes: $0)))
            }
        case .preferences(.openForm(let purpose)), .accounts(.openForm(let purpose)),
            .settings(.openForm(let purpose)):
            request(.openForm(purpose))
        default: request(effect)
        }
    }

    /// Shows local times again.
    func timeZoneChanged() { render() }

    private func render() {
        guard let window else { return }
        let new = preferences.forms
        if new.map(\.account) != formAccounts || accountsForm == nil { makeForms(new, in: window) }
        for (form, view) in zip(new, forms) { view.show(form.groups) }
        accountsForm?.show(accounts.groups)
        settingsForm?.show(settings.groups(now: LocalTime.now))
    }

    /// Makes the pages of new accounts, and puts all pages in their order. The page in front stays there.
    private func makeForms(_ new: [PreferencesPage.Form], in window: PreferencesWindow) {
        let front = pages.first { window.isShowing($0) }
        for page in pages { window.remove(page) }
        let old = Dictionary(zip(formAccounts, forms), uniquingKeysWith: { $1 })
        formAccounts = new.map(\.account)
        forms = new.map { form in
            old[form.account]
                ?? FormView<PreferenceRow>(
                    title: form.title,
                    icon: "preferences-other-symbolic",
                    unfolded: { [unowned self] in
                        if let account = form.account { receive(.preferences(.unfolded(account: account, $0))) }
                    },
                    changed: { [unowned self] in
                        if let account = form.account { receive(.preferences(.set(account: account, $0, $1))) }
                    }
                )
        }
        accountsForm = accountsForm ?? makeAccountsForm()
        settingsForm = settingsForm ?? makeSettingsForm()
        for page in pages { window.add(page) }
        if let front, pages.contains(where: front.isSame) { window.show(front) }
    }

    private func makeAccountsForm() -> FormView<AccountsPage.Row> {
        FormView(title: translated("Accounts"), icon: "system-users-symbolic") { [unowned self] row, _ in
            receive(.accounts(.press(row)))
        }
    }

    private func makeSettingsForm() -> FormView<SettingsPage.Row> {
        FormView(title: translated("Settings"), icon: "emblem-system-symbolic") { [unowned self] in
            receive(.settings(.set($0, $1)))
        }
    }

    private var pages: [RowPage] { forms.map(\.page) + [accountsForm?.page, settingsForm?.page].compactMap(\.self) }
}
