package import AgentInterface
import VisibleText

/// What a screen reader says beside the row with the focus.
extension InboxPage {
    /// The parts of the page that were announced, so that each is said once while it is shown.
    struct Announced: Equatable, Sendable {
        /// Whether another place was chosen, of which the list is not announced yet.
        var isPlaceDue = false
        var banners: Set<Banner.Topic> = []
        var notice: Notice?
        /// The number of selected rows.
        var selected = 0
        /// New notifications that were not listed yet.
        var arrivals: Set<RowID> = []
    }

    /// Banners and notices that have appeared, the list of a place that was chosen, another number of selected rows,
    /// and new notifications.
    mutating func announcements() -> [Effect] {
        let counts = [selectionCount(), arrivalCount()].compactMap(\.self)
        guard isActive else { return [] }
        let banners = banners
        var sentences = banners.filter { !announced.banners.contains($0.topic) }.map(\.text)
        announced.banners = Set(banners.map(\.topic))
        switch contents {
        case .loading: break
        // The number of notifications is not known yet.
        case .list where announced.isPlaceDue && lists.isFilling: break
        case .list:
            if announced.isPlaceDue { sentences.append(placeSummary) }
            (announced.isPlaceDue, announced.notice) = (false, nil)
        // The notice includes the next snooze, which is requested.
        case .notice where nextSnooze.isAwaited: break
        case .notice(let notice):
            let isNew = notice.title != announced.notice?.title || announced.isPlaceDue
            if isNew { sentences.append(translatedParagraph(["\(notice.title).", notice.text])) }
            (announced.isPlaceDue, announced.notice) = (false, notice)
        }
        return (sentences + counts).map(Effect.announce)
    }

    /// Whether a row gets the focus that is not listed yet, although it has been requested.
    package var isRowAwaited: Bool { wanted != nil && lists.isRefreshing }

    /// How many rows are selected; nil: as many as before, or it is the one with the focus.
    private mutating func selectionCount() -> String? {
        guard announced.selected != selection.count else { return nil }
        announced.selected = selection.count
        return isSelecting || selection.count > 1 ? selectionTitle : nil
    }

    /// How many notifications have arrived that are listed now; nil: none.
    private mutating func arrivalCount() -> String? {
        let listed = announced.arrivals.filter { lists[$0] != nil }
        announced.arrivals.subtract(listed)
        let heard = listed.count { lists[$0]?.isMuted == false }
        return heard == 0 ? nil : Self.arrivalTitle(heard)
    }

    /// Begins or ends the selection of several.
    mutating func selectSeveral(_ isOn: Bool) -> [Effect] {
        guard isOn != isSelecting || !isOn else { return [] }
        isSelecting = isOn
        if !isOn { selection = [] }
        announced.selected = selection.count
        // Translators: What a screen reader says when check boxes appear, with "2 selected" after it, or disappear.
        return [
            .announce(
                isOn
                    ? translatedList([translated("Selection mode"), selectionTitle])
                    : translated("Selection ended")
            )
        ]
    }

    /// The place of a row in the list; nil: it is not listed.
    package func place(of row: RowID) -> String? {
        guard let index = rows.firstIndex(of: row) else { return nil }
        let count = "\(rows.count)\(lists.hasAll ? "" : "+")"
        // Translators: The position in the list: the number of the selected notification, and of all.
        return translated("{position} of {count}", ["position": "\(index + 1)", "count": count])
    }

    /// The place and how many notifications it has, or how many a search has found.
    private var placeSummary: String {
        let count = rows.count
        if !query.search.isEmpty {
            return translated("{count} notification found", plural: "{count} notifications found", count: count)
        }
        let number =
            lists.hasAll
            ? translated("{count} notification", plural: "{count} notifications", count: count)
            : translated("at least {count} notification", plural: "at least {count} notifications", count: count)
        let tab = tabs.first(where: \.isChosen)?.label
        return translatedList([tab ?? query.view.title] + limits(withTab: false) + [number])
    }

    // MARK: Search

    /// What a search looks through: its entry says it.
    package var searchLabel: String {
        let limits = limits(withTab: true)
        return limits.isEmpty
            ? translated("Search all that is kept")
            // Translators: What limits a search: an account, a tab, a category.
            : translated("Search only in: {limits}", ["limits": translatedList(limits)])
    }

    /// What narrows the list or a search: account, tab, category and the filter.
    func limits(withTab: Bool) -> [String] {
        let tab = withTab && !query.tab.isEmpty ? tabs.first(where: \.isChosen)?.label : nil
        return [label(of: .account), tab, label(of: .category), label(of: .unread)].compactMap(\.self)
    }

    // MARK: Actions

    func announcement(marked count: Int, asRead isRead: Bool) -> Effect {
        .announce(
            isRead
                ? translated(
                    "{count} notification marked as read",
                    plural: "{count} notifications marked as read",
                    count: count
                )
                : translated(
                    "{count} notification marked as unread",
                    plural: "{count} notifications marked as unread",
                    count: count
                )
        )
    }

    /// The part of a row's text that was shown last.
    func announcement(ofTextOf row: RowID) -> Effect? { self.row(row)?.texts.last.map { .announce($0.plain) } }
}
