package import AgentInterface
import VisibleText

/// The page's contents besides the selection.
extension InboxPage {
    package struct Tab: Equatable, Sendable {
        /// Empty: the whole inbox.
        package var id: String
        package var label: String
        package var unread: Int
        package var isChosen: Bool
    }

    /// A button of a banner or a notice.
    package struct Button: Equatable, Sendable {
        package enum Action: Equatable, Sendable {
            case retry
            /// Show the whole inbox.
            case showAll
            case addAccount
            case signIn(account: String)
        }

        package var action: Action
        package var label: String

        static var retry: Button { Button(action: .retry, label: translated("Try Now")) }
        static var start: Button { Button(action: .retry, label: translated("Start")) }
        static var showAll: Button { Button(action: .showAll, label: translated("Show All")) }
        static var addAccount: Button { Button(action: .addAccount, label: translated("Add Account")) }

        static func signIn(_ account: AccountState) -> Button {
            account.canSignIn
                ? Button(action: .signIn(account: account.name), label: translated("Sign In")) : .retry
        }
    }

    /// The page in the place of an empty list.
    package struct Notice: Equatable, Sendable {
        package var icon: String
        package var title: String
        package var text: String
        package var button: Button?
    }

    package enum Contents: Equatable, Sendable {
        case list
        case loading
        case notice(Notice)
    }

    // MARK: Rows

    package func row(_ row: RowID) -> RowContent? { self.row(row, after: nil) }

    /// - Parameter old: What the row has shown before; nil: nothing.
    package func row(_ row: RowID, after old: RowContent?) -> RowContent? {
        guard let notification = lists[row] else { return nil }
        return RowContent(
            notification,
            heading: hasHeadings ? headings[row] : "",
            account: shownAccounts.count > 1 ? row.account : "",
            service: account(row.account)?.provider ?? "",
            picture: pictures.file(notification.avatar),
            marksArchived: !query.search.isEmpty,
            searched: StyledText.words(of: query.search),
            shownParts: expanded[row] ?? 0,
            expiry: Countdown(of: notification, now: now),
            now: now,
            old: old
        )
    }

    // MARK: Heading

    package var unread: Int {
        shownAccounts.reduce(0) { $0 + (work.awaited.contains(InboxRequest($1.name, .markAllRead)) ? 0 : $1.unread) }
    }

    /// The tabs of all shown accounts, with the whole inbox first; empty: there are no others.
    package var tabs: [Tab] {
        guard query.view == .inbox else { return [] }
        let tabs = shownAccounts.flatMap(\.tabs).summed.map { tab in
            Tab(id: tab.id, label: tab.label.nameLine, unread: tab.unread, isChosen: tab.id == query.tab)
        }
        if tabs.isEmpty { return [] }
        // Translators: The tab with all notifications.
        return [Tab(id: "", label: translated("All"), unread: unread, isChosen: query.tab.isEmpty)] + tabs
    }

    /// The title of the window: what is listed, besides the filters.
    package var heading: String { query.view.title }

    /// What a screen reader says of the title.
    package var spokenHeading: String {
        var facts = [heading] + limits(withTab: false)
        if unread > 0 {
            // Translators: The number of unread notifications.
            facts.append(translated("{count} unread", plural: "{count} unread", count: unread))
        }
        return translatedList(facts).sentenceLine
    }

    package var selectionTitle: String {
        translated("{count} selected", plural: "{count} selected", count: selection.count)
    }

    /// The label of the button to new notifications above the visible ones; nil: there are none.
    package var newAboveTitle: String? {
        newAbove > 0 ? Self.arrivalTitle(newAbove) : nil
    }

    static func arrivalTitle(_ count: Int) -> String {
        translated("{count} new notification", plural: "{count} new notifications", count: count)
    }

    // MARK: Contents

    package var contents: Contents {
        if !rows.isEmpty { return .list }
        if let agentNotice { return .notice(agentNotice) }
        if agent == .starting { return .loading }
        if accounts.isEmpty {
            return .notice(
                Notice(
                    icon: "mail-unread-symbolic",
                    title: translated("Welcome to Feedbell"),
                    text: translated(
                        "The notifications of your company's services, on your desktop. Add your account to begin."
                    ),
                    button: .addAccount
                )
            )
        }
        if lists.isLoading { return .loading }
        if let account = unlistedAccount { return .notice(notice(withoutList: account)) }
        if query.isFiltered { return .notice(nothingFound) }
        return .notice(nothing)
    }

