import AgentInterface
import VisibleText

/// The filters of the list.
extension InboxPage {
    /// A property that all listed notifications share.
    package enum Filter: String, CaseIterable, Sendable {
        case category, account, unread
    }

    /// Words for a filter; nil: it is not used.
    package func label(of filter: Filter) -> String? {
        switch filter {
        case .category: query.category?.nameLine
        case .account: accounts.count > 1 ? query.account?.nameLine : nil
        case .unread: query.isUnreadOnly ? translated("Unread") : nil
        }
    }

    /// Lists only what is like a row; nil: whatever it is like.
    mutating func filter(_ filter: Filter, like row: RowID?) -> [Effect] {
        var query = query
        switch filter {
        case .category: query.category = row.flatMap { lists[$0]?.category }
        case .account: query.account = row?.account
        case .unread: query.isUnreadOnly = row != nil
        }
        return go(to: query)
    }
}
