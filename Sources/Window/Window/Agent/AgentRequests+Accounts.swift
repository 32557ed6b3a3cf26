import AgentInterface
import DBus
import VisibleText

/// Requests to the agent's program for accounts and settings, after which the running agent reads the files again.
extension AgentRequests {
    // MARK: Accounts

    package func run(_ task: AccountsPage.Task) async -> AccountsPage.Event {
        let name = task.account
        switch task {
        case .listServices:
            let services = (try? await Self.services()) ?? []
            return .services(Dictionary(services.map { ($0.name, $0.title) }, uniquingKeysWith: { $1 }))
        case .reconnect:
            return .ended(task, failure: await send(InboxRequest(name, .reconnect), token: nil))
        case .test:
            return .tested(account: name, await AgentCheck.findings(account: name))
        case .testAll:
            let findings = await AgentCheck.findings()
            return .tested(account: "", findings.filter { $0.account == nil })
        case .signOut:
            let failure = await AgentProgram.failure(of: .signOut(name, isDryRun: false))
            // The agent has the token in memory. Where none runs, there is nothing to end.
            if failure == nil { try? await root.call(AgentRoot.signOut, name, autoStart: false) }
            return .ended(task, failure: failure?.text(translated("The token cannot be removed.")))
        case .remove:
            let failure = await AgentProgram.failure(of: .removeAccount(name, keepsSecret: false, isDryRun: false))
            let words = translated("The account cannot be removed.")
            return .ended(task, failure: failure == nil ? await reload() : failure?.text(words))
        }
    }

    /// - Returns: The form's events.
    package func perform(_ effect: AccountForm.Effect) async -> [AccountForm.Event] {
        switch effect {
        case .load(let purpose, let link): return await load(purpose, link)
        case .check(let field, let number, let request):
            return [.checked(field, number, await AgentProgram.failure(of: request))]
        case .submit(let request): return [.ended(await AgentProgram.failure(of: request))]
        case .waitForPause, .focus: return []
        case .saved(let account, _):
            // A new token alone is no change of the configuration.
            _ = await reload()
            _ = await send(InboxRequest(account, .reconnect), token: nil)
            return []
        }
    }

    private func load(_ purpose: AccountForm.Purpose, _ link: String?) async -> [AccountForm.Event] {
        do throws(AgentRequest.Failure) {
            switch purpose {
            case .add:
                let services = try await Self.services()
                guard let link else { return [.services(services)] }
                return [.services(services), .proposed(try await AgentProgram.reply(to: AgentCall(.link(link))))]
            case .change(let account):
                let services = try await Self.services()
                return [.services(services), .details(try await AgentProgram.reply(to: AgentCall(.account(account))))]
            case .signIn(let account):
                let _: [String] = try await AgentProgram.reply(
                    to: AgentCall(.storeToken(nil, account: account, isVerified: true))
                )
                return [.loaded]
            }
        } catch {
            let words =
                switch purpose {
                case .add: translated("This link or file does not describe an account.")
                case .change: translated("This account cannot be changed here.")
                case .signIn: translated("The token of this account cannot be changed here.")
                }
            return [.unusable(error.text(words))]
        }
    }

    private static func services() async throws(AgentRequest.Failure) -> [ServiceDescription] {
        try await AgentProgram.reply(to: AgentCall(.services))
    }

    // MARK: Settings

    package func perform(_ effect: SettingsPage.Effect) async -> [SettingsPage.Event] {
        switch effect {
        case .list:
            async let settings = listed()
            async let autostart: Bool? = try? AgentProgram.reply(to: AgentCall(.autostart))
            let rules = await rules()
            return await [.autostart(autostart), settings, .rules(rules)]
        case .change(let request):
            guard let failure = await AgentProgram.failure(of: request) else {
                return [.ended(failure: await reload())]
            }
            let isImpossible = failure.kind == .invalidValue
            return [.ended(failure: isImpossible ? RequestFailure.impossibleValue : failure.sentences)]
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
    package func perform(_ effect: RuleForm.Effect) async -> [RuleForm.Event] {
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
        do throws(AgentRequest.Failure) { _ = try await settings() } catch {
            guard error.kind == .invalidConfiguration else { return nil }
            return translatedParagraph([error.sentences, translated("Correct the file, then press Start.")])
        }
        return nil
    }

    /// The settings, or why they could not be listed, and what to do.
    private func listed() async -> SettingsPage.Event {
        do throws(AgentRequest.Failure) { return .listed(try await Self.settings()) } catch {
            // The settings are listed again when their window gets the focus.
            let advice = translated("Correct the file, then come back to this window.")
            return .notListed(
                translatedParagraph([error.sentences, error.kind == .invalidConfiguration ? advice : nil])
            )
        }
    }

    private static func settings() async throws(AgentRequest.Failure) -> [SettingDetails] {
        try await AgentProgram.reply(to: AgentCall(.settings))
    }

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
    /// Why a request was not fulfilled; nil: it was.
    fileprivate static func failure(of request: AgentRequest) async -> AgentRequest.Failure? {
        do throws(AgentRequest.Failure) {
            let _: [String] = try await reply(to: AgentCall(request))
            return nil
        } catch {
            return error
        }
    }
}
