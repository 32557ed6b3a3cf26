import AgentInterface
import VisibleText

/// What is shown again next: an empty inbox says it.
struct NextSnooze: Equatable, Sendable {
    /// The first one of each account.
    private var first: [String: NotificationRecord] = [:]
    /// The accounts where nothing has changed since the request.
    private var current: Set<String> = []
    private var awaited: Set<String> = []

    /// Whether what is known may be incomplete.
    var isAwaited: Bool { !awaited.isEmpty }

    mutating func invalidate(_ account: String) { current.remove(account) }

    mutating func finish(_ request: ListRequest, _ reply: ListReply) {
        awaited.remove(request.account)
        guard case .notifications(let notifications, _) = reply else { return }
        first[request.account] = notifications.filter { $0.snoozed != 0 }.min { $0.snoozed < $1.snoozed }
    }

    func next(of accounts: [AccountState]) -> NotificationRecord? {
        accounts.compactMap { first[$0.name] }.min { $0.snoozed < $1.snoozed }
    }

    /// At most one for each account at a time.
    mutating func requests(_ accounts: [AccountState]) -> [ListRequest] {
        let due = accounts.map(\.name).filter { !current.contains($0) && !awaited.contains($0) }
        current.formUnion(due)
        awaited.formUnion(due)
        var query = InboxQuery()
        query.view = .snoozed
        return due.map { ListRequest(account: $0, query: query, part: .all, generation: 0) }
    }
}

extension InboxPage {
    /// The title of the notification that is shown again next, and when; nil: there is none, or the inbox is not empty.
    var nextSnoozeText: String? {
        guard let next = nextSnooze.next(of: shownAccounts) else { return nil }
        let title = next.title.nameLine
        let values = [
            "title": title.isEmpty ? translated("(no title)") : title,
            "time": LocalTime(next.snoozed).shown(now: now),
        ]
        // Translators: The snoozed notification that is shown again first. The time is such as "tomorrow, 9:00".
        return translated("Next: \"{title}\", {time}", values)
    }

    mutating func effectsOfNextSnooze() -> [Effect] {
        guard query.isWhole, contents == .notice(nothing) else {
            nextSnooze = NextSnooze()
            return []
        }
        return nextSnooze.requests(shownAccounts).map(Effect.listAside)
    }
}
