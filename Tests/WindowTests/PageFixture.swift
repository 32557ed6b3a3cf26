import AgentInterface
import DBus

@testable import Window

/// An inbox page with accounts and notifications, for tests.
struct PageFixture {
    /// Noon in UTC.
    static let now: Int64 = 1_763_726_400_000

    var page = InboxPage()
    var now = PageFixture.now
    /// What screen readers say after the last event.
    private(set) var said: [String] = []

    /// A page that shows these accounts, each with its notifications.
    init(_ accounts: [AccountState] = [account("work")], _ lists: [[NotificationRecord]] = []) {
        _ = send(.visibility(true))
        _ = send(.activity(true))
        _ = send(.agent(.running))
        _ = send(.accounts(accounts))
        for (account, list) in zip(accounts, lists) { answer(account.name, list) }
    }

    /// Passes an event to the page. Its effects are returned, without those of clocks and those in ``said``.
    mutating func send(_ event: InboxPage.Event) -> [InboxPage.Effect] {
        let effects = page.receive(event, now: now)
        said = effects.compactMap { if case .announce(let text) = $0 { text } else { nil } }
        return effects.filter {
            switch $0 {
            case .runClock, .announce, .watchWork: false
            default: true
            }
        }
    }

    /// Answers the first request for an account's list, and says that there are no others.
    mutating func answer(_ account: String, _ list: [NotificationRecord], generation: Int = 0) {
        _ = send(.listed(request(account, generation: generation), .notifications(list, problem: "")))
        guard list.count < ListRequest.pageSize else { return }
        let next = request(account, .page(offset: list.count), generation: generation)
        _ = send(.listed(next, .notifications(list.suffix(1), problem: "")))
    }

    /// The first request for an account's list, as the page has sent it.
    func request(_ account: String, _ part: ListRequest.Part = .start, generation: Int = 0) -> ListRequest {
        ListRequest(account: account, query: page.query, part: part, generation: generation)
    }

    /// What is shown in place of a list; nil: there is a list, or it is loaded.
    var notice: InboxPage.Notice? { if case .notice(let notice) = page.contents { notice } else { nil } }

    var titles: [String] { page.rows.compactMap { page.row($0)?.title } }

    static func account(
        _ name: String,
        state: String = "online",
        errorName: String = "x",
        capabilities: [String] = ["archive", "unarchive", "delete", "seen", "server-badge", "new-token"],
        unread: Int = 0,
        badge: Int = 0,
        asOf: Int64 = 0,
        tabs: [(String, Int)] = [],
        nextAttempt: Int64 = 0,
        origin: String = "",
        waitingActions: UInt32 = 0,
        isCounted: Bool = true
    ) -> AccountState {
        let tabs = tabs.map { Structure($0.0, $0.0.prefix(1).uppercased() + $0.0.dropFirst(), UInt32($0.1)) }
        return AccountState([
            AgentAccount.name.text: [
                "Name": .string(name), "State": .string(state), "NextAttempt": .int64(nextAttempt),
                "LastEvent": .int64(isCounted ? now : 0), "Capabilities": Value(capabilities),
                "Origin": .string(origin), "Provider": .string("suprsend"), "PendingActions": .uint32(waitingActions),
                "LastError": Structure(state == "online" ? "" : errorName, state == "online" ? "" : "It is broken.")
                    .dbusValue,
            ],
            AgentInbox.name.text: [
                "UnreadCount": .uint32(UInt32(unread)), "BadgeCount": .uint32(UInt32(badge)), "AsOf": .int64(asOf),
                "Tabs": tabs.dbusValue,
            ],
        ])
    }

    /// - Parameter age: In seconds.
    static func notification(
        _ id: String,
        of account: String = "work",
        age: Int64 = 0,
        isRead: Bool = false,
        _ change: (inout NotificationRecord) -> Void = { _ in }
    ) -> NotificationRecord {
        var notification = NotificationRecord()
        (notification.id, notification.account, notification.title) = (id, account, "Nr \(id)")
        (notification.created, notification.read) = (now - age * 1000, isRead ? now : 0)
        notification.url = "https://example.com/\(id)"
        change(&notification)
        return notification
    }

    static func row(_ id: String, of account: String = "work") -> RowID { RowID(account: account, id: id) }
}
