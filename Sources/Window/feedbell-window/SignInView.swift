import GTK
import Translation
import Window

/// The window of a sign-in with the browser. Each opening makes another one.
final class SignInView {
    private var page: BrowserSignInPage
    private let request: (BrowserSignInPage.Effect) -> Void
    private let events = PageEvents<BrowserSignInPage.Event>()
    private let formWindow: FormWindow
    private lazy var view = FormView<BrowserSignInPage.Row>(
        title: "",
        icon: "",
        changed: { [unowned self] row, _ in receive(.press(row)) }
    )
    private(set) var isClosed = false

    var account: String { page.account }

    init(_ account: String, over parent: GTK.Window, request: @escaping (BrowserSignInPage.Effect) -> Void) {
        page = BrowserSignInPage(account: account)
        self.request = request
        formWindow = FormWindow(title: page.title, cancel: translated("Cancel"), submit: page.submitLabel, height: 360)
        formWindow.show(view.page)
        formWindow.window.setParent(parent, isModal: true)
        formWindow.onSubmit { [unowned self] in receive(.submit) }
        formWindow.window.onClosed { [unowned self] in
            receive(.closed)
            isClosed = true
        }
    }

    func present() { formWindow.window.present() }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: BrowserSignInPage.Event) {
        guard !isClosed else { return }
        events.receive(event) { events in
            let effects = events.flatMap { page.receive($0) }
            view.show(page.groups)
            formWindow.set(canSubmit: true, message: page.message ?? "", isBusy: false)
            for effect in effects { perform(effect) }
        }
    }

    private func perform(_ effect: BrowserSignInPage.Effect) {
        switch effect {
        case .copy(let text):
            formWindow.window.copy(text)
            formWindow.window.announce(translated("The link is in the clipboard."))
        case .announce(let text): formWindow.window.announce(text)
        case .focusMessage: formWindow.focusMessage()
        case .close: formWindow.window.close()
        case .begin, .cancel: request(effect)
        }
    }
}
