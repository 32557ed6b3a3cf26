import AgentInterface

/// The effects of time: rows on the screen become seen, and countdowns move.
extension InboxScreen {
    /// The effects that each event has besides its own.
    mutating func effectsOfTime() -> [Effect] { resetBadges() + watchRows() + runClock() }

    /// The rows on the screen.
    var shownRows: ArraySlice<NotificationRecord> {
        switch mode {
        case .list, .search, .until: notifications.dropFirst(top).prefix(bodyRows)
        case .text, .help, .preferences: []
        }
    }

    // MARK: Seen

    /// The second of the rows on the screen has passed.
    mutating func secondPassed() -> [Effect] {
        let rows = seenWatch.secondPassed(visible: unseenRows).map(RowID.init(key:))
        let seen = Dictionary(grouping: rows, by: \.account)
        return seen.sorted { $0.key < $1.key }.map { .perform(.inbox(.markSeen($1.map(\.id))), account: $0) }
    }

    private mutating func watchRows() -> [Effect] {
        seenWatch.update(visible: unseenRows) ? [.watchRows] : []
    }

    /// The keys of the rows.
    private var unseenRows: [String] {
        let names = Set(chosenAccounts.filter { $0.has(.seen) }.map(\.name))
        return shownRows.filter { $0.seen == 0 && names.contains($0.account) }.map { RowID($0).key }
    }

    private mutating func resetBadges() -> [Effect] {
        guard !isForPreferences else { return [] }
        return Self.requests(.inbox(.resetBadge), of: opened.open(chosenAccounts, in: lists))
    }

    // MARK: Countdowns

    /// At the end of a countdown the notification is archived, so it is requested again.
    mutating func clockPassed(_ number: Int) {
        guard clock.passed(number) else { return }
        for record in timedRows where record.expires != 0 && record.expires <= now && !record.isArchived {
            lists.invalidate([record.id], of: record.account)
        }
    }

    private mutating func runClock() -> [Effect] {
        var changes = timedRows.compactMap { Countdown(of: $0, now: now)?.nextChange }
        if notLoaded != nil { changes += chosenAccounts.compactMap { $0.attemptChange(now: now) } }
        return clock.run(changes.min(), now: now).map { [.runClock(number: $0.number, milliseconds: $0.milliseconds)] }
            ?? []
    }

    /// The notifications on the screen, whose countdowns move.
    private var timedRows: [NotificationRecord] {
        if case .text = mode { selection.map { [$0] } ?? [] } else { Array(shownRows) }
    }
}