    /// Why the agent cannot be asked; nil: it can, or it is being started.
    var agentNotice: Notice? {
        func notice(_ title: String, _ text: String, _ button: Button?) -> Notice {
            Notice(icon: "dialog-warning-symbolic", title: title, text: text, button: button)
        }
        let notRunning = translated("Feedbell Is Not Running")
        return switch agent {
        case .starting, .running: nil
        case .unavailable(let reason): notice(notRunning, reason.sentenceLine, .start)
        case .noSession(let reason): notice(notRunning, reason.sentenceLine, nil)
        case .ended:
            notice(notRunning, translated("Feedbell has stopped. Press Start to get notifications again."), .start)
        case .silent:
            notice(
                translated("Please Wait"),
                translated("Feedbell does not answer. If this lasts, log out and log in again."),
                nil
            )
        }
    }

    /// The account of which the page says why nothing is listed; nil: there is a list, or nothing has failed. First
    /// one whose user must act, last one whose user has signed out.
    var unlistedAccount: AccountState? {
        let failed = shownAccounts.filter { lists.lists[$0.name]?.failure != nil }
        guard rows.isEmpty, !failed.isEmpty else { return nil }
        return shownAccounts.first { $0.mustSignIn && $0.missingToken != .signedOut }
            ?? failed.first { !$0.mustSignIn } ?? failed.first
    }

    private func notice(withoutList account: AccountState) -> Notice {
        if account.mustSignIn {
            return Notice(
                icon: "dialog-password-symbolic",
                title: account.signInTitle,
                text: signInLine(account),
                button: .signIn(account)
            )
        }
        return Notice(
            icon: "network-offline-symbolic",
            title: translated("The Inbox Cannot Be Loaded"),
            text: account.isOnline
                ? named(account, lists.lists[account.name]?.failure?.sentenceLine ?? "") : Self.notConnected,
            button: .retry
        )
    }

    private var nothingFound: Notice {
        if !query.search.isEmpty {
            let (words, limits) = (query.search.nameLine, limits(withTab: true))
            return Notice(
                icon: "system-search-symbolic",
                title: translated("Nothing Found"),
                text: limits.isEmpty
                    ? translated("No notification has the words \"{words}\".", ["words": words])
                    // Translators: The limits of a search: an account, a tab, a category.
                    : translated(
                        "No notification has the words \"{words}\". The search was only in: {limits}.",
                        ["words": words, "limits": translatedList(limits)]
                    ),
                button: .showAll
            )
        }
        return Notice(
            icon: "object-select-symbolic",
            title: query.isUnreadOnly ? translated("All Read") : translated("Nothing Found"),
            text: translated("The filter hides all other notifications."),
            button: .showAll
        )
    }

    /// What is shown if nothing is listed because there is nothing.
    var nothing: Notice {
        switch query.view {
        case .inbox:
            Notice(
                icon: "preferences-system-notifications-symbolic",
                // Translators: The inbox is empty, as all has been dealt with.
                title: hadRows ? translated("You Are Done") : translated("No Notifications"),
                text: [translated("New ones appear here as soon as they arrive."), nextSnoozeText].compactMap(\.self)
                    .joined(separator: "\n")
            )
        case .snoozed:
            Notice(
                icon: "alarm-symbolic",
                title: translated("Nothing Snoozed"),
                text: translated("What you snooze waits here until it pops up again.")
            )
        case .archive:
            Notice(
                icon: "folder-symbolic",
                title: translated("The Archive Is Empty"),
                text: translated("What you archive, and what expires, is kept here.")
            )
        }
    }
}

extension InboxPage.Event {
    /// Whether all rows show the same afterwards. So it is with what happens while the list is scrolled.
    package var keepsRows: Bool {
        switch self {
        case .visible, .activity, .nearEnd, .atTop, .select, .workIsLong: true
        default: false
        }
    }
}
