import AgentInterface
import Basics
import DBus
import GTK
import Glibc
import ProgramKit
import VisibleText
import Window

/// Runs the windows: what the desktop, the agent and other windows report to their pages, and their calls of the agent.
final class WindowProgram {
    private enum Input: Sendable {
        case application(Application.Event)
        case connected(AgentRequests)
        /// There is no connection to the bus, in a sentence.
        case noSession(String)
        case agent(AgentReport)
        case timeZoneChanged
        case request(WindowRequest)
        case call(AgentCalls.Call)
        /// A call has ended.
        case returned(AgentCalls.Call.Return, wasAwaited: Bool)
    }

    private let loop: ApplicationLoop
    private let inputs = Mailbox<Input>()
    private lazy var calls = AgentCalls { [inputs] in inputs.send(.call($0)) }
    private lazy var request: (WindowRequest) -> Void = { [inputs] in inputs.send(.request($0)) }
    private lazy var preferences = PreferencesView(calls: calls, request: request)
    private var window: InboxWindow?
    private var form: AccountView?
    private var signIn: SignInView?
    /// The account that was saved, until the agent says that its user signs in with the browser.
    private var addedAccount: String?
    private var requests: AgentRequests?
    /// Whether an agent has run since the program began.
    private var hasRun = false
    private var accounts: [AccountState] = []
    private var requestedActions = RequestedActions()
    /// Calls before the connection to the bus.
    private var waiting: [AgentCalls.Call] = []
    /// The number of awaited calls that have not ended.
    private var awaited = 0
    private var isClosed = false

    nonisolated init(loop: ApplicationLoop) { self.loop = loop }

    /// Returns when the window is closed and the user's last actions are performed.
    func run() async {
        let desktops = getenv("XDG_CURRENT_DESKTOP").map { String(cString: $0) } ?? ""
        let hours = ClockFormat.hours(isGNOME: desktops.split(separator: ":").contains("GNOME"))
        if let hours { TimeForm.useHours(hours) }
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
                if isClosed, awaited == 0 { break }
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
                    inputs.send(.noSession(RequestFailure.sessionEnded))
                }
                group.cancelAll()
            }
        } catch {
            inputs.send(.noSession(RequestFailure.noSession))
        }
    }

    private func receive(_ input: Input, _ group: inout TaskGroup<Void>) {
        switch input {
        case .application(.activate): open()
        case .application(.action(let action)):
            guard let action = WindowAction(name: action.name, texts: action.texts) else { break }
            if let action = requestedActions.admit(action) { show(action) }
        case .application(.terminate): if window == nil { isClosed = true } else { window?.receive(.closing) }
        case .connected(let requests):
            self.requests = requests
            for call in waiting { run(call, requests, &group) }
            waiting = []
        case .noSession(let reason): opened().receive(.agent(.noSession(reason)))
        case .agent(.missing) where !hasRun: opened().startAgent()
        case .agent(let report): receive(report)
        case .timeZoneChanged:
            window?.receive(.timeZoneChanged)
            preferences.timeZoneChanged()
        case .request(let request): perform(request)
        case .call(let call): if let requests { run(call, requests, &group) } else { waiting.append(call) }
        case .returned(let pass, let wasAwaited):
            if wasAwaited { awaited -= 1 }
            pass()
        }
    }

    private func run(_ call: AgentCalls.Call, _ requests: AgentRequests, _ group: inout TaskGroup<Void>) {
        if call.isAwaited { awaited += 1 }
        group.addTask { [inputs] in
            inputs.send(.returned(await call.run(requests), wasAwaited: call.isAwaited))
        }
    }

    private func perform(_ request: WindowRequest) {
        switch request {
        case .showPreferences: preferences.open(over: opened().window)
        case .showCategory(let account, let category):
            preferences.open(over: opened().window, account: account, category: category)
        case .set(let row, let value): preferences.settings.receive(.set(row, value))
        case .openForm(let purpose): open(purpose)
        case .signIn(let account):
            addedAccount = account
            openSignInToAdded()
        case .show(let text): opened().receive(.message(text))
        case .quit: isClosed = true
        }
    }

    private func receive(_ report: AgentReport) {
        switch report {
        case .running:
            hasRun = true
            opened().receive(.agent(.running))
        case .silent: opened().receive(.agent(.silent))
        case .missing: opened().receive(.agent(.ended))
        case .root(let root):
            preferences.settings.receive(.pause(PopupPause(root)))
            opened().pause = PopupPause(root)
            opened().isTextHidden = root[AgentRoot.textHidden] ?? false
        case .accounts(let accounts): accountsAre(accounts)
        case .arrived(let row): opened().receive(.arrived(row))
        case .changed(let account, let ids): opened().receive(.changed(account: account, ids: ids))
        case .rejected(let account, let ids, let reason):
            opened().receive(.rejected(account: account, ids: ids, reason: reason))
        case .preferences(let account, let categories):
            preferences.preferences.receive(.changed(account: account, categories))
        case .preferenceRejected(let account, let target, let reason):
            preferences.preferences.receive(.rejected(account: account, target: target, reason: reason))
        case .rulesChanged: preferences.settings.receive(.rulesChanged)
        }
    }

    private func accountsAre(_ accounts: [AccountState]) {
        self.accounts = accounts
        let requested = requestedActions.accountsAre(accounts.map(\.name))
        opened().receive(.accounts(accounts))
        preferences.preferences.receive(.accounts(accounts))
        preferences.accounts.receive(.accounts(accounts))
        form?.receive(.names(accounts.map(\.name)))
        signIn?.receive(.accounts(accounts))
        openSignInToAdded()
        preferences.settings.receive(.accounts(accounts))
        if let requested { show(requested) }
    }

    private func opened() -> InboxWindow {
        if let window { return window }
        let window = InboxWindow(calls: calls, request: request)
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
            preferences.accounts.receive(.press(.test(account)))
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
        let view = SignInView(account, over: front, calls: calls, showMessage: preferences.showMessage)
        signIn = view
        view.receive(.accounts(accounts))
        view.present()
    }

    /// - Parameter link: A link or a file with values for a new account; nil: there is none.
    private func open(_ purpose: AccountForm.Purpose, link: String? = nil) {
        if case .signIn(let name) = purpose, signsIn(name) { return openSignIn(to: name) }
        if let form, !form.isClosed { return form.present() }
        let names = accounts.map(\.name)
        form = AccountView(purpose, names: names, link: link, over: front, calls: calls, request: request)
    }
}
