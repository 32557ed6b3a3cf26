/// A notification among those of all accounts.
package struct RowID: Hashable, Sendable {
    /// The account's name.
    package var account: String
    package var id: String

    package init(account: String, id: String) {
        self.account = account
        self.id = id
    }

    package init(_ notification: NotificationRecord) {
        self.init(account: notification.account, id: notification.id)
    }

    /// Both as one text, for lists of texts.
    package var key: String { "\(account)\n\(id)" }

    /// - Parameter key: As of ``key``. No account has a line feed in its name.
    package init(key: String) {
        let parts = key.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(account: String(parts[0]), id: parts.count > 1 ? String(parts[1]) : "")
    }
}
