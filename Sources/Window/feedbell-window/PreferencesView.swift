import GTK
import VisibleText
import Window

/// The window with the preferences of the accounts, the accounts and the settings.
///
/// The window is hidden when it is closed: GTK 4.8 keeps two megabytes of each such window that was destroyed.
final class PreferencesView {
    let calls: AgentCalls
    let request: (WindowRequest) -> Void
    private(set) lazy var preferences = PreferencesForm(self)
    private(set) lazy var accounts = AccountsForm(self)
    private(set) lazy var settings = SettingsForm(self)
    private(set) var window: PreferencesWindow?

    /// - Parameter request: Performs what the pages request of other windows.
    init(calls: AgentCalls, request: @escaping (WindowRequest) -> Void) {
        (self.calls, self.request) = (calls, request)
    }

    /// nil: it is not open.
    var openWindow: PreferencesWindow? { window?.isVisible == true && !isClosing ? window : nil }
    private var isClosing = false

    func open(over parent: GTK.Window) {
        let window = window ?? makeWindow()
        self.window = window
        if openWindow == nil {
            window.setParent(parent)
            preferences.receive(.opened)
            accounts.receive(.opened)
            settings.receive(.opened)
        }
        window.present()
    }

    private func makeWindow() -> PreferencesWindow {
        let window = PreferencesWindow()
        window.setTitle(translated("Preferences"))
        window.hideOnClose()
        window.onClosed { [unowned self] in closed() }
        window.onActivity { [unowned self] in if $0 { settings.receive(.focused) } }
        window.keepFocus()
        let pages = [
            preferences.view.page, settings.page(of: .popups), settings.page(of: .quiet), settings.page(of: .rules),
            accounts.view.page, settings.page(of: .advanced),
        ]
        for page in pages { page.map(window.add) }
        return window
    }

    func openAccounts(over parent: GTK.Window) {
        open(over: parent)
        window?.show(accounts.view.page)
    }

    /// Shows a category of an account.
    func open(over parent: GTK.Window, account: String, category: String) {
        open(over: parent)
        preferences.receive(.show(account: account, category: category))
    }

    /// The window is still on the screen.
    private func closed() {
        isClosing = true
        defer { isClosing = false }
        preferences.view.applyTexts()
        settings.applyTexts()
        preferences.receive(.closed)
        accounts.receive(.closed)
        settings.receive(.closed)
    }

    /// Shows local times again.
    func timeZoneChanged() {
        preferences.render()
        settings.render()
    }

    /// Shows a short message: over the inbox while no preferences are open.
    func showMessage(_ text: String) {
        if let openWindow { openWindow.showToast(text.sentenceLine) } else { request(.show(text)) }
    }
}
