import InboxPresentation
import Translation

extension [AccountState] {
    /// The first group of each page while a service refuses a token: a row for each such account, which opens the form
    /// to sign in again. Empty: none is refused.
    func refusedGroups<Row>(_ row: (String) -> Row) -> [FormGroup<Row>] {
        let rows = filter(\.mustSignIn).map { account in
            FormRow(
                row(account.name),
                title: translated("Sign In to {account}", ["account": account.name.nameLine]),
                text: AccountState.refusal,
                value: .press
            )
        }
        return rows.isEmpty ? [] : [FormGroup(rows: rows)]
    }
}

extension AccountState {
    /// The sentence about a refused token. The agent's own one names a command.
    static var refusal: String {
        translated("The service does not accept your token. Sign in again to get notifications.")
    }
}
