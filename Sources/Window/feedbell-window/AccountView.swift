import GTK
import VisibleText
import Window

/// The window with the form of an account. Each opening makes another one.
final class AccountView {
    private var form: AccountForm
    /// The time without a change after which values that were typed are checked.
    private static let typingPause = Duration.milliseconds(400)

    private let calls: AgentCalls
    private let request: (WindowRequest) -> Void
    private let events = PageEvents<AccountForm.Event>()
    private let formWindow: FormWindow
    private lazy var view = FormView<AccountForm.Field>(
        title: "",
        icon: "",
        entered: { [unowned self] in submit() },
        changed: { [unowned self] in receive(.set($0, $1)) }
    )
    private(set) var isClosed = false
    /// Whether what is typed may be lost.
    private var isDone = false

    /// - Parameters:
    ///   - names: The names that other accounts have.
    ///   - link: A link or a file with values for a new account; nil: there is none.
    ///   - request: Performs what the form requests of other windows.
    init(
        _ purpose: AccountForm.Purpose,
        names: [String],
        link: String?,
        over parent: GTK.Window,
        calls: AgentCalls,
        request: @escaping (WindowRequest) -> Void
    ) {
        form = AccountForm(purpose, names: names, link: link)
        (self.calls, self.request) = (calls, request)
        formWindow = FormWindow(title: form.title, cancel: translated("Cancel"), submit: form.submitLabel)
        formWindow.show(view.page)
        formWindow.window.setParent(parent, isModal: true)
        formWindow.onSubmit { [unowned self] in submit() }
        formWindow.onClose { [unowned self] in mayClose() }
        formWindow.window.onClosed { [unowned self] in isClosed = true }
        render()
        for effect in form.beginning { perform(effect) }
        formWindow.window.present()
    }

    /// Asks before what is typed is lost.
    private func mayClose() -> Bool {
        isDone || !form.isChanged
            || formWindow.asksToDiscard { [weak self] in
                self?.isDone = true
                self?.formWindow.window.close()
            }
    }

    func present() { formWindow.window.present() }

    private func submit() {
        view.reportChanges()
        receive(.submit)
    }

    /// Passes an event to the form, and shows what follows from it.
    func receive(_ event: AccountForm.Event) {
        guard !isClosed else { return }
        events.receive(event, { form.receive($0) }, render: render, perform: perform)
    }

    private func perform(_ effect: AccountForm.Effect) {
        switch effect {
        case .focus(let field?): view.focus(field)
        case .focus(nil): formWindow.focusMessage()
        case .saved(let account, let mustSignIn):
            isDone = true
            formWindow.window.close()
            if mustSignIn { request(.signIn(added: account)) }
            sendToAgent(effect)
        case .waitForPause(let change):
            calls.wait(Self.typingPause) { [weak self] in self?.receive(.paused(change)) }
        case .load, .check, .submit: sendToAgent(effect)
        }
    }

    private func sendToAgent(_ effect: AccountForm.Effect) {
        calls.start {
            await $0.perform(effect)
        } returned: { [weak self] in
            for event in $0 { self?.receive(event) }
        }
    }

    private func render() {
        view.show(form.groups)
        // The button keeps the focus while the form is submitted.
        let canSubmit = form.canSubmit || form.isSubmitting
        formWindow.set(canSubmit: canSubmit, message: form.message ?? "", isBusy: form.isSubmitting)
    }
}
