import GTK
import VisibleText
import Window

/// The page with the accounts.
final class AccountsForm {
    private var page = AccountsPage()
    private let events = PageEvents<AccountsPage.Event>()
    private unowned let parent: PreferencesView
    private(set) lazy var view = FormView<AccountsPage.Row>(
        title: translated("Accounts"),
        icon: "system-users-symbolic"
    ) { [unowned self] row, _ in
        receive(.press(row))
    }

    init(_ parent: PreferencesView) { self.parent = parent }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: AccountsPage.Event) {
        events.receive(event, { page.receive($0) }, render: render, perform: perform)
    }

    private func render() { if parent.window != nil { view.show(page.groups) } }

    private func perform(_ effect: AccountsPage.Effect) {
        switch effect {
        case .run(let task):
            parent.calls.start {
                await $0.run(task)
            } returned: { [unowned self] in
                receive($0)
            }
        case .show(let text): parent.showMessage(text)
        case .openForm(let purpose): parent.request(.openForm(purpose))
        case .ask(let question):
            parent.window?.ask(
                question.title,
                text: question.text,
                yes: question.yes,
                no: translated("Cancel"),
                destroys: true
            ) {
                [unowned self] in receive(.answered(question, isYes: $0))
            }
        }
    }
}
