/// Badge and store counts: the service's last word, what was counted since, and what waits for the service.
///
/// The service's numbers and our own counting can overlap: an answer to a count may or may not include what happened while it was
/// under way. Whenever that is possible, `isDoubtful` asks for one more count, so the numbers always end at the service's. An answer
/// that may lack a change made here is not shown: the number would go back for a moment.
struct FeedCounts: Sendable, Equatable {
    enum Change: Sendable, Equatable {
        case add(stores: [String: Int])
        case clearAll
        case clearBadge
    }

    /// A further count is needed for certainty.
    var isDoubtful = false
    private var settled: FeedData.Meta
    private var pending: [(number: UInt64, change: Change)] = []
    private var underWay: Set<UInt64> = []
    /// Counts that were under way when a change began or ended.
    private var overlapped: Set<UInt64> = []
    private var lastAnswered: UInt64 = 0

    init(stores: [NotificationStore]) {
        settled = FeedData.Meta(
            badge: 0,
            stores: Dictionary(stores.map { ($0.id, 0) }, uniquingKeysWith: { a, _ in a })
        )
    }

    /// The numbers to show.
    var meta: FeedData.Meta {
        var meta = settled
        for (_, change) in pending { Self.apply(change, to: &meta) }
        return meta
    }

    var isUnderWay: Bool { !underWay.isEmpty }

    /// Whether an answer can be shown that is asked for now: no change is under way, or no count was answered yet.
    var canBeCounted: Bool { pending.isEmpty || lastAnswered == 0 }

    // MARK: Counting by the service

    mutating func begin(_ number: UInt64) {
        underWay.insert(number)
        isDoubtful = false
    }

    /// An answer; nil: there is none. One that was asked for before another already known is dropped, and so is one that may lack a
    /// change, unless it is the first.
    ///
    /// - Returns: Whether the numbers are the answer's.
    mutating func finish(_ number: UInt64, _ counts: NotificationCounts?) -> Bool {
        underWay.remove(number)
        let isOverlapped = overlapped.remove(number) != nil || !pending.isEmpty
        guard let counts, number > lastAnswered else { return false }
        if isOverlapped { isDoubtful = true }
        guard !isOverlapped || lastAnswered == 0 else { return false }
        lastAnswered = number
        settled.badge = counts.badge
        for (store, count) in counts.stores where settled.stores[store] != nil { settled.stores[store] = count }
        pending = []
        return true
    }

    // MARK: Counting here

    /// The service announced something: a count under way may miss it.
    mutating func eventArrived() {
        if isUnderWay { isDoubtful = true }
    }

    /// A notification announced at `number` belongs to `stores`. Not added if a count asked for since then includes it.
    mutating func add(announced number: UInt64, stores: [String]) {
        guard lastAnswered < number else { return }
        settled.badge += 1
        for store in stores { settled.stores[store, default: 0] += 1 }
    }

    /// The service says that all was read, or the inbox opened, somewhere.
    mutating func apply(_ change: Change) {
        Self.apply(change, to: &settled)
        overlapped.formUnion(underWay)
        eventArrived()
    }

    // MARK: Changes waiting for the service

    mutating func propose(_ number: UInt64, _ change: Change) {
        pending.append((number, change))
        overlapped.formUnion(underWay)
    }

    mutating func confirm(_ number: UInt64) {
        // Not there: the first count came between, and may or may not include the change.
        guard let index = pending.firstIndex(where: { $0.number == number }) else {
            isDoubtful = true
            return
        }
        let change = pending.remove(at: index).change
        apply(change)
        // What was announced meanwhile came before the clearing, or after it.
        if case .add = change {} else { isDoubtful = true }
    }

    mutating func reject(_ number: UInt64) {
        pending.removeAll { $0.number == number }
        overlapped.formUnion(underWay)
        eventArrived()
    }

    private static func apply(_ change: Change, to meta: inout FeedData.Meta) {
        switch change {
        case .add(let stores):
            for (store, difference) in stores { meta.stores[store] = max(0, (meta.stores[store] ?? 0) + difference) }
        case .clearAll:
            meta.badge = 0
            meta.stores = meta.stores.mapValues { _ in 0 }
        case .clearBadge:
            meta.badge = 0
        }
    }

    static func == (a: FeedCounts, b: FeedCounts) -> Bool {
        a.settled == b.settled && a.isDoubtful == b.isDoubtful && a.underWay == b.underWay
            && a.overlapped == b.overlapped && a.lastAnswered == b.lastAnswered
            && a.pending.elementsEqual(b.pending) { $0 == $1 }
    }
}

extension FeedData.Meta {
    func without(_ store: NotificationStore) -> FeedData.Meta {
        var meta = self
        meta.stores[store.id] = nil
        return meta
    }
}
