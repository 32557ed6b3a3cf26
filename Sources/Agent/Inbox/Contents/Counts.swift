/// The service's counts of an inbox. A count that the service does not report is `nil`.
package struct Counts: Hashable, Sendable {
    /// Unread notifications.
    package var unread: Int?
    /// Unseen notifications.
    package var unseen: Int?
    /// Notifications since the inbox was last opened.
    package var badge: Int?
    /// All notifications, loaded or not.
    package var total: Int?
    /// Unread notifications of each tab, by its id.
    package var tabs: [String: Int]

    package init(
        unread: Int? = nil,
        unseen: Int? = nil,
        badge: Int? = nil,
        total: Int? = nil,
        tabs: [String: Int] = [:]
    ) {
        self.unread = unread
        self.unseen = unseen
        self.badge = badge
        self.total = total
        self.tabs = tabs
    }
}

/// The counts of an account as the user sees them. Never negative.
package struct ShownCounts: Hashable, Sendable {
    package var unread = 0
    package var unseen = 0
    package var badge = 0
    package var total = 0
    /// Unread notifications of each tab, in the order of the configuration.
    package var tabs: [Int] = []
    /// The unread notifications that badges leave out, because they are snoozed or a rule says so, by the index of the
    /// tab. nil as the index: of the whole inbox.
    package var hiddenUnread: [Int?: Int] = [:]

    package init(
        unread: Int = 0,
        unseen: Int = 0,
        badge: Int = 0,
        total: Int = 0,
        tabs: [Int] = [],
        hiddenUnread: [Int?: Int] = [:]
    ) {
        self.unread = unread
        self.unseen = unseen
        self.badge = badge
        self.total = total
        self.tabs = tabs
        self.hiddenUnread = hiddenUnread
    }
}
