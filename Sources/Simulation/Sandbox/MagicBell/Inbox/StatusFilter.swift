/// The filters of a list, a count or an action on all notifications. Absent filters match everything.
package struct StatusFilter: Sendable, Equatable {
    package var read: Bool?
    package var seen: Bool?
    package var archived: Bool?
    package var status: StoredNotification.Status?
    package var categories: [String] = []
    package var topics: [String] = []

    package init() {}

    /// The parameters of the REST API (v1): one category or topic, or several joined by commas.
    ///
    /// - Parameter hasSeveral: Whether several categories or topics have an effect. Release notes of MagicBell's
    ///   JavaScript client say that they had none for a time.
    init(restQuery query: inout RequestQuery, hasSeveral: Bool = true) throws(Refusal) {
        read = try query.takeBool("read")
        seen = try query.takeBool("seen")
        archived = try query.takeBool("archived")
        categories = try Self.words("category", "categories", in: &query)
        topics = try Self.words("topic", "topics", in: &query)
        if !hasSeveral, categories.count > 1 { categories = [] }
        if !hasSeveral, topics.count > 1 { topics = [] }
    }

    /// The parameters of the user API (v2), without `status`.
    init(userQuery query: inout RequestQuery) throws(Refusal) {
        if let category = query.take("category") { categories = [category] }
        if let topic = query.take("topic") { topics = [topic] }
    }

    private static func words(_ one: String, _ several: String, in query: inout RequestQuery) throws(Refusal)
        -> [String]
    {
        let joined = query.take(several)
        if let word = query.take(one) {
            guard joined == nil else { throw Refusal(.query, "'\(one)' and '\(several)' are given together.") }
            return [word]
        }
        return joined?.split(separator: ",").map(String.init) ?? []
    }

    func matches(_ notification: StoredNotification) -> Bool {
        (read == nil || read == (notification.readAt != nil))
            && (seen == nil || seen == (notification.seenAt != nil))
            && (archived == nil || archived == (notification.archivedAt != nil))
            && (status == nil || status == notification.status)
            && (categories.isEmpty || notification.category.map(categories.contains) == true)
            && (topics.isEmpty || notification.topic.map(topics.contains) == true)
    }
}
