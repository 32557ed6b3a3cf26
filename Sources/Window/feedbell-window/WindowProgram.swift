import AgentInterface
import Basics
import DBus
import FileWatching
import GTK
import Glibc
import InboxClient
import Translation
import Window

/// Runs the window: events of the desktop, of GTK and of the agent to the page, its requests to the agent.
final class WindowProgram {
    private enum Input: Sendable {
        case application(Application.Event)
        case connected(AgentRequests)
        case agent(AgentReport)
        case event(InboxPage.Event)
        case timeZoneChanged
        case effect(Effect)
        case preferences(PreferencesPage.Event)
        case changed(PreferenceRequest, failure: String?)
        // Runs of the agent's program have ended.
        case accounts(AccountsPage.Event)
        case settings([SettingsPage.Event])
        case form(number: Int, [AccountForm.Event])
        /// The user has typed nothing more in a form for ``typingPause``.
        case typingPaused(form: Int, change: Int)
        /// An action of the user has ended: what the page receives.
        case performed(InboxPage.Event)
        /// A sign-in with the browser has ended.
        case signedIn(account: String, number: Int, BrowserSignInPage.Outcome)
    }

    /// A request of a page.
    private enum Effect: Sendable {
        case inbox(InboxPage.Effect)
        case preferences(PreferencesView.Effect)
        case form(number: Int, AccountForm.Effect)
        case signIn(account: String, BrowserSignInPage.Effect)
    }

    /// The time without a change after which values that were typed are checked.
    private static let typingPause = Duration.milliseconds(400)

    private let loop: ApplicationLoop
    private let inputs = Mailbox<Input>()
    private var window: InboxWindow?
    private lazy var preferences = PreferencesView { [inputs] in inputs.send(.effect(.preferences($0))) }
    private var form: AccountView?
    private var signIn: SignInView?
    /// The account that was saved, until the agent says that its user signs in with the browser.
    private var addedAccount: String?
    /// The number of the last form: results for earlier ones are too late.
    private var lastForm = 0
    private var requests: AgentRequests?
    /// Whether an agent has run since the program began.
    private var hasRun = false
    private var accounts: [AccountState] = []
    private var requestedActions = RequestedActions()
    /// Requests before the connection to the bus.
    private var waiting: [Effect] = []
    /// The user's actions that have not ended.
    private var pending = 0
    private var isClosed = false

    nonisolated init(loop: ApplicationLoop) { self.loop = loop }

