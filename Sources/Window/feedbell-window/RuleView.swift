import AgentInterface
import GTK
import VisibleText
import Window

/// The window with the form of a rule. Each opening makes another one.
final class RuleView {
    private var form: RuleForm
    private let calls: AgentCalls
    private let events = PageEvents<RuleForm.Event>()
    private let formWindow: FormWindow
    private lazy var view = FormView<RuleDraft.Field>(
        title: "",
        icon: "",
        entered: { [unowned self] in submit() },
        changed: { [unowned self] in receive(.set($0, $1)) }
    )
    private var isClosed = false
    /// Whether what is typed may be lost.
    private var isDone = false
    private var hasFocusedRow = false

    /// - Parameters:
    ///   - rule: nil: a new one.
    ///   - accounts: The names of all accounts.
    init(_ rule: RuleRecord?, accounts: [String], over parent: GTK.Window, calls: AgentCalls) {
        form = RuleForm(rule, accounts: accounts)
        self.calls = calls
        formWindow = FormWindow(title: form.title, cancel: translated("Cancel"), submit: translated("Save"))
        formWindow.show(view.page)
        formWindow.window.setParent(parent, isModal: true)
        formWindow.onSubmit { [unowned self] in submit() }
        formWindow.onClose { [unowned self] in
            isDone || !form.isChanged || formWindow.asksToDiscard { [weak self] in self?.close() }
        }
        formWindow.window.onClosed { [unowned self] in isClosed = true }
        for effect in form.beginning { perform(effect) }
        formWindow.window.present()
    }

    private func close() {
        isDone = true
        formWindow.window.close()
    }

    private func submit() {
        view.reportChanges()
        receive(.submit)
    }

    private func receive(_ event: RuleForm.Event) {
        guard !isClosed else { return }
        events.receive(event, { form.receive($0, now: LocalTime.now) }, render: render, perform: perform)
    }

    private func perform(_ effect: RuleForm.Effect) {
        if effect == .close { return close() }
        calls.start {
            await $0.perform(effect)
        } returned: { [weak self] in
            for event in $0 { self?.receive(event) }
        }
    }

    private func render() {
        let groups = form.groups(now: LocalTime.now)
        view.show(groups)
        if !groups.isEmpty, !hasFocusedRow {
            hasFocusedRow = true
            view.focus(.category)
        }
        formWindow.set(canSubmit: form.canSubmit || form.isSaving, message: form.message, isBusy: form.isSaving)
    }
}
