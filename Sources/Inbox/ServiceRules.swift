/// What a service does besides what it is asked, and how much it takes at once. With it the inbox shows at once what the service will say.
package struct ServiceRules: Hashable, Sendable {
    /// A notification that is marked as interacted is read and seen.
    package var interactedIsRead: Bool
    /// A notification that is marked as read is seen.
    package var readIsSeen: Bool
    /// A category is on when one of its channels is switched on.
    package var channelSwitchesCategoryOn: Bool
    /// So many notifications at most are marked as seen in one request.
    package var seenAtOnce: Int
    /// Changed preferences wait so long for others of the same request.
    package var preferenceDelay: Duration

    package init(
        interactedIsRead: Bool = false,
        readIsSeen: Bool = false,
        channelSwitchesCategoryOn: Bool = false,
        seenAtOnce: Int = 1,
        preferenceDelay: Duration = .zero
    ) {
        self.interactedIsRead = interactedIsRead
        self.readIsSeen = readIsSeen
        self.channelSwitchesCategoryOn = channelSwitchesCategoryOn
        self.seenAtOnce = seenAtOnce
        self.preferenceDelay = preferenceDelay
    }
}
