import GTK
import Window

/// The pages with the preferences of each account.
final class PreferencesForms {
    private var page = PreferencesPage()
    private let events = PageEvents<PreferencesPage.Event>()
    private unowned let parent: PreferencesView
    private var views: [FormView<PreferenceRow>] = []
    /// The accounts of ``views``.
    private var accounts: [String?] = []

    init(_ parent: PreferencesView) { self.parent = parent }

    var pages: [RowPage] { views.map(\.page) }

    func applyTexts() { for view in views { view.applyTexts() } }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: PreferencesPage.Event) {
        events.receive(event, { page.receive($0) }, render: render, perform: perform)
    }

    func render() {
        guard parent.window != nil else { return }
        let forms = page.forms
        if forms.map(\.account) != accounts { makeViews(forms) }
        parent.arrangePages()
        for (form, view) in zip(forms, views) { view.show(form.groups) }
    }

    private func makeViews(_ forms: [PreferencesPage.Form]) {
        let old = Dictionary(zip(accounts, views), uniquingKeysWith: { $1 })
        accounts = forms.map(\.account)
        views = forms.map { form in
            old[form.account]
                ?? FormView<PreferenceRow>(
                    title: form.title,
                    icon: "preferences-other-symbolic",
                    unfolded: { [unowned self] in
                        if let account = form.account { receive(.unfolded(account: account, $0)) }
                    },
                    changed: { [unowned self] in
                        if let account = form.account { receive(.set(account: account, $0, $1)) }
                    }
                )
        }
    }

    private func perform(_ effect: PreferencesPage.Effect) {
        switch effect {
        case .list(let account):
            parent.calls.start(isAwaited: false) {
                await $0.preferences(of: account)
            } returned: { [unowned self] in
                receive(.listed(account: account, $0))
            }
        case .perform(let request):
            parent.calls.start {
                await $0.send(request)
            } returned: { [unowned self] in
                receive(.finished(request, failure: $0))
            }
        case .show(let text): parent.showMessage(text)
        case .openForm(let purpose): parent.request(.openForm(purpose))
        case .focus(let account, let row):
            guard let index = accounts.firstIndex(of: account) else { break }
            let view = views[index]
            parent.window?.show(view.page)
            parent.window?.whenPresented { view.focus(row) }
        }
    }
}
