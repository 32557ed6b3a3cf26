import AgentInterface
import VisibleText

extension [AccountState] {
    /// The first group of each page while a service has no token that it accepts: a row for each such account, which
    /// opens the form to sign in. Empty: there is none.
    func refusedGroups<Row>(_ row: (String) -> Row) -> [FormGroup<Row>] {
        let rows = filter(\.mustSignIn).map { account in
            FormRow(
                row(account.name),
                title: account.canSignIn
                    ? translated("Sign In to {account}", ["account": account.name.nameLine]) : account.name.nameLine,
                text: account.signInText,
                value: account.canSignIn ? .open : nil
            )
        }
        return rows.isEmpty ? [] : [FormGroup(rows: rows)]
    }
}

extension AccountState {
    /// Why the user has to sign in. The agent's own sentence names a command.
    var signInText: String {
        switch missingToken {
        case nil where !canSignIn:
            translated("Feedbell gets no token that the service accepts. Ask your administrator.")
        case nil where hasSignInEnded: translated("Your sign-in has ended. Sign in again to get notifications.")
        case .signedOut: translated("You have signed out. Sign in to get notifications again.")
        case .notSignedIn: translated("Sign in to get the notifications of {account}.", ["account": name.nameLine])
        case nil: translated("The service does not accept your token. Sign in again to get notifications.")
        }
    }

    /// The state that ``signInText`` explains.
    var signInTitle: String {
        switch missingToken {
        case .signedOut: translated("Signed Out")
        case .notSignedIn: translated("Not Signed In")
        case nil where !canSignIn: translated("No Access")
        case nil: translated("Sign In Again")
        }
    }
}
