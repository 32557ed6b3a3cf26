import AgentInterface

/// The effects of lists and of time: rows that are gone, rows that become seen, times that move.
extension InboxPage {
    // MARK: Lists

    mutating func listed(_ request: ListRequest, _ reply: ListReply) {
        inbox.listed(request, reply)
        pictures.compare { inbox.lists[$0]?.avatar }
    }

    /// Requests for pages. Other accounts wait for them for a second.
    func pages(_ requests: [ListRequest]) -> [Effect] {
        requests.map(Effect.list) + (lists.accounts.count > 1 ? requests.map(Effect.watchPage) : [])
    }

    /// The effects that each event has besides its own.
    mutating func effectsOfLists() -> [Effect] {
        let before = lists.mustUpdate ? rows : []
        let isUpdated = inbox.lists.update()
        if isUpdated { replaceRemoved(from: before) }
        if isUpdated || now >= headings.end { headings = DayHeadings(of: lists, now: now) }
        if !rows.isEmpty { hadRows = true }
        return (inbox.lists.refreshes() + inbox.lists.catchUps()).map(Effect.list) + effectsOfWanted() + effectsOfEnd()
    }

    /// Lists page after page, and leads to the last row of all.
    private mutating func effectsOfEnd() -> [Effect] {
        guard isEndWanted, !lists.isLoadingPage else { return [] }
        let next = inbox.lists.nextPages()
        if !next.isEmpty { return pages(next) }
        isEndWanted = false
        guard let last = rows.last else { return [] }
        cursor = last
        if !isSelecting { selection = [last] }
        return [.scroll(to: last)] + [place(of: last)].compactMap(\.self).map(Effect.announce)
    }

    /// The next row takes the place of a removed one that had the focus or was the only selected one.
    ///
    /// - Parameter before: The rows that were listed.
    private mutating func replaceRemoved(from before: [RowID]) {
        guard cursor != nil || !selection.isEmpty else { return }
        let listed = Set(rows)
        func successor(where isRemoved: (RowID) -> Bool) -> RowID? {
            before.drop { !isRemoved($0) }.first(where: listed.contains) ?? rows.last
        }
        if let cursor, !listed.contains(cursor) { self.cursor = successor { $0 == cursor } }
        guard !selection.isEmpty, selection.isDisjoint(with: listed) else {
            return selection.formIntersection(listed)
        }
        selection = isSelecting ? [] : Set(successor(where: selection.contains).map { [$0] } ?? [])
    }

    // MARK: Pictures

    mutating func effectsOfPictures() -> [Effect] {
        guard isVisible, agent == .running else { return [] }
        let visible = visibleRows.compactMap { row in
            lists[row].map { PictureRequest(row: row, url: $0.avatar) }
        }
        return pictures.requests(for: visible, now: now).map(Effect.loadPicture)
    }

    // MARK: Time

    /// Rows count as seen while the user is at the window: another one may cover it.
    mutating func effectsOfTime() -> [Effect] {
        inbox.shows(
            isVisible && isActive ? visibleRows : [],
            timedRows: isVisible ? visibleRows : [],
            changes: isVisible ? changes : [],
            isOpen: isVisible,
            now: now
        )
    }

    /// In how many milliseconds something on the screen changes, besides countdowns.
    private var changes: [Int64] {
        let hasDays = nextSnoozeText != nil || hasHeadings && !visibleRows.isEmpty
        let times = visibleRows.compactMap { lists[$0].flatMap { RelativeTime($0.created, now: now).nextChange } }
        return (hasDays ? [headings.end - now] : []) + times + shownAccounts.compactMap { $0.attemptChange(now: now) }
    }
}
