import VisibleText

/// Which notifications a program lists.
package struct InboxQuery: Hashable, Sendable {
    /// A part of the inbox that the agent knows besides the tabs.
    package enum View: String, CaseIterable, Sendable {
        case inbox, snoozed, archive

        package var title: String {
            switch self {
            case .inbox: translated("Inbox")
            // Translators: The view of notifications that pop up again later.
            case .snoozed: translated("Snoozed")
            // Translators: The view of archived notifications.
            case .archive: translated("Archived")
            }
        }
    }

    /// The account's name; nil: all accounts together.
    package var account: String?
    /// Only of the view ``View/inbox``; empty: the whole inbox.
    package var tab = ""
    package var view = View.inbox
    package var isUnreadOnly = false
    /// nil: all.
    package var category: String?
    /// Only notifications with all of these words; empty: all.
    package var search = ""

    /// The only notification that is listed, wherever it is; nil: all are.
    package var id: String?

    package init(account: String? = nil) { self.account = account }

    /// The options of ``AgentInbox/list``.
    package var options: ListOptions {
        var options = ListOptions()
        if !tab.isEmpty { options.tab = tab }
        switch view {
        case _ where id != nil: options.ids = id.map { [$0] }
        // A search finds what is snoozed and archived, too.
        case _ where !search.isEmpty: options.takesKept = true
        case .inbox:
            options.snoozed = false
            // A tab says itself which ones it has.
            if tab.isEmpty { options.archived = false }
        case .snoozed: options.snoozed = true
        case .archive: options.archived = true
        }
        if isUnreadOnly { options.unread = true }
        options.category = category
        if !search.isEmpty { options.text = search }
        return options
    }

    /// Whether something but the account and the tab narrows the list.
    package var isFiltered: Bool { isUnreadOnly || category != nil || !search.isEmpty || id != nil }

    /// Whether nothing but the account chooses among the notifications of the inbox.
    package var isWhole: Bool { view == .inbox && tab.isEmpty && !isFiltered }

    /// Whether what it lists is never listed in pages.
    var isListedAtOnce: Bool { !search.isEmpty || id != nil }
}

extension InboxQuery {
    /// Without an account or a tab that no longer exists.
    package func adapted(to accounts: [AccountState]) -> InboxQuery {
        var query = self
        if !accounts.contains(where: { $0.name == query.account }) { query.account = nil }
        let shown = accounts.filter { query.account == nil || $0.name == query.account }
        if !shown.contains(where: { $0.tabs.contains { $0.id == query.tab } }) { query.tab = "" }
        return query
    }
}
