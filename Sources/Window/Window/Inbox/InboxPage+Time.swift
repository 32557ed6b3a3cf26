import AgentInterface
import InboxPresentation

/// The effects of lists and of time: rows that are gone, rows that become seen, times that move.
extension InboxPage {
    /// The timer of times and countdowns. A new one replaces the previous one, whose event is ignored.
    struct Clock: Equatable, Sendable {
        var number = 0
        /// In milliseconds since the Unix epoch; nil: it does not run.
        var time: Int64?
    }

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
        let hadSelection = !selection.isEmpty
        let index = hadSelection && lists.mustUpdate ? rows.firstIndex(where: selection.contains) : nil
        if lists.update(), hadSelection {
            selection.formIntersection(rows)
            if let index, selection.isEmpty, !isSelecting, !rows.isEmpty {
                // The one that has taken its place.
                selection = [rows[min(index, rows.count - 1)]]
            }
        }
        return (lists.refreshes() + lists.catchUps()).map(Effect.list) + effectsOfWanted()
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

    /// The inbox of an account is opened by its first list.
    private mutating func resetBadges() -> [Effect] {
        guard isVisible else { return [] }
        return shownAccounts.compactMap { account in
            // While it is not counted, its badge is unknown.
            guard lists.lists[account.name]?.isLoaded == true, account.isCounted,
                openedAccounts.insert(account.name).inserted,
                account.badge > 0
            else { return nil }
            return .perform(Request(account.name, .resetBadge))
        }
    }

    // MARK: Clock

    /// At the end of a countdown the notification is archived, so it is requested again.
    mutating func clockPassed(_ number: Int) {
        guard number == clock.number, clock.time != nil else { return }
        clock.time = nil
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
            for row in visibleRows {
                guard let notification = lists[row] else { continue }
                changes += [RelativeTime(notification.created, now: now).nextChange].compactMap(\.self)
                changes += [Countdown(of: notification, now: now)?.nextChange].compactMap(\.self)
            }
            changes += shownAccounts.filter { $0.nextAttempt > now && !$0.isOnline }.map { account in
                (account.nextAttempt - now - 1) % 1000 + 1
            }
        }
        guard let next = changes.min() else {
            clock.time = nil
            return []
        }
        let time = now + next
        // A time that is set already is kept, so that events between do not delay it.
        if let running = clock.time, running > now, running <= time { return [] }
        clock = Clock(number: clock.number + 1, time: time)
        return [.runClock(number: clock.number, milliseconds: next)]
    }
}
