/// The latest message ids, to recognise a message that is received again.
package struct RecentIDs: Sendable, Equatable {
    private let limit: Int
    private var ids: [String] = []
    private var oldest = 0
    private var known: Set<String> = []

    package init(limit: Int = 500) { self.limit = max(1, limit) }

    /// Adds an id, in place of the oldest one if there are too many. Returns false if it is known.
    package mutating func insert(_ id: String) -> Bool {
        guard known.insert(id).inserted else { return false }
        if ids.count < limit {
            ids.append(id)
        } else {
            known.remove(ids[oldest])
            ids[oldest] = id
            oldest = (oldest + 1) % limit
        }
        return true
    }
}
