import AgentInterface
import Basics
import DBus
import Inbox

/// Accounts whose services do not let their users in.
extension Agent {
    /// Runs the popups about them until the task is cancelled.
    func runSignInPopups() async {
        // Failures are logged.
        let requests = SignInPopupPresenter.Requests(
            signIn: { account, token in try? await self.signIn(to: account, token: token) },
            openInbox: { token in try? await self.openInbox(token: token) }
        )
        await signInPopups.run(requests)
    }

    /// Asks for a new token, if that is what the account needs; otherwise shows what is wrong. In the window, where it
    /// is installed; otherwise in a terminal.
    ///
    /// - Parameter token: The activation token for the window or the terminal.
    func signIn(to name: String, token: String?) async throws(DBusError) {
        guard let account = accounts.first(where: { $0.session.identity.name == name }) else {
            throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\". It was removed.")
        }
        guard account.summary.canSignIn else { return await account.session.reconnect() }
        let needsToken = account.summary.needsNewToken
        if needsToken, account.configuration.service.token?.backend != nil {
            return try await startSignIn(to: name, SignInOptions(activationToken: token))
        }
        let action = needsToken ? WindowAction.signIn(account: name) : .findProblems(account: name)
        if await openWindow(action, token: token) { return }
        try await openTerminal(needsToken ? .token(account: name) : .doctor, token: token)
    }

    /// Ends the session of an account, which has its token in memory, and starts another one.
    func signOut(of name: String) async throws(DBusError) {
        let cancellation = DBusError(.cancelled, "The agent was stopped.")
        try await reloading.pass(orThrow: cancellation) { () async throws(DBusError) in
            guard let configured = accounts.first(where: { $0.session.identity.name == name })?.configuration else {
                throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\". It was removed.")
            }
            if configured.service.token?.backend != nil { await endSignIn(of: configured) }
            let owner = await owner(of: configured)
            guard let index = accounts.firstIndex(where: { $0.session.identity.name == name }) else { return }
            let old = accounts[index].session
            do {
                let new = try session(configured, of: owner)
                accounts[index] = Account(configuration: configured, session: new)
                await old.end(keepingPopups: false)
                await old.signOut()
                try await export(new, replacing: true)
                publishSignIn(of: name)
                started.send(new)
                publish()
            } catch {
                throw DBusError(reporting: error)
            }
        }
    }

    /// Something changed that the popups depend on.
    func updateSignInPopups() {
        func names(_ isIncluded: (AccountSession.Summary) -> Bool) -> [String] {
            accounts.filter { isIncluded($0.summary) }.map(\.session.identity.name)
        }
        signInPopups.update(
            accounts: names(\.mustSignIn),
            new: names(\.isNew),
            helpless: names { !$0.canSignIn },
            connecting: names { !$0.isOnline && !$0.needsAttention },
            isHeld: !holds.reasons.isEmpty
        )
    }
}
