import Basics
import Inbox

@testable import Agent

extension Notification {
    /// A notification whose number is the time of its creation.
    static func row(_ number: Int64, category: String = "") -> Notification {
        Notification(id: NotificationID("n\(number)"), category: category, created: Timestamp(milliseconds: number))
    }

    static func row(_ number: Int, category: String = "") -> Notification {
        row(Int64(number), category: category)
    }
}

extension PendingChange<TimestampedChange> {
    static func made(_ number: Int64, _ change: Inbox.Change, at time: Timestamp = 5) -> Self {
        Self(number: number, change: TimestampedChange(change, at: time))
    }
}

extension ServiceRules {
    static let sample = ServiceRules(interactedIsRead: true, readIsSeen: true)
}

extension InboxRules {
    static func muting(_ category: String) throws -> InboxRules {
        var effects = RuleEffects()
        (effects.isMuted, effects.countsInBadge) = (true, false)
        let rule = Rule(RuleConditions([.init(.category, [try TextPattern(category)])]), effects)
        return InboxRules(Rules([rule]), of: "a", localTime: WeeklyHours.LocalTime.init(utc:))
    }
}

extension Database {
    static func withTables() throws -> Database {
        let database = try Database(":memory:")
        try InboxTable.create(in: database)
        return database
    }
}

extension InboxTable {
    static func empty(tabs: [InboxTab] = []) throws -> InboxTable {
        try InboxTable(.withTables(), owner: "a", tabs: tabs, rules: .sample)
    }

    func ids(_ predicate: InboxPredicate) throws -> [String] {
        try list(predicate, .init()).map(\.id.rawValue)
    }

    /// Requests the pages of a view until it is whole.
    ///
    /// - Parameters:
    ///   - rows: What the service has, the oldest first. Of one time, it has the first ones first.
    ///   - limit: The maximum size of a page.
    /// - Returns: The number of requests.
    @discardableResult
    mutating func loadAll(
        of view: InboxPredicate,
        in rows: [Notification],
        limit: Int = .max
    ) throws -> Int {
        let list = rows.enumerated().filter { view.matches($0.element) }
            .sorted { ($1.element.sortTime, $0.offset) < ($0.element.sortTime, $1.offset) }.map(\.element)
        var (requests, request) = (0, try nextPage(of: view))
        while let asked = request, requests < 100 {
            requests += 1
            let rest = list.filter { row in
                asked.place.map { asked.skipsTies ? row.sortTime < $0.time : row.sortTime <= $0.time } ?? true
            }
            let size = min(20 + asked.ties, limit)
            let page = ViewPage(Array(rest.prefix(size)), hasMore: rest.count > size)
            request = try add(page, for: asked).next ?? nextPage(of: view)
        }
        return requests
    }
}
