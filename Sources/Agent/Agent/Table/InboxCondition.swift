import Basics
import Inbox

/// Conditions on the rows of a table, in SQL. All of them hold.
struct InboxCondition {
    private(set) var sql: String
    private(set) var values: [Database.Value]

    /// The rows of one inbox that a view contains.
    ///
    /// - Parameter isReported: Whether as the service reported them; otherwise as the user sees them.
    init(_ predicate: InboxPredicate, in inbox: Int64, isReported: Bool = false) {
        let prefix = isReported ? "reported_" : ""
        sql = "inbox = ? AND \(prefix)archived = ?"
        values = [.integer(inbox), .integer(predicate.archived ? 1 : 0)]
        if isReported { add("content <> ''") }
        if let read = predicate.read { add("\(prefix)read \(read ? ">" : "=") 0") }
        if let seen = predicate.seen { add("\(prefix)seen \(seen ? ">" : "=") 0") }
        if !predicate.categories.isEmpty { add(anyOf: "category", predicate.categories) }
        if !predicate.topics.isEmpty { add(anyOf: "topic", predicate.topics) }
        if !predicate.tags.isEmpty { add(tags: predicate.tags) }
    }

    private init(_ sql: String, _ values: [Database.Value]) { (self.sql, self.values) = (sql, values) }

    /// The rows of an inbox that the user sees, archived or not.
    static func all(in inbox: Int64) -> InboxCondition {
        InboxCondition("inbox = ? AND archived < 2", [.integer(inbox)])
    }

    /// Adds the conditions of a filter, but not the text.
    mutating func add(_ filter: NotificationFilter) {
        if let unread = filter.unread { add("read \(unread ? "=" : ">") 0") }
        if let archived = filter.archived { add("archived = ?", .integer(archived ? 1 : 0)) }
        if let category = filter.category { add("category = ?", .text(category)) }
        if let tag = filter.tag { add(tags: [tag]) }
        if let since = filter.since { add("created >= ?", .integer(since.milliseconds)) }
        if let before = filter.before { add("created < ?", .integer(before.milliseconds)) }
        if let snoozed = filter.snoozed { add("snoozed \(snoozed ? ">" : "=") 0") }
        if let ids = filter.ids {
            let beginning = "n.id >= p.value AND n.id < p.value || char(1114111)"
            add(
                "id IN (SELECT n.id FROM json_each(?) AS p JOIN rows AS n ON n.inbox = ? AND \(beginning))",
                .text(JSONList.text(ids)),
                values[0]
            )
        }
    }

    /// Only these.
    mutating func add(_ ids: some Sequence<NotificationID>) { add(anyOf: "id", ids.map(\.rawValue)) }

    /// Only what a part of a view covers.
    mutating func add(_ part: InboxReach.Part) {
        guard part.hasMore else { return }
        guard let end = part.end else { return add("0") }
        add("(pinned, time, id) >= (?, ?, ?)", end)
    }

    /// Only what comes after a place in the service's order; nil: after none.
    mutating func add(after place: SortKey?) { if let place { add("(pinned, time, id) < (?, ?, ?)", place) } }

    /// Only what has times between those of two places: among those of one time, the service's order is not known.
    ///
    /// - Parameters:
    ///   - first: nil: from the top.
    ///   - isIncluded: Whether what has the first place's time is included.
    ///   - last: What has its time is left out; nil: to the bottom.
    mutating func add(from first: SortKey?, isIncluded: Bool = true, before last: SortKey?) {
        func values(_ place: SortKey) -> [Database.Value] {
            [.integer(place.isPinned ? 1 : 0), .integer(place.time.milliseconds)]
        }
        if let first { add("(pinned, time) \(isIncluded ? "<=" : "<") (?, ?)", values(first)) }
        if let last { add("(pinned, time) > (?, ?)", values(last)) }
    }

    private mutating func add(_ term: String, _ place: SortKey) {
        let id = Database.Value.text(place.id.rawValue)
        add(term, .integer(place.isPinned ? 1 : 0), .integer(place.time.milliseconds), id)
    }

    private mutating func add(anyOf column: String, _ texts: [String]) {
        add("\(column) IN (SELECT value FROM json_each(?))", .text(JSONList.text(texts)))
    }

    private mutating func add(tags: [String]) {
        let ofTag = "SELECT value FROM json_each(?)"
        add("EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN (\(ofTag)))", .text(JSONList.text(tags)))
    }

    mutating func add(_ term: String, _ values: Database.Value...) { add(term, values) }

    private mutating func add(_ term: String, _ values: [Database.Value]) {
        sql += " AND \(term)"
        self.values += values
    }
}
