/// The most recent ids, in bounded memory, to recognize messages that were received before.
package struct RecentIDs: Sendable, Equatable {
    private let capacity: Int
    private var ids: Set<String> = []
    private var order: [String] = []
    private var oldest = 0

    /// - Parameter capacity: The maximum number of ids, at least 1.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Whether `id` is present.
    package func contains(_ id: String) -> Bool { ids.contains(id) }

    /// Adds `id`, and removes the oldest one if the capacity is reached. False: it was already present.
    @discardableResult
    package mutating func insert(_ id: String) -> Bool {
        guard ids.insert(id).inserted else { return false }
        if order.count < capacity {
            order.append(id)
        } else {
            ids.remove(order[oldest])
            order[oldest] = id
            oldest = (oldest + 1) % capacity
        }
        return true
    }

    /// Removes `id`. Its slot stays occupied until it is the oldest.
    package mutating func remove(_ id: String) { ids.remove(id) }
}
