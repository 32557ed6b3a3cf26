import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport

@testable import Agent

/// A window or terminal inbox that shows the agent's list.
struct SimulatedFace {
    private static let account = "work"

    private var lists = NotificationLists()
    /// Requests without a reply.
    private(set) var requests: [ListRequest] = []
    private let query: InboxQuery

    init(isUnreadOnly: Bool) {
        var query = InboxQuery()
        query.isUnreadOnly = isUnreadOnly
        self.query = query
        requests = lists.show(query, of: [Self.account])
    }

    /// The agent emitted signals about these notifications.
    mutating func changed(_ ids: Set<String>) {
        if !ids.isEmpty { lists.invalidate(ids.sorted(), of: Self.account) }
        requests += lists.refreshes()
    }

    /// The list is the service's again, or known for the first time.
    mutating func reload() { requests += lists.reload(Self.account) }

    /// Another agent runs than the one that was asked before.
    mutating func restart() {
        for request in requests { lists.finish(request, .failed("The agent has ended.")) }
        requests = lists.reloadAll()
    }

    /// The agent answers one request.
    ///
    /// - Parameter list: Returns the notifications of a view that pass a filter; nil: the inbox is not known.
    mutating func answer(_ index: Int, _ list: (InboxPredicate, NotificationFilter) -> [Notification]?) {
        let request = requests.remove(at: index)
        lists.finish(request, Self.reply(to: request, list))
        requests += lists.refreshes() + lists.catchUps()
        _ = lists.update()
    }

    /// Loads everything that is missing, at rest.
    mutating func loadRest() {
        requests += lists.loadMissing()
        requests += lists.nextPages()
    }

    private static func reply(
        to request: ListRequest,
        _ list: (InboxPredicate, NotificationFilter) -> [Notification]?
    ) -> ListReply {
        guard let filter = try? NotificationFilter(options: request.options.values),
            let predicate = InboxPredicate.inbox.narrowed(by: filter), let found = list(predicate, filter)
        else { return .failed("The inbox is not loaded yet.") }
        return .notifications(found.map(record), problem: "")
    }

    private static func record(_ notification: Notification) -> NotificationRecord {
        NotificationRecord([
            "id": .string(notification.id.rawValue), "account": .string(account),
            "title": .string(notification.title), "body": .string(notification.body),
            "category": .string(notification.category), "created": .int64(notification.created.milliseconds),
            "seen": .int64(notification.seen?.milliseconds ?? 0),
            "read": .int64(notification.read?.milliseconds ?? 0), "pinned": .bool(notification.isPinned),
        ])
    }

    /// The part of the inbox that it shows.
    var view: InboxPredicate { InboxPredicate(read: query.isUnreadOnly ? false : nil) }

    /// The ids of the rows, from the top.
    var ids: [String] { lists.rows.map(\.id) }

    /// The differences from the loaded part of the service's list, at rest.
    ///
    /// - Parameter list: In the service's order.
    func differences(from list: [Notification]) -> [String] {
        let shown = ShownInbox(lists.rows.compactMap { lists[$0].map(RowFacts.init) }, hasMore: false, counts: [:])
        // A face orders by the times: those of the same time are in any order.
        let places = Dictionary(lists.rows.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let expected = list.filter { !query.isUnreadOnly || $0.read == nil }.inDisplayOrder
            .map { RowFacts(Self.record($0)) }
            .sorted { a, b in
                if a.place != b.place { return a.place < b.place }
                return places[a.id, default: .max] < places[b.id, default: .max]
            }
        return shown.differences(from: expected, counts: [:])
    }

    /// What a row shows, without the times of changes.
    private struct RowFacts: Equatable {
        var id: String
        var title: String
        var body: String
        var category: String
        var created: Int64
        var isOnTop: Bool
        var isRead: Bool

        init(_ record: NotificationRecord) {
            (id, title, body, category) = (record.id, record.title, record.body, record.category)
            (created, isOnTop, isRead) = (record.created, record.isPinned && record.read == 0, record.read != 0)
        }

        /// Smaller ones are above.
        var place: (Int, Int64) { (isOnTop ? 0 : 1, -created) }
    }
}
