import AgentInterface

/// The effects of time: rows on the screen become seen, and countdowns move.
extension InboxScreen {
    /// The timer of the countdowns. A new one replaces the previous one, whose event is ignored.
    struct CountdownTimer: Equatable, Sendable {
        var number = 0
        /// In milliseconds since the Unix epoch; nil: it does not run.
        var time: Int64?
    }

    /// What the last event leads to besides its own effects.
    mutating func effectsOfTime() -> [Effect] { resetBadge() + watchRows() + runCountdowns() }

    /// The rows on the screen.
    var shownRows: ArraySlice<NotificationRecord> {
        switch mode {
        case .list, .question, .search, .snooze: notifications.dropFirst(top).prefix(bodyRows)
        case .text, .help: []
        }
    }

    // MARK: Seen

    /// The second of the rows on the screen has passed.
    mutating func secondPassed() -> [Effect] {
        let ids = seenWatch.secondPassed(visible: unseenRows)
        return ids.isEmpty ? [] : [.perform(.markSeen(ids), place)]
    }

    private mutating func watchRows() -> [Effect] {
        seenWatch.update(visible: unseenRows) ? [.watchRows] : []
    }

    private var unseenRows: [String] {
        account?.recordsSeen == true ? shownRows.filter { $0.seen == 0 }.map(\.id) : []
    }

    /// The inbox of an account is opened by its first list.
    private mutating func resetBadge() -> [Effect] {
        guard isLoaded, notLoaded == nil, let account, openedAccounts.insert(account.name).inserted else { return [] }
        return account.badge > 0 ? [.perform(.resetBadge, place)] : []
    }

    // MARK: Countdowns

    /// A countdown moves. At its end the notification is archived, so the list is loaded.
    mutating func countdownPassed(_ number: Int) -> [Effect] {
        guard number == countdownTimer.number, let time = countdownTimer.time else { return [] }
        countdownTimer.time = nil
        return notifications.contains { $0.expires == time } ? [.load(place)] : []
    }

    private mutating func runCountdowns() -> [Effect] {
        let shown = if case .text = mode { selection.map { [$0] } ?? [] } else { Array(shownRows) }
        let next = shown.compactMap { countdown(of: $0)?.nextChange }.min()
        let time = next.map { now + $0 }
        guard time != countdownTimer.time else { return [] }
        countdownTimer = CountdownTimer(number: countdownTimer.number + 1, time: time)
        return next.map { [.runCountdown(number: countdownTimer.number, milliseconds: $0)] } ?? []
    }

    /// The time until a notification expires; nil: it is not shown.
    func countdown(of notification: NotificationRecord) -> Countdown? {
        guard notification.isExpiryVisible, notification.expires != 0, !notification.isArchived else { return nil }
        return Countdown(until: notification.expires, now: now)
    }
}
