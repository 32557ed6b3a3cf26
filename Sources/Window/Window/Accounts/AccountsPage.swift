package import AgentInterface
import VisibleText

/// The list of accounts with what can be done to each: what the user does and what the agent reports in, requests out.
package struct AccountsPage: Equatable, Sendable {
    package enum Row: Hashable, Sendable {
        case account(String)
        case signIn(String)
        case reconnect(String)
        case change(String)
        case test(String)
        case signOut(String)
        case remove(String)
        /// The reason of a failure.
        case failure(String)
        /// A finding of the test, by its position.
        case finding(String, Int)
        case add
        /// Find problems that concern no account.
        case testAll
    }

    package enum Question: Equatable, Sendable {
        case remove(account: String, waitingActions: Int)
        case signOut(account: String)
    }

    package enum Task: Equatable, Sendable {
        /// Request the names of the services.
        case listServices
        case reconnect(account: String)
        case test(account: String)
        /// Find problems that concern no account.
        case testAll
        case signOut(account: String)
        case remove(account: String)

        /// Empty: it concerns none.
        var account: String {
            switch self {
            case .listServices, .testAll: ""
            case .reconnect(let account), .test(let account), .signOut(let account), .remove(let account): account
            }
        }
    }

    package enum Event: Equatable, Sendable {
        /// All accounts, in the order of the configuration.
        case accounts([AccountState])
        /// The names of the services to display, by those on the bus.
        case services([String: String])
        case press(Row)
        case answered(Question, isYes: Bool)
        /// A task has ended; `failure`: in a sentence, nil if it succeeded.
        case ended(Task, failure: String?)
        /// - Parameter account: Empty: the findings concern none.
        case tested(account: String, [Finding])
        case opened
        case closed
    }

    package enum Effect: Equatable, Sendable {
        case openForm(AccountForm.Purpose)
        case ask(Question)
        case run(Task)
        /// A short message.
        case show(String)
    }

    private(set) var accounts: [AccountState] = []
    private var services: [String: String] = [:]
    private var running: [String: Task] = [:]
    private var failures: [String: String] = [:]
    private var findings: [String: [Finding]] = [:]

    package init() {}

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .accounts(let new):
            accounts = new
            let names = Set(new.map(\.name) + [""])
            failures = failures.filter { names.contains($0.key) }
            findings = findings.filter { names.contains($0.key) }
        case .opened: return services.isEmpty ? [.run(.listServices)] : []
        case .services(let titles): services = titles
        case .press(let row): return press(row)
        case .answered(let question, let isYes): return isYes ? begin(question.task) : []
        case .ended(let task, let failure):
            running[task.account] = nil
            failures[task.account] = failure
            return failure == nil ? task.success.map { [.show($0)] } ?? [] : []
        case .tested(let account, let found):
            running[account] = nil
            findings[account] = found
            return [.show(found.summary)]
        case .closed: (failures, findings) = ([:], [:])
        }
        return []
    }

    /// The names of all accounts.
    package var names: [String] { accounts.map(\.name) }

    private mutating func press(_ row: Row) -> [Effect] {
        switch row {
        case .add: return [.openForm(.add)]
        case .change(let account): return [.openForm(.change(account: account))]
        case .signIn(let account): return [.openForm(.signIn(account: account))]
        case .reconnect, .test, .testAll: return row.task.map { begin($0) } ?? []
        case .signOut(let account): return [.ask(.signOut(account: account))]
        case .remove(let account):
            let waiting = accounts.first { $0.name == account }?.waitingActions ?? 0
            return [.ask(.remove(account: account, waitingActions: waiting))]
        case .account, .failure, .finding: return []
        }
    }

    private mutating func begin(_ task: Task) -> [Effect] {
        guard running[task.account] == nil else { return [] }
        running[task.account] = task
        (failures[task.account], findings[task.account]) = (nil, nil)
        return [.run(task)]
    }

    // MARK: Shown

    package var groups: [FormGroup<Row>] {
        let text = accounts.isEmpty ? translated("Add the account of a service whose notifications you get.") : ""
        let add = FormGroup(rows: [FormRow(Row.add, title: translated("Add Account"), value: .open)])
        let refused = accounts.refusedGroups { Row.signIn($0) }
        return refused + [FormGroup(text: text, rows: accounts.map(row)), add, others]
    }

    /// The problems that concern no account.
    private var others: FormGroup<Row> {
        let isTesting = running[""] == .testAll
        let test = FormRow(
            Row.testAll,
            title: translated("Find Other Problems"),
            text: isTesting ? translated("Testing …") : translated("Tests the configuration, the rules and the clock."),
            value: .press
        )
        return FormGroup(rows: [test] + report(""))
    }

    private func row(_ account: AccountState) -> FormRow<Row> {
        let name = account.name
        let missing = account.missingToken
        let state = missing == nil ? AccountText.state(account.state) : account.signInTitle
        let service = services[account.provider] ?? ""
        let facts = [service, account.user.nameLine, state].map(\.nameLine).filter { !$0.isEmpty }
        let preset = account.origin == .preset ? translated("Set up by your administrator.") : ""
        let error = account.isOnline || missing != nil ? "" : account.lastError.sentenceLine
        return FormRow(
            .account(name),
            title: name.nameLine,
            text: [translatedList(facts), preset, error].filter { !$0.isEmpty }.joined(separator: "\n"),
            rows: report(name) + actions(account)
        )
    }

    private func report(_ name: String) -> [FormRow<Row>] {
        let failure = failures[name].map { [FormRow(Row.failure(name), title: $0.sentenceLine)] } ?? []
        let account = accounts.first { $0.name == name }
        let found = findings[name]?.rows(of: account) { Row.finding(name, $0) } ?? []
        return failure + found
    }

    private func actions(_ account: AccountState) -> [FormRow<Row>] {
        let name = account.name
        func button(_ row: Row, _ title: String, _ text: String = "", _ value: FormValue = .press) -> FormRow<Row> {
            // The row that was pressed keeps the focus.
            let isFree = running[name].map { $0 == row.task } ?? true
            return FormRow(row, title: title, text: text, value: value, isEditable: isFree)
        }
        // What is in the user's own file or an administrator's is changed there.
        let isOfProgram = account.origin == nil || account.origin == .program
        let isTesting = running[name] == .test(account: name)
        var rows: [FormRow<Row>] = []
        // Otherwise it is above all accounts.
        if !account.mustSignIn, account.canSignIn {
            rows.append(button(.signIn(name), translated("Sign In Again"), translated("With a new token."), .open))
        }
        if !account.isOnline, account.missingToken == nil {
            rows.append(button(.reconnect(name), translated("Connect Now")))
        }
        let others = [
            isOfProgram ? button(.change(name), translated("Change"), "", .open) : nil,
            button(
                .test(name),
                translated("Find Problems"),
                isTesting ? translated("Asking the service …") : translated("Tests the token and the connections.")
            ),
            account.missingToken == nil && account.canSignIn
                ? button(.signOut(name), translated("Sign Out"), translated("Removes the token.")) : nil,
            isOfProgram ? button(.remove(name), translated("Remove Account")) : nil,
        ]
        return (rows + others.compactMap(\.self)).map { $0.within(name.nameLine) }
    }
}

