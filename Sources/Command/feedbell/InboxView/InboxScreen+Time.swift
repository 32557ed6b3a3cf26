import AgentInterface

/// The effects of time: rows on the screen become seen, and countdowns move.
extension InboxScreen {
    /// The effects that each event has besides its own.
    mutating func effectsOfTime() -> [Effect] {
        let attempts = notLoaded == nil ? [] : shownAccounts.compactMap { $0.attemptChange(now: now) }
        return inbox.shows(shownRows.map { RowID($0) }, timedRows: timedRows, changes: attempts, now: now)
    }

    /// The rows on the screen.
    var shownRows: ArraySlice<NotificationRecord> {
        switch mode {
        case .list, .search, .until: notifications.dropFirst(top).prefix(bodyRows)
        case .text, .help, .preferences: []
        }
    }

    /// The rows whose countdowns are on the screen.
    private var timedRows: [RowID] {
        if case .text = mode { [selected].compactMap(\.self) } else { shownRows.map { RowID($0) } }
    }
}

extension InboxScreen.Effect: InboxEffect {
    static func send(_ request: InboxRequest) -> Self { .send(.inbox(request.call), account: request.account) }
}
