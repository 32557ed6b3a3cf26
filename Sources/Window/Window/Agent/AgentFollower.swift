package import AgentInterface
import Basics
package import DBus
import InboxPresentation
import Translation

/// Follows the agent on the bus, and makes requests to it. No state but what the signals need.
package struct AgentFollower: Sendable {
    private let bus: Bus
    let root: Proxy
    private let report: @Sendable (AgentEvent) -> Void

    /// - Parameter report: Called on the bus's loop.
    package init(bus: Bus, report: @escaping @Sendable (AgentEvent) -> Void) {
        self.bus = bus
        root = Proxy(bus, AgentNames.busName, AgentNames.agentPath)
        self.report = report
    }

    private enum Input: Sendable {
        case owner(BusName?)
        case signal(Message)
    }

    /// Reports the agent and its accounts, and what changes, until the task is cancelled.
    /// - Throws: The bus's error, if the connection ended.
    package func run() async throws(DBusError) {
        let inputs = Mailbox<Input>()
        let rule = MatchRule(sender: AgentNames.busName, pathNamespace: AgentNames.agentPath)
        let signals = try await bus.signals(matching: rule, buffering: .unbounded)
        let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
        await withTaskGroup { group in
            group.addTask { for await signal in signals { inputs.send(.signal(signal)) } }
            group.addTask {
                for await change in owners { inputs.send(.owner(change.new)) }
                inputs.close()
            }
            await follow(inputs)
            group.cancelAll()
        }
        throw DBusError(.disconnected, "The connection to the session bus ended.")
    }

    private func follow(_ inputs: Mailbox<Input>) async {
        var accounts = FollowedAccounts()
        var wasRunning = false
        for await input in inputs.messages {
            switch input {
            case .owner(nil):
                if wasRunning { report(.inbox(.agent(.ended))) } else { await start() }
            case .owner(.some):
                wasRunning = true
                await read(into: &accounts)
            case .signal(let message):
                guard wasRunning else { continue }
                switch accounts.receive(message) {
                case .event(let event): report(event)
                case .readAgain: await read(into: &accounts)
                case nil: break
                }
            }
        }
    }

    /// Reads all, as soon as the agent answers.
    private func read(into accounts: inout FollowedAccounts) async {
        while true {
            do throws(DBusError) {
                let objects = try await root.getManagedObjects(autoStart: false)
                accounts = FollowedAccounts(objects, root: try await root.getAll(AgentRoot.self, autoStart: false))
                report(.accounts(accounts.states))
                report(.settings(.pause(accounts.pause)))
                return report(.inbox(.agent(.running)))
            } catch {
                // An agent that has ended meanwhile is reported by the bus.
                guard error.name == .timeout, !Task.isCancelled else { return }
                report(.inbox(.agent(.silent)))
            }
        }
    }

    /// Starts the agent by its name on the bus. When it is there, its owner changes.
    package func start() async {
        do throws(DBusError) {
            try await root.call(PeerInterface.ping)
        } catch {
            let reason = await Self.configurationProblem() ?? RequestFailure.notStarted
            report(.inbox(.agent(.unavailable(reason))))
        }
    }

    // MARK: Requests

    func proxy(of account: String) -> Proxy {
        Proxy(bus, AgentNames.busName, AgentNames.accountPath(account))
    }

    package func reply(to request: ListRequest) async -> ListReply {
        let account = proxy(of: request.account)
        do throws(DBusError) {
            let options = request.options.values
            let records = try await ListParts.all(request.options) { (options) async throws(DBusError) in
                try await account.call(AgentInbox.list, options.values, autoStart: false)
            }
            // An agent of an earlier version does not know it.
            let isPart = if case .these = request.part { true } else { false }
            let problem =
                isPart ? "" : (try? await account.call(AgentInbox.listProblem, options, autoStart: false)) ?? ""
            return .notifications(records.map(NotificationRecord.init(listed:)), problem: problem)
        } catch {
            if error.name == .invalidArgs, !request.place.tab.isEmpty { return .noTab }
            return .failed(RequestFailure.sentence(error, ofSearch: !request.place.search.isEmpty))
        }
    }

    /// - Returns: The file of the picture; empty: there is none, or an agent of an earlier version does not load it.
    package func picture(_ request: PictureRequest) async -> String {
        (try? await proxy(of: request.row.account).call(AgentInbox.picture, request.row.id, autoStart: false)) ?? ""
    }

    /// Which rules apply to a notification.
    package func rules(of row: RowID) async -> RuleTest {
        do throws(DBusError) {
            let checks = try await proxy(of: row.account).call(AgentInbox.testRules, row.id, autoStart: false)
            return .checks(checks.map(RuleCheckRecord.init))
        } catch {
            return .failed(RequestFailure.sentence(error))
        }
    }

    package func mute(_ mute: Mute) async -> MuteReply {
        do throws(DBusError) {
            return .muted(
                rule: try await root.call(AgentRoot.mute, mute.conditions.values, mute.until, autoStart: false)
            )
        } catch {
            return .failed(RequestFailure.sentence(error))
        }
    }

    /// Removes the rule that mutes a notification.
    ///
    /// - Returns: What has happened, in a sentence.
    package func unmute(_ row: RowID) async -> String {
        do throws(DBusError) {
            let checks = try await proxy(of: row.account).call(AgentInbox.testRules, row.id, autoStart: false)
            let id = checks.map(RuleCheckRecord.init).first(where: \.applies)?.id
            let rules = try await root.call(AgentRoot.rules, autoStart: false).map(RuleRecord.init)
            guard let rule = rules.first(where: { $0.id == id }), rule.isMute else {
                return translated("A rule mutes it that cannot be changed here.")
            }
            return await removeMute(rule: rule.id)
        } catch {
            return RequestFailure.sentence(error)
        }
    }

    /// - Returns: What has happened, in a sentence.
    package func removeMute(rule: String) async -> String {
        let failure = await failure { (root) async throws(DBusError) in
            try await root.call(AgentRoot.removeRule, rule, autoStart: false)
        }
        return failure ?? translated("No longer muted.")
    }

    /// Receives nothing more of a topic.
    ///
    /// - Returns: What has happened, in a sentence.
    package func leave(topic: String, of account: String) async -> String {
        do throws(DBusError) {
            try await proxy(of: account).call(AgentPreferences.setTopic, topic, false, autoStart: false)
            return translated("You receive nothing more of \"{name}\".", ["name": topic.nameLine])
        } catch {
            return RequestFailure.sentence(error)
        }
    }

    /// - Returns: Why a call failed, in a sentence; nil: it succeeded.
    func failure(of call: (Proxy) async throws(DBusError) -> Void) async -> String? {
        do throws(DBusError) {
            try await call(root)
            return nil
        } catch {
            return RequestFailure.sentence(error)
        }
    }

    /// Takes the last action of an account back.
    package func undo(_ account: String) async -> UndoReply {
        do throws(DBusError) { return .back(try await Undone(on: root, account: account)) } catch {
            return .failed(Undone.sentence(error.name) ?? RequestFailure.sentence(error))
        }
    }

    /// Lets the user sign in with the browser, and returns at the end of it.
    package func signIn(to account: String, _ options: SignInOptions) async -> BrowserSignInPage.Outcome {
        let object = proxy(of: account)
        do throws(DBusError) {
            let finished = try await object.signals(of: AgentAccount.self)
            let limit = Duration.seconds(60)
            try await root.call(AgentRoot.signIn, account, options.dictionary, timeout: limit, autoStart: false)
            for await message in finished {
                guard let (error, sentence) = try? AgentAccount.signInFinished.decode(message) else { continue }
                guard let name = try? ErrorName(error) else { return .signedIn }
                // Of an earlier one, which this one has ended.
                if SignInRequest(try await object.get(AgentAccount.signInRequest)) != nil { continue }
                return .failed(sentence, isDenied: name == AgentErrors.rejected)
            }
            return .failed(RequestFailure.sessionEnded, isDenied: false)
        } catch {
            let isOfSignIn = [AgentErrors.offline, AgentErrors.rejected, AgentErrors.unauthorized].contains(error.name)
            return .failed(isOfSignIn ? error.message : RequestFailure.sentence(error), isDenied: false)
        }
    }

    /// Ends a sign-in with the browser.
    package func cancelSignIn(to account: String) async {
        // The agent may have ended, and the sign-in with it.
        try? await root.call(AgentRoot.cancelSignIn, account, autoStart: false)
    }

    /// - Parameter token: The activation token for what the request opens.
    /// - Returns: Why it failed, in a sentence; nil: it succeeded.
    package func perform(_ request: Request, token: String?) async -> String? {
        var data = PlatformData()
        data.activationToken = token
        data.translated = true
        do throws(DBusError) {
            try await request.call.perform(on: proxy(of: request.account), data)
            return nil
        } catch {
            return RequestFailure.sentence(error)
        }
    }
}
