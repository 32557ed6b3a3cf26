/// The side effects of a service's actions, and its limits. The inbox applies pending changes by these rules.
package struct ServiceRules: Hashable, Sendable {
    /// Marking a notification as interacted also marks it as read and seen.
    package var interactedIsRead: Bool
    /// Marking a notification as read also marks it as seen.
    package var readIsSeen: Bool
    /// The badge is the number of unseen notifications: restarting it marks all of them as seen.
    package var badgeIsUnseen: Bool
    /// Switching a channel of a category on also switches the category on.
    package var channelSwitchesCategoryOn: Bool
    /// The limit of notifications in one request that marks them as seen.
    package var seenAtOnce: Int
    /// The debounce interval of changed preferences.
    package var preferenceDelay: Duration

    package init(
        interactedIsRead: Bool = false,
        readIsSeen: Bool = false,
        badgeIsUnseen: Bool = false,
        channelSwitchesCategoryOn: Bool = false,
        seenAtOnce: Int = 1,
        preferenceDelay: Duration = .zero
    ) {
        self.interactedIsRead = interactedIsRead
        self.readIsSeen = readIsSeen
        self.badgeIsUnseen = badgeIsUnseen
        self.channelSwitchesCategoryOn = channelSwitchesCategoryOn
        self.seenAtOnce = seenAtOnce
        self.preferenceDelay = preferenceDelay
    }
}
