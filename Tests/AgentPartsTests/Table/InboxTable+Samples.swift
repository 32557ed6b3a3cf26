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
    /// Mutes a category.
    static func muting(_ category: String, counts: Bool = false) throws -> InboxRules {
        try muting(.category, category, counts: counts)
    }

    static func muting(_ field: RuleConditions.Field, _ pattern: String, counts: Bool = false) throws -> InboxRules {
        var effects = RuleEffects()
        (effects.isMuted, effects.countsInBadge) = (true, counts)
        let rule = Rule(RuleConditions([.init(field, [try TextPattern(pattern)])]), effects)
        return InboxRules(Rules([rule]), of: "a", localTime: WeeklyHours.LocalTime.init(utc:))
    }
}

extension StateDatabase {
    /// Inboxes in memory.
    static func ofInboxes() -> StateDatabase { StateDatabase(path: nil, of: .inboxes) { _ in } }
}

extension InboxTable {
    /// An inbox as it is after a start.
    static func opened(
        _ storage: StateDatabase = .ofInboxes(),
        of owner: String = "a",
        tabs: [InboxTab] = [],
        rules: ServiceRules = .sample,
        now: Timestamp = 10
    ) throws -> InboxTable {
        var table = InboxTable(storage, tabs: tabs, rules: rules) { now }
        try table.open(owner)
        return table
    }

    /// Applies other rules to all rows.
    ///
    /// - Returns: What the user sees of each part.
    mutating func apply(_ rules: InboxRules?) throws -> [[Difference]] {
        muting = rules
        var (parts, last) = ([[Difference]](), Int64?.some(.min))
        while let after = last {
            let part = try applyRules(after: after)
            parts.append(part.differences)
            last = part.last
        }
        return parts
    }

    /// The ids that a search finds, with all words so far.
    func found(_ words: String, _ predicate: InboxPredicate? = .inbox) throws -> [String] {
        while try IndexedWords.indexNext(in: storage) {}
        guard let match = InboxSearch(words).match else { return [] }
        return try search(match, predicate, .init()).map(\.id.rawValue)
    }

    /// All that is kept of the inbox.
    func keptIDs() throws -> [String] { try list(.inbox, .init(takesKept: true)).map(\.id.rawValue) }

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
