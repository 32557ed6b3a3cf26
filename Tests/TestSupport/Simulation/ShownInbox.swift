/// What a client shows of an inbox, to be compared with what the service has whenever nothing is under way.
package struct ShownInbox<Row: Equatable & Sendable>: Sendable {
    /// In order.
    package var rows: [Row]
    /// Whether the service has further rows.
    package var hasMore: Bool
    /// Whether the client knows that the rows are what the service has.
    package var isComplete: Bool
    /// By their names.
    package var counts: [String: Int]

    package init(_ rows: [Row], hasMore: Bool, isComplete: Bool = true, counts: [String: Int]) {
        self.rows = rows
        self.hasMore = hasMore
        self.isComplete = isComplete
        self.counts = counts
    }

    /// What differs from the service: rows, their order, counts and completeness.
    package func differences(from service: [Row], counts expected: [String: Int]) -> [String] {
        var differences: [String] = []
        if !isComplete { differences.append("The list is incomplete.") }
        let common = zip(rows, service).prefix { $0 == $1 }.count
        if common < rows.count {
            let other = common < service.count ? "\(service[common])" : "none"
            differences.append("Row \(common) is \(rows[common]), not \(other).")
        } else if !hasMore, common < service.count {
            differences.append("Row \(common) is missing: \(service[common]).")
        }
        for (name, count) in expected.sorted(by: { $0.key < $1.key }) where counts[name] != count {
            differences.append("The count \(name) is \(counts[name].map { "\($0)" } ?? "unknown"), not \(count).")
        }
        return differences
    }
}

/// The notifications that arrived, each of which has to arrive once.
package struct ArrivalLog: Sendable {
    /// How often each arrived.
    package private(set) var counts: [String: Int] = [:]
    /// How often each may arrive more than once, because the client was killed before it had recorded the arrival.
    private var repeats: [String: Int] = [:]

    package init() {}

    package mutating func add(_ id: String) { counts[id, default: 0] += 1 }

    /// The client does not know any more that these have arrived.
    package mutating func allowRepeat(of ids: some Sequence<String>) {
        for id in ids { repeats[id, default: 0] += 1 }
    }

    /// - Parameters:
    ///   - fresh: Notifications that are new, and that no device of the user has handled.
    ///   - old: Notifications that existed before the first start.
    package func problems(fresh: Set<String>, old: Set<String>) -> [String] {
        let lost = fresh.filter { counts[$0] == nil }.sorted()
        let repeated = counts.filter { $1 > 1 + repeats[$0, default: 0] }.keys.sorted()
        let known = old.filter { counts[$0] != nil }.sorted()
        return lost.map { "\($0) did not arrive." }
            + repeated.map { "\($0) arrived \(counts[$0, default: 0]) times." }
            + known.map { "\($0) is not new." }
    }
}
