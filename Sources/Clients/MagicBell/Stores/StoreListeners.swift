/// The listeners of one store.
struct StoreListeners: Sendable {
    var changes = Listeners<ChangeQueue>()
    var counts = Listeners<CountQueue>()
    var updates = Listeners<LatestValue<StoreContents>>()

    mutating func report(_ report: StoreReport) {
        if !report.changes.isEmpty { changes.forEach { $0.add(report.changes) } }
        if !report.counts.isEmpty { counts.forEach { $0.add(report.counts) } }
        updates.forEach { $0.value = report.contents }
    }

    mutating func end() {
        changes.end()
        counts.end()
        updates.end()
    }
}

/// The changes that wait for one listener. Beyond ``capacity`` they become one ``StoreChange/Kind/reload``, so that
/// the indexes of a slow listener stay right.
struct ChangeQueue: ListenerQueue, Equatable {
    static let capacity = 64

    private var changes: [StoreChange] = []

    mutating func add(_ new: [StoreChange]) {
        changes += new
        guard changes.count > Self.capacity, let last = changes.last else { return }
        changes = [StoreChange(.reload, last.contents)]
    }

    mutating func next() -> StoreChange? { changes.isEmpty ? nil : changes.removeFirst() }
}

/// The latest value of each count that changed.
struct CountQueue: ListenerQueue, Equatable {
    private var total: Int?
    private var unread: Int?
    private var unseen: Int?

    mutating func add(_ changes: [CountChange]) {
        for change in changes {
            switch change {
            case .total(let count): total = count
            case .unread(let count): unread = count
            case .unseen(let count): unseen = count
            }
        }
    }

    mutating func next() -> CountChange? {
        if let count = total {
            total = nil
            return .total(count)
        }
        if let count = unread {
            unread = nil
            return .unread(count)
        }
        if let count = unseen {
            unseen = nil
            return .unseen(count)
        }
        return nil
    }
}
