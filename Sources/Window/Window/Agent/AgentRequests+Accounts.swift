import AgentInterface
import DBus
import FoundationEssentials
import VisibleText

/// Runs of the agent's program for accounts and settings, after which the running agent reads the files again.
extension AgentRequests {
    // MARK: Accounts

    package func run(_ task: AccountsPage.Task) async -> AccountsPage.Event {
        let name = task.account
        switch task {
        case .listServices:
            let services = await AgentProgram.outcome(of: ProgramRequest(["services"]))
                .decoded(as: [ServiceDescription].self)
            return .services(Dictionary((services ?? []).map { ($0.name, $0.title) }, uniquingKeysWith: { $1 }))
        case .reconnect:
            return .ended(task, failure: await send(Request(name, .reconnect), token: nil))
        case .test:
            return .tested(account: name, await AgentCheck(account: name, isTranslated: true).findings())
        case .testAll:
            let findings = await AgentCheck(isTranslated: true).findings()
            return .tested(account: "", findings.filter { $0.account == nil })
        case .signOut:
            let words = translated("The token cannot be removed.")
            let failure = await AgentProgram.failure(of: ProgramRequest(["sign-out", "--", name]), words)
            // The agent has the token in memory. Where none runs, there is nothing to end.
            if failure == nil { try? await root.call(AgentRoot.signOut, name, autoStart: false) }
            return .ended(task, failure: failure)
        case .remove:
            let words = translated("The account cannot be removed.")
            let failure = await AgentProgram.failure(of: ProgramRequest(["remove-account", "--", name]), words)
            return .ended(task, failure: failure == nil ? await reload() : failure)
        }
    }

    /// - Returns: The form's events.
    package func run(_ effect: AccountForm.Effect) async -> [AccountForm.Event] {
        switch effect {
        case .load(let purpose, let link): return await load(purpose, link)
        case .check(let field, let number, let request):
            return [.checked(field, number, await AgentProgram.outcome(of: request))]
        case .submit(let request): return [.ended(await AgentProgram.outcome(of: request))]
        case .waitForPause, .focus: return []
        case .saved(let account, _):
            // A new token alone is no change of the configuration.
            _ = await reload()
            _ = await send(Request(account, .reconnect), token: nil)
            return []
        }
    }

    private func load(_ purpose: AccountForm.Purpose, _ link: String?) async -> [AccountForm.Event] {
        let outcome = await AgentProgram.outcome(of: ProgramRequest(["services"]))
        guard let services = outcome.decoded(as: [ServiceDescription].self), !services.isEmpty else {
            return [.unusable(outcome.text(RequestFailure.notInstalled))]
        }
        switch purpose {
        case .add:
            guard let link else { return [.services(services)] }
            let outcome = await AgentProgram.outcome(of: ProgramRequest(["account-link"], input: link))
            guard let details = outcome.decoded(as: AccountDetails.self) else {
                return [.unusable(outcome.text(translated("This link or file does not describe an account.")))]
            }
            return [.services(services), .proposed(details)]
        case .change(let account):
            let outcome = await AgentProgram.outcome(of: ProgramRequest(["show-account", "--", account]))
            guard let details = outcome.decoded(as: AccountDetails.self) else {
                return [.unusable(outcome.text(translated("This account cannot be changed here.")))]
            }
            return [.services(services), .details(details)]
        case .signIn(let account):
            let outcome = await AgentProgram.outcome(of: ProgramRequest(["store-token", "--dry-run", "--", account]))
            if outcome.status == 0 { return [.loaded] }
            return [.unusable(outcome.text(translated("The token of this account cannot be changed here.")))]
        }
    }

    // MARK: Settings

    package func run(_ effect: SettingsPage.Effect) async -> [SettingsPage.Event] {
        switch effect {
        case .list:
            async let settings = AgentProgram.outcome(of: ProgramRequest(["settings"]))
            async let autostart = AgentProgram.outcome(of: ProgramRequest(["autostart"]))
            let rules = await rules()
            let (outcome, sessions) = await (settings, autostart)
            let list = outcome.decoded(as: [SettingDetails].self)
            return [
                .autostart(sessions.status == 0 ? sessions.output.hasPrefix("on") : nil),
                list.map(SettingsPage.Event.listed) ?? .notListed(Self.settingsProblem(outcome)),
                .rules(rules),
            ]
        case .change(let request):
            let outcome = await AgentProgram.outcome(of: request)
            switch outcome.status {
            case 0: return [.ended(failure: await reload())]
            case Self.invalidValue: return [.ended(failure: RequestFailure.impossibleValue)]
            default: return [.ended(failure: outcome.sentences)]
            }
        case .pause(let until):
            return await change { (root) async throws(DBusError) in
                try await root.call(AgentRoot.pause, until, autoStart: false)
            }
        case .resume:
            return await change { (root) async throws(DBusError) in
                try await root.call(AgentRoot.resume, autoStart: false)
            }
        case .listRules: return [.rules(await rules())]
        case .changeRules(let change):
            let failure = await failure { (root) async throws(DBusError) in try await change.send(to: root) }
            return [.rules(await rules()), .rulesEnded(failure: failure)]
        case .show, .openForm, .openRule: return []
        }
    }

