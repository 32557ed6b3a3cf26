import AgentInterface
import DBus
import Desktop
import Inbox

/// Accounts whose services do not let their users in.
extension Agent {
    /// Runs the popups about them until the task is cancelled.
    func runSignInPopups() async {
        await signInPopups.run { account in
            // A failure is logged.
            try? await self.signIn(to: account, token: nil)
        }
    }

    /// Asks for a new token in a terminal, if that is what the account needs; otherwise shows what is wrong.
    ///
    /// - Parameter token: The activation token for the terminal.
    func signIn(to name: String, token: String?) async throws(DBusError) {
        guard let account = accounts.first(where: { $0.session.identity.name == name }) else {
            throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\". It was removed.")
        }
        try await openTerminal(account.summary.needsNewToken ? .token(account: name) : .doctor, token: token)
    }

    /// Something changed that the popups depend on.
    func updateSignInPopups() {
        func names(_ isIncluded: (AccountSession.Summary) -> Bool) -> [String] {
            accounts.filter { isIncluded($0.summary) }.map(\.session.identity.name)
        }
        signInPopups.update(
            accounts: names(\.mustSignIn),
            connecting: names { !$0.isOnline && !$0.needsAttention },
            isHeld: !holds.reasons.isEmpty
        )
    }
}
