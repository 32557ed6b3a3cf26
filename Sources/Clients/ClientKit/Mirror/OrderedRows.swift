package import Basics

/// The place of a row in the order of its service. Rows with equal keys except for their ids keep one order.
package protocol OrderKey: Comparable, Sendable {
    var id: String { get }
}

/// A row of a list in the service's order.
package protocol OrderedRow: Sendable, Equatable {
    associatedtype Key: OrderKey
    var id: String { get }
    /// Of two rows, the one with the lesser key comes first.
    var orderKey: Key { get }
}

/// Rows in the service's order, each once. The cost of a change hardly depends on their number.
package struct OrderedRows<Row: OrderedRow>: Sendable, Equatable {
    /// In order.
    package private(set) var keys: [Row.Key] = []
    private var rows: [String: Shared<Row>] = [:]

    package init() {}

    /// The rows among these, of which the first with an id counts.
    package init(_ all: some Sequence<Row>) {
        for row in all where rows[row.id] == nil {
            rows[row.id] = Shared(row)
            keys.append(row.orderKey)
        }
        keys.sort()
    }

    package var count: Int { keys.count }

    /// All rows in order.
    package var all: [Row] { keys.compactMap { rows[$0.id]?.value } }

    package var unordered: some Collection<Row> { rows.values.lazy.map(\.value) }

    package func contains(_ id: String) -> Bool { rows[id] != nil }

    package subscript(id: String) -> Row? { rows[id]?.value }

    /// Adds, moves or replaces a row.
    ///
    /// - Returns: Whether it was another one, or absent.
    @discardableResult
    package mutating func put(_ shared: Shared<Row>) -> Bool {
        let key = shared.value.orderKey
        if let present = rows[key.id] {
            if present == shared { return false }
            let previous = present.value.orderKey
            if previous != key {
                remove(at: previous)
                insert(key)
            }
        } else {
            insert(key)
        }
        rows[key.id] = shared
        return true
    }

    /// - Returns: Whether there was such a row.
    @discardableResult
    package mutating func remove(_ id: String) -> Bool {
        guard let row = rows.removeValue(forKey: id)?.value else { return false }
        remove(at: row.orderKey)
        return true
    }

    // MARK: Places

    private func index(_ key: Row.Key) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ key: Row.Key) { keys.insert(key, at: index(key)) }

    private mutating func remove(at key: Row.Key) {
        let index = index(key)
        if keys.indices.contains(index), keys[index].id == key.id { keys.remove(at: index) }
    }
}
