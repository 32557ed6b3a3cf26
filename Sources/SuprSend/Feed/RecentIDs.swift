/// Remembers the last so many ids, in bounded memory.
struct RecentIDs: Sendable, Equatable {
    private let capacity: Int
    private var ids: Set<String> = []
    private var order: [String] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    func contains(_ id: String) -> Bool { ids.contains(id) }

    /// Remembers `id`, and forgets the oldest if there is no room. False: it was there already.
    @discardableResult
    mutating func insert(_ id: String) -> Bool {
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

    /// Forgets `id`. Its place in the order of age stays taken until its turn comes.
    mutating func remove(_ id: String) { ids.remove(id) }
}
