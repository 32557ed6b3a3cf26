package import AgentInterface
import Basics
package import DBus
import VisibleText

/// The window's requests to the agent.
package struct AgentRequests: Sendable {
    private let bus: Bus
    let root: Proxy

    package init(bus: Bus) {
        self.bus = bus
        root = Proxy(bus, AgentNames.busName, AgentNames.agentPath)
    }

    /// Starts the agent by its name on the bus.
    ///
    /// - Returns: Why it cannot be started, in a sentence; nil: it was.
    package func startAgent() async -> String? {
        do throws(DBusError) {
            try await root.call(PeerInterface.ping)
            return nil
        } catch {
            return await Self.configurationProblem() ?? RequestFailure.notStarted
        }
    }

    func proxy(of account: String) -> Proxy {
        Proxy(bus, AgentNames.busName, AgentNames.accountPath(account))
    }

    package func reply(to request: ListRequest) async -> ListReply {
        let isSearch = !request.query.search.isEmpty
        return await request.reply(of: proxy(of: request.account)) { RequestFailure.sentence($0, ofSearch: isSearch) }
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
            return try await Mute.end(of: row, on: root)
                ? translated("No longer muted.") : translated("A rule mutes it that cannot be changed here.")
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

    /// Hides the texts of popups, or shows them again.
    ///
    /// - Returns: What has happened, in a sentence.
    package func hideText(_ isHidden: Bool) async -> String {
        do throws(DBusError) {
            try await root.call(AgentRoot.hideText, isHidden, autoStart: false)
            return isHidden ? translated("Popups hide their texts.") : translated("Popups show their texts.")
        } catch {
            guard error.name == AgentErrors.notEditable else { return RequestFailure.sentence(error) }
            return translated("The texts of popups are set in the configuration. Ask your administrator.")
        }
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
    package func send(_ request: InboxRequest, token: String?) async -> String? {
        var data = PlatformData()
        data.activationToken = token
        data.translated = true
        do throws(DBusError) {
            try await request.call.send(to: proxy(of: request.account), data)
            return nil
        } catch {
            return RequestFailure.sentence(error)
        }
    }
}