    /// - Returns: The events of the form of a rule.
    package func run(_ effect: RuleForm.Effect) async -> [RuleForm.Event] {
        switch effect {
        case .loadChoices(let accounts): return [.choices(await choices(of: accounts))]
        case .tryRule(let rule): return [.tried(rule, await tryOut(rule))]
        case .save(let change):
            return [
                .ended(failure: await failure { (root) async throws(DBusError) in try await change.send(to: root) })
            ]
        case .close: return []
        }
    }

    /// What the newest notifications and the preferences have. What an account does not answer is left out.
    private func choices(of accounts: [String]) async -> RuleChoices {
        var (categories, tags): (Set<String>, Set<String>) = ([], [])
        var options = ListOptions()
        (options.limit, options.takesKept) = (Self.choiceRows, true)
        for account in accounts {
            let proxy = proxy(of: account)
            let list = try? await proxy.call(AgentInbox.list, options.values, autoStart: false)
            for record in (list ?? []).map(NotificationRecord.init) {
                categories.insert(record.category)
                tags.formUnion(record.tags)
            }
            let preferences = try? await proxy.call(AgentPreferences.list, autoStart: false)
            categories.formUnion((preferences ?? []).map { CategoryRecord($0).id })
        }
        return RuleChoices(
            accounts: accounts,
            categories: Array(categories.subtracting([""]).sorted().prefix(Self.choiceLimit)),
            tags: Array(tags.subtracting([""]).sorted().prefix(Self.choiceLimit))
        )
    }

    /// The number of notifications of each account whose categories and tags can be chosen, and the limit of these.
    private static let (choiceRows, choiceLimit): (UInt32, Int) = (500, 100)

    private func tryOut(_ rule: RuleRecord) async -> String {
        do throws(DBusError) {
            return RuleForm.result(count: try await root.call(AgentRoot.tryRule, rule.values, autoStart: false).count)
        } catch {
            guard error.name == .limitsExceeded else { return RequestFailure.sentence(error) }
            return translated("It takes too long to find what this matches. Write a simpler text.")
        }
    }

    private func rules() async -> [RuleRecord] {
        ((try? await root.call(AgentRoot.rules, autoStart: false)) ?? []).map(RuleRecord.init)
    }

    private func change(_ call: (Proxy) async throws(DBusError) -> Void) async -> [SettingsPage.Event] {
        await failure(of: call).map { [.ended(failure: $0)] } ?? []
    }

    /// Why the agent cannot start, if its files are the cause: the file and the line, and what to do.
    static func configurationProblem() async -> String? {
        let outcome = await AgentProgram.outcome(of: ProgramRequest(["settings"]))
        guard outcome.status == invalidConfiguration else { return nil }
        return translatedParagraph([outcome.sentences, translated("Correct the file, then press Start.")])
    }

    /// Why the settings could not be listed, and what to do.
    private static func settingsProblem(_ outcome: AgentProgram.Outcome) -> String {
        // The settings are listed again when their window gets the focus.
        let advice = translated("Correct the file, then come back to this window.")
        return translatedParagraph([outcome.sentences, outcome.status == invalidConfiguration ? advice : nil])
    }

    /// `EX_USAGE`
    private static let invalidValue: Int32 = 64
    /// `EX_CONFIG`
    private static let invalidConfiguration: Int32 = 78

    /// Lets the running agent read its configuration.
    ///
    /// - Returns: Why it does not use it, in a sentence; nil: it does, or it reads it when it starts.
    private func reload() async -> String? {
        do throws(DBusError) {
            try await root.call(AgentRoot.reload, autoStart: false)
            return nil
        } catch {
            return error.name == .serviceUnknown ? nil : RequestFailure.sentence(error)
        }
    }
}

extension SettingsPage.RuleChange {
    fileprivate func send(to root: Proxy) async throws(DBusError) {
        switch self {
        case .add(let rule): _ = try await root.call(AgentRoot.addRule, rule.values, "", autoStart: false)
        case .change(let id, let rule):
            try await root.call(AgentRoot.changeRule, id, rule.values, autoStart: false)
        case .move(let id, let other): try await root.call(AgentRoot.moveRule, id, other, autoStart: false)
        case .remove(let id): try await root.call(AgentRoot.removeRule, id, autoStart: false)
        }
    }
}

extension AgentProgram {
    /// The status of a shell for a command that it cannot find.
    static let notFound: Int32 = 127

    /// The outcome of a run. That it could not be run is one, too.
    static func outcome(of request: ProgramRequest) async -> Outcome {
        guard let program = find() else {
            return Outcome(status: notFound, errors: RequestFailure.notInstalled)
        }
        do throws(Failure) {
            return try await program.run(request.arguments, input: request.input)
        } catch {
            return Outcome(status: notFound, errors: error.description)
        }
    }

    /// Why a run failed, in words for people and those of the program; nil: it did not.
    static func failure(of request: ProgramRequest, _ words: String) async -> String? {
        let outcome = await outcome(of: request)
        return outcome.status == 0 ? nil : outcome.text(words)
    }
}

extension AgentProgram.Outcome {
    /// The output as JSON; nil: the program failed, or its output is something else.
    fileprivate func decoded<Content: Decodable>(as type: Content.Type) -> Content? {
        status == 0 ? try? JSONDecoder().decode(type, from: Data(output.utf8)) : nil
    }
}
