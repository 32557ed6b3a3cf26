import AgentInterface

/// The effects of lists and of time: rows that are gone, rows that become seen, times that move.
extension InboxPage {
    // MARK: Lists

    /// The limit of categories in the menu.
    private static let categoryLimit = 100

    mutating func listed(_ request: ListRequest, _ reply: ListReply) {
        if case .notifications(let notifications, _) = reply {
            for category in notifications.lazy.map(\.category) where !category.isEmpty {
                if categories.count < Self.categoryLimit { categories.insert(category) }
            }
        }
        lists.receive(request, reply)
        pictures.compare { lists[$0]?.avatar }
    }

    /// Requests for pages. Other accounts wait for them for a second.
    func pages(_ requests: [ListRequest]) -> [Effect] {
        requests.map(Effect.list) + (lists.accounts.count > 1 ? requests.map(Effect.watchPage) : [])
    }

    /// The effects that each event has besides its own.
    mutating func effectsOfLists() -> [Effect] {
        let before = lists.mustUpdate ? rows : []
        let isUpdated = lists.update()
        if isUpdated { replaceRemoved(from: before) }
        if isUpdated || now >= headings.end { headings = DayHeadings(of: lists, now: now) }
        if !rows.isEmpty { hadRows = true }
        return (lists.refreshes() + lists.catchUps()).map(Effect.list) + effectsOfWanted() + effectsOfEnd()
    }

    /// Lists page after page, and leads to the last row of all.
    private mutating func effectsOfEnd() -> [Effect] {
        guard isEndWanted, !lists.isLoadingPage else { return [] }
        let next = lists.nextPages()
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

    // MARK: Seen

    mutating func effectsOfTime() -> [Effect] { resetBadges() + watchRows() + runClock() }

    mutating func secondPassed() -> [Effect] {
        let keys = seenWatch.secondPassed(visible: unseenRows.map(\.key))
        let rows = keys.map(RowID.init(key:))
        return shownAccounts.compactMap { account in
            let ids = rows.filter { $0.account == account.name }.map(\.id)
            return ids.isEmpty ? nil : .perform(Request(account.name, .markSeen(ids)))
        }
    }

    private mutating func watchRows() -> [Effect] {
        seenWatch.update(visible: unseenRows.map(\.key)) ? [.watchRows] : []
    }

    /// Rows count as seen while the user is at the window: another one may cover it.
    private var unseenRows: [RowID] {
        guard isVisible, isActive else { return [] }
        return visibleRows.filter { row in
            lists[row]?.seen == 0 && !lists.hidden.contains(row) && account(row.account)?.has(.seen) == true
        }
    }

    private mutating func resetBadges() -> [Effect] {
        guard isVisible else { return [] }
        return opened.open(shownAccounts, in: lists).map { .perform(Request($0.name, .resetBadge)) }
    }

    // MARK: Clock

    /// At the end of a countdown the notification is archived, so it is requested again.
    mutating func clockPassed(_ number: Int) {
        guard clock.passed(number) else { return }
        for row in visibleRows {
            guard let notification = lists[row], notification.expires != 0, notification.expires <= now else {
                continue
            }
            if !notification.isArchived { lists.invalidate([row.id], of: row.account) }
        }
    }

    /// It runs only while something on the screen changes with time.
    private mutating func runClock() -> [Effect] {
        var changes: [Int64] = []
        if isVisible {
            if nextSnoozeText != nil || hasHeadings && !visibleRows.isEmpty { changes.append(headings.end - now) }
            for row in visibleRows {
                guard let notification = lists[row] else { continue }
                changes += [RelativeTime(notification.created, now: now).nextChange].compactMap(\.self)
                changes += [Countdown(of: notification, now: now)?.nextChange].compactMap(\.self)
            }
            changes += shownAccounts.compactMap { $0.attemptChange(now: now) }
        }
        return clock.run(changes.min(), now: now).map { [.runClock(number: $0.number, milliseconds: $0.milliseconds)] }
            ?? []
    }
}
