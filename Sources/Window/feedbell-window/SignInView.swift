import AgentInterface
import GTK
import VisibleText
import Window

/// The window of a sign-in with the browser. Each opening makes another one.
final class SignInView {
    private var page: BrowserSignInPage
    private let calls: AgentCalls
    private let showMessage: (String) -> Void
    private let events = PageEvents<BrowserSignInPage.Event>()
    private let formWindow: FormWindow
    private lazy var view = FormView<BrowserSignInPage.Row>(
        title: "",
        icon: "",
        changed: { [unowned self] row, _ in receive(.press(row)) }
    )
    private(set) var isClosed = false

    var account: String { page.account }

    /// - Parameter showMessage: Shows a short message over the window below.
    init(
        _ account: String,
        over parent: GTK.Window,
        calls: AgentCalls,
        showMessage: @escaping (String) -> Void
    ) {
        page = BrowserSignInPage(account: account)
        (self.calls, self.showMessage) = (calls, showMessage)
        formWindow = FormWindow(title: page.title, cancel: translated("Cancel"), submit: page.submitLabel, height: 360)
        formWindow.show(view.page)
        formWindow.window.setParent(parent, isModal: true)
        formWindow.onSubmit { [unowned self] in receive(.submit) }
        formWindow.window.onClosed { [unowned self] in
            receive(.closed)
            isClosed = true
        }
    }

    func present() {
        formWindow.window.present()
        formWindow.focusSubmit()
    }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: BrowserSignInPage.Event) {
        guard !isClosed else { return }
        events.receive(event, { page.receive($0) }, render: render, perform: perform)
    }

    private func render() {
        view.show(page.groups)
        formWindow.set(canSubmit: true, message: page.message ?? "", isBusy: false)
    }

    private func perform(_ effect: BrowserSignInPage.Effect) {
        switch effect {
        case .copy(let text):
            formWindow.window.copy(text)
            formWindow.window.announce(translated("The link is in the clipboard."))
        // A step of a sign-in that has ended meanwhile is no news.
        case .announce(let text): formWindow.window.announce(self.page.isUnderWay ? text : "")
        case .focusMessage: formWindow.focusMessage()
        case .close: formWindow.window.close()
        case .show(let text): showMessage(text)
        case .signIn(let number, let options): signIn(number, options)
        case .cancel:
            calls.start(isAwaited: false, { [account] in await $0.cancelSignIn(to: account) }) {}
        }
    }

    /// The sign-in goes on in the agent if the program ends.
    private func signIn(_ number: Int, _ options: SignInOptions) {
        var options = options
        options.activationToken = options.opensBrowser ? Application.activationToken() : nil
        calls.start(isAwaited: false) { [account, options] in
            await $0.signIn(to: account, options)
        } returned: { [weak self] in
            self?.receive(.ended(number, $0))
        }
    }
}
