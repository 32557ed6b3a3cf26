import AgentInterface
import InboxPresentation

/// The effects of time: rows on the screen become seen, and countdowns move.
extension InboxScreen {
    /// The timer of the countdowns. A new one replaces the previous one, whose event is ignored.
    struct CountdownTimer: Equatable, Sendable {
        var number = 0
        /// In milliseconds since the Unix epoch; nil: it does not run.
        var time: Int64?
    }

    /// The effects that each event has besides its own.
    mutating func effectsOfTime() -> [Effect] { resetBadge() + watchRows() + runCountdowns() }

    /// The rows on the screen.
    var shownRows: ArraySlice<NotificationRecord> {
        switch mode {
        case .list, .search, .snooze: notifications.dropFirst(top).prefix(bodyRows)
        case .text, .help, .preferences: []
        }
    }

    // MARK: Seen

    /// The second of the rows on the screen has passed.
    mutating func secondPassed() -> [Effect] {
        let ids = Set(seenWatch.secondPassed(visible: unseenRows.map(\.id)))
        let seen = Dictionary(grouping: shownRows.filter { ids.contains($0.id) }, by: \.account)
        return seen.sorted { $0.key < $1.key }.map { .perform(.inbox(.markSeen($1.map(\.id))), account: $0) }
    }

    private mutating func watchRows() -> [Effect] {
        seenWatch.update(visible: unseenRows.map(\.id)) ? [.watchRows] : []
    }

    private var unseenRows: [NotificationRecord] {
        let names = Set(chosenAccounts.filter { $0.has(.seen) }.map(\.name))
        return shownRows.filter { $0.seen == 0 && names.contains($0.account) }
    }

    /// The inbox of an account is opened by its first list.
    private mutating func resetBadge() -> [Effect] {
        guard isLoaded, notLoaded == nil, !isForPreferences else { return [] }
        let opened = chosenAccounts.filter { $0.isCounted && !openedAccounts.contains($0.name) }
        openedAccounts.formUnion(opened.map(\.name))
        return Self.perform(.inbox(.resetBadge), for: opened.filter { $0.badge > 0 })
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
        let next = shown.compactMap { Countdown(of: $0, now: now)?.nextChange }.min()
        let time = next.map { now + $0 }
        guard time != countdownTimer.time else { return [] }
        countdownTimer = CountdownTimer(number: countdownTimer.number + 1, time: time)
        return next.map { [.runCountdown(number: countdownTimer.number, milliseconds: $0)] } ?? []
    }
}