    /// Returns when the window is closed and the user's last actions are performed.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [loop, inputs] in
                for await event in loop.events.messages { inputs.send(.application(event)) }
            }
            group.addTask { [loop, inputs] in await Self.connect(loop, inputs) }
            group.addTask { [loop, inputs] in
                let watch = FileWatch(paths: [FileWatch.timeZoneFile], loop: loop)
                // Without a watch, times follow at the next event.
                _ = await watch.run(changed: { inputs.send(.timeZoneChanged) })
            }
            for await input in inputs.messages {
                receive(input, &group)
                if isClosed, pending == 0 { break }
            }
            group.cancelAll()
        }
    }

    /// Follows the agent until the connection to the bus ends.
    private nonisolated static func connect(_ loop: ApplicationLoop, _ inputs: Mailbox<Input>) async {
        do throws(DBusError) {
            let bus = try await Bus.connect(to: .session, loop: loop)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await bus.run() }
                inputs.send(.connected(AgentRequests(bus: bus)))
                do throws(DBusError) {
                    try await AgentWatch(bus: bus).run { inputs.send(.agent($0)) }
                } catch {
                    inputs.send(.event(.agent(.noSession(RequestFailure.sessionEnded))))
                }
                group.cancelAll()
            }
        } catch {
            inputs.send(.event(.agent(.noSession(RequestFailure.noSession))))
        }
    }

    private func receive(_ input: Input, _ group: inout TaskGroup<Void>) {
        switch input {
        case .application(.activate): open()
        case .application(.action(let action)):
            guard let action = WindowAction(name: action.name, texts: action.texts) else { break }
            if let action = requestedActions.receive(action) { show(action) }
        case .application(.terminate): if window == nil { isClosed = true } else { window?.receive(.closing) }
        case .connected(let requests):
            self.requests = requests
            for effect in waiting { perform(effect, requests, &group) }
            waiting = []
        case .agent(.missing) where !hasRun: if let requests { startAgent(requests, &group) }
        case .agent(let report): receive(report)
        case .event(let event): opened().receive(event)
        case .timeZoneChanged:
            window?.receive(.timeZoneChanged)
            preferences.timeZoneChanged()
        case .effect(.inbox(.showPreferences)): preferences.open(over: opened().window)
        case .effect(.inbox(.showCategory(let account, let category))):
            preferences.open(over: opened().window, account: account, category: category)
        case .effect(.inbox(.openForm(let purpose))), .effect(.preferences(.openForm(let purpose))): open(purpose)
        case .effect(.preferences(.show(let text))): opened().receive(.message(text))
        case .effect(.inbox(.quit)): isClosed = true
        case .effect(let effect):
            if let requests { perform(effect, requests, &group) } else { waiting.append(effect) }
        case .signedIn(let account, let number, let outcome):
            if signIn?.account == account { signIn?.receive(.ended(number, outcome)) }
        case .performed(let event):
            pending -= 1
            opened().receive(event)
        case .changed(let request, let failure):
            pending -= 1
            preferences.receive(.preferences(.finished(request, failure: failure)))
        case .preferences(let event): preferences.receive(.preferences(event))
        case .accounts(let event):
            pending -= 1
            preferences.receive(.accounts(event))
        case .settings(let events):
            pending -= 1
            for event in events { preferences.receive(.settings(event)) }
        case .form(let number, let events):
            pending -= 1
            if number == lastForm { for event in events { form?.receive(event) } }
        case .typingPaused(let number, let change): if number == lastForm { form?.receive(.paused(change)) }
        }
    }

    private func receive(_ report: AgentReport) {
        switch report {
        case .running:
            hasRun = true
            opened().receive(.agent(.running))
        case .silent: opened().receive(.agent(.silent))
        case .missing: opened().receive(.agent(.ended))
        case .root(let root): preferences.receive(.settings(.pause(PopupPause(root))))
        case .accounts(let accounts): accountsAre(accounts)
        case .arrived(let row): opened().receive(.arrived(row))
        case .changed(let account, let ids): opened().receive(.changed(account: account, ids: ids))
        case .rejected(let account, let ids, let reason):
            opened().receive(.rejected(account: account, ids: ids, reason: reason))
        case .preferences(let account, let categories):
            preferences.receive(.preferences(.changed(account: account, categories)))
        case .preferenceRejected(let account, let target, let reason):
            preferences.receive(.preferences(.rejected(account: account, target: target, reason: reason)))
        case .rulesChanged: preferences.receive(.settings(.rulesChanged))
        }
    }

    private func accountsAre(_ accounts: [AccountState]) {
        self.accounts = accounts
        let requested = requestedActions.accountsAre(accounts.map(\.name))
        opened().receive(.accounts(accounts))
        preferences.receive(.preferences(.accounts(accounts)))
        preferences.receive(.accounts(.accounts(accounts)))
        form?.receive(.names(accounts.map(\.name)))
        signIn?.receive(.accounts(accounts))
        openSignInToAdded()
        preferences.receive(.settings(.accounts(accounts)))
        if let requested { show(requested) }
    }

    private func opened() -> InboxWindow {
        if let window { return window }
        let window = InboxWindow { [inputs] in inputs.send(.effect(.inbox($0))) }
        self.window = window
        return window
    }

    private func open() {
        isClosed = false
        let window = opened()
        window.receive(.opened)
        window.present()
    }

    private func show(_ action: WindowAction) {
        switch action {
        case .show(let account, let id): opened().receive(.show(RowID(account: account, id: id)))
        case .search(let words): opened().search(words)
        case .signIn(let account): open(.signIn(account: account))
        case .addAccount(let link): open(.add, link: link)
        case .findProblems(let account):
            preferences.openAccounts(over: opened().window)
            preferences.receive(.accounts(.press(.test(account))))
        }
    }

    /// The window in front of the others.
    private var front: Window { preferences.openWindow ?? opened().window }

    private func openSignInToAdded() {
        guard let name = addedAccount, signsIn(name) else { return }
        addedAccount = nil
        openSignIn(to: name)
    }

    private func signsIn(_ account: String) -> Bool { accounts.contains { $0.name == account && $0.has(.signIn) } }

    private func openSignIn(to account: String) {
        if let signIn, !signIn.isClosed { return signIn.present() }
        let view = SignInView(account, over: front) { [inputs] in
            inputs.send(.effect(.signIn(account: account, $0)))
        }
        signIn = view
        view.receive(.accounts(accounts))
        view.present()
    }

    /// - Parameter link: A link or a file with values for a new account; nil: there is none.
    private func open(_ purpose: AccountForm.Purpose, link: String? = nil) {
        if case .signIn(let name) = purpose, signsIn(name) { return openSignIn(to: name) }
        if let form, !form.isClosed { return form.present() }
        lastForm += 1
        let number = lastForm
        form = AccountView(purpose, names: accounts.map(\.name), link: link, over: front) {
            [inputs] in inputs.send(.effect(.form(number: number, $0)))
        }
    }

    private func perform(_ effect: Effect, _ requests: AgentRequests, _ group: inout TaskGroup<Void>) {
        let inputs = inputs
        switch effect {
        case .inbox(let effect): perform(effect, requests, &group)
        case .signIn(let account, let effect): perform(effect, account, requests, &group)
        case .preferences(.preferences(let effect)): perform(effect, requests, &group)
        case .preferences(.accounts(.perform(let task))):
            pending += 1
            group.addTask { inputs.send(.accounts(await requests.run(task))) }
        case .preferences(.accounts), .preferences(.openForm), .preferences(.show): break
        case .preferences(.settings(let effect)):
            pending += 1
            group.addTask { inputs.send(.settings(await requests.run(effect))) }
        case .form(let number, .waitForPause(let change)):
            after(Self.typingPause, .typingPaused(form: number, change: change), &group)
        case .form(let number, let effect):
            if case .saved(let account, mustSignIn: true) = effect {
                addedAccount = account
                openSignInToAdded()
            }
            pending += 1
            group.addTask { inputs.send(.form(number: number, await requests.run(effect))) }
        }
    }

    private func perform(
        _ effect: BrowserSignInPage.Effect,
        _ account: String,
        _ requests: AgentRequests,
        _ group: inout TaskGroup<Void>
    ) {
        switch effect {
        case .begin(let number, var options):
            options.activationToken = options.opensBrowser ? Application.activationToken() : nil
            // It goes on in the agent if the program ends.
            group.addTask { [inputs, options] in
                let outcome = await requests.signIn(to: account, options)
                inputs.send(.signedIn(account: account, number: number, outcome))
            }
        case .cancel: group.addTask { await requests.cancelSignIn(to: account) }
        case .copy, .announce, .focusMessage, .close: break
        }
    }

    private func perform(_ effect: InboxPage.Effect, _ requests: AgentRequests, _ group: inout TaskGroup<Void>) {
        let inputs = inputs
        switch effect {
        case .list(let request):
            group.addTask { inputs.send(.event(.listed(request, await requests.reply(to: request)))) }
        case .listRead(let request):
            group.addTask { inputs.send(.event(.listedRead(request, await requests.reply(to: request)))) }
        case .perform(let request):
            let token = request.opens ? Application.activationToken() : nil
            if request.isAction { pending += 1 }
            group.addTask {
                let failure = await requests.send(request, token: token)
                let event = InboxPage.Event.finished(request, failure: failure)
                inputs.send(request.isAction ? .performed(event) : .event(event))
            }
        case .undo(let account):
            pending += 1
            group.addTask { inputs.send(.performed(.tookBack(account: account, await requests.undo(account)))) }
        case .loadPicture(let request):
            group.addTask { inputs.send(.event(.picture(request, file: await requests.picture(request)))) }
        case .testRules(let row): group.addTask { inputs.send(.event(.tested(row, await requests.rules(of: row)))) }
        case .mute(let mute):
            pending += 1
            group.addTask { inputs.send(.performed(.muted(mute, await requests.mute(mute)))) }
        case .unmute(let row):
            pending += 1
            group.addTask { inputs.send(.performed(.message(await requests.unmute(row)))) }
        case .removeMute(let rule):
            pending += 1
            group.addTask { inputs.send(.performed(.message(await requests.removeMute(rule: rule)))) }
        case .leaveTopic(let account, let topic):
            pending += 1
            group.addTask { inputs.send(.performed(.message(await requests.leave(topic: topic, of: account)))) }
        case .startAgent: startAgent(requests, &group)
        case .watchPage(let request): after(.seconds(1), .event(.pageIsLate(request)), &group)
        case .watchRows: after(.seconds(1), .event(.secondPassed), &group)
        case .runClock(let number, let milliseconds):
            after(.milliseconds(milliseconds), .event(.clock(number)), &group)
        default: break
        }
    }

    private func startAgent(_ requests: AgentRequests, _ group: inout TaskGroup<Void>) {
        group.addTask { [inputs] in
            guard let failure = await requests.startAgent() else { return }
            inputs.send(.event(.agent(.unavailable(failure))))
        }
    }

    private func perform(
        _ effect: PreferencesPage.Effect,
        _ requests: AgentRequests,
        _ group: inout TaskGroup<Void>
    ) {
        let inputs = inputs
        switch effect {
        case .list(let account):
            group.addTask {
                let reply = await requests.preferences(of: account)
                inputs.send(.preferences(.listed(account: account, reply)))
            }
        case .perform(let request):
            pending += 1
            group.addTask { inputs.send(.changed(request, failure: await requests.send(request))) }
        case .show, .openForm, .focus: break
        }
    }

    private func after(_ delay: Duration, _ input: Input, _ group: inout TaskGroup<Void>) {
        group.addTask { [inputs] in
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            inputs.send(input)
        }
    }
}

extension Request {
    /// Whether another program may come to the front.
    fileprivate var opens: Bool {
        switch call {
        case .open, .invoke: true
        default: false
        }
    }
}
