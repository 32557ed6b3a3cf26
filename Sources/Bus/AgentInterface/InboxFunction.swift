/// The function of a key of `feedbell inbox`. The raw value is its name in the table `[inbox.keys]` of the
/// configuration and in ``AgentRoot/inboxKeys``.
package enum InboxFunction: String, Hashable, Sendable, CaseIterable {
    case up, down
    case pageUp = "page_up"
    case pageDown = "page_down"
    case first, last
    /// Show the text of a notification, and again: open its link.
    case show
    /// Open its link.
    case open
    case read, unread, archive, delete, snooze
    /// Mute its category or topic; of a muted one, end that.
    case mute
    /// Take the last archive, delete, "mark all as read" or snooze back.
    case undo
    /// Mark it, to act on several at once.
    case mark
    case markAll = "mark_all"
    case readAll = "read_all"
    case search
    /// Show only unread ones, or all.
    case onlyUnread = "only_unread"
    /// Show only snoozed ones, or what is not snoozed.
    case onlySnoozed = "only_snoozed"
    case nextCategory = "next_category"
    case nextAccount = "next_account"
    case nextTab = "next_tab"
    case previousTab = "previous_tab"
    case refresh
    /// Pause popups, or resume them.
    case pause
    case preferences
    case help
    /// Back to the whole list.
    case back
    case quit

    /// The keys that have this function unless the configuration gives it others. The first one is shown in hints.
    package var defaultKeys: [TerminalKey] {
        switch self {
        case .up: [.up, .character("k")]
        case .down: [.down, .character("j")]
        case .pageUp: [.pageUp, .control("b")]
        case .pageDown: [.pageDown, .control("f")]
        case .first: [.home, .character("g")]
        case .last: [.end, .character("G")]
        case .show: [.enter]
        case .open: [.character("o")]
        case .read: [.character("r")]
        case .unread: [.character("u")]
        case .archive: [.character("e"), .character("a")]
        case .delete: [.character("d"), .delete]
        case .snooze: [.character("z")]
        case .mute: [.character("m")]
        case .undo: [.character("U")]
        case .mark: [.character(" ")]
        case .markAll: [.character("*")]
        case .readAll: [.character("A")]
        case .search: [.character("/")]
        case .onlyUnread: [.character("n")]
        case .onlySnoozed: [.character("Z")]
        case .nextCategory: [.character("f")]
        case .nextAccount: [.character("c")]
        case .nextTab: [.tab, .right, .character("l")]
        case .previousTab: [.backTab, .left, .character("h")]
        case .refresh: [.control("r"), .function(5)]
        case .pause: [.character("p")]
        case .preferences: [.character("P")]
        case .help: [.character("?")]
        case .back: [.escape]
        case .quit: [.character("q")]
        }
    }
}