extension AccountsPage.Row {
    /// The task that a press begins at once; nil: none.
    fileprivate var task: AccountsPage.Task? {
        switch self {
        case .reconnect(let account): .reconnect(account: account)
        case .test(let account): .test(account: account)
        case .testAll: .testAll
        case .account, .signIn, .change, .signOut, .remove, .failure, .finding, .add: nil
        }
    }
}

extension AccountsPage.Question {
    var task: AccountsPage.Task {
        switch self {
        case .remove(let account, _): .remove(account: account)
        case .signOut(let account): .signOut(account: account)
        }
    }

    package var title: String {
        switch self {
        case .remove(let account, _): translated("Remove {account}?", ["account": account.nameLine])
        case .signOut(let account): translated("Sign out of {account}?", ["account": account.nameLine])
        }
    }

    package var text: String {
        switch self {
        case .remove(_, let count):
            let waiting =
                count == 0
                ? nil
                : translated(
                    "{count} of its actions was not sent yet, and will be discarded.",
                    plural: "{count} of its actions were not sent yet, and will be discarded.",
                    count: count
                )
            return translatedParagraph([translated("Its token, its state and its popups are removed, too."), waiting])
        case .signOut: return translated("Its token is removed. To get notifications again you need a new one.")
        }
    }

    /// The label of the button that does it.
    package var yes: String {
        switch self {
        case .remove: translated("Remove")
        case .signOut: translated("Sign Out")
        }
    }
}

extension AccountsPage.Task {
    /// The message after it; nil: the page shows it.
    fileprivate var success: String? {
        switch self {
        case .listServices, .reconnect, .test, .testAll: nil
        case .signOut(let account): translated("Signed out of {account}.", ["account": account.nameLine])
        case .remove(let account): translated("Removed {account}.", ["account": account.nameLine])
        }
    }
}
