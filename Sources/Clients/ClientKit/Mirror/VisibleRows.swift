package import Basics

/// The rows of a list that others follow, and which of them changed since ``takeDifferences()``.
package struct VisibleRows<Row: OrderedRow>: Sendable, Equatable {
    package private(set) var rows = OrderedRows<Row>()
    private var touched: Set<String> = []
    private var unloaded: Set<String> = []

    package init() {}

    package subscript(id: String) -> Row? { rows[id] }

    /// Adds, moves or replaces a row.
    package mutating func show(_ row: Shared<Row>) {
        guard rows.put(row) else { return }
        touched.insert(row.value.id)
        unloaded.remove(row.value.id)
    }

    /// - Parameter isUnloaded: The service still has the row.
    package mutating func hide(_ id: String, isUnloaded: Bool = false) {
        guard rows.remove(id) else { return }
        touched.insert(id)
        if isUnloaded { unloaded.insert(id) } else { unloaded.remove(id) }
    }

    /// The service no longer has a row, which may not be among these. It is reported as removed.
    package mutating func delete(_ id: String) {
        rows.remove(id)
        touched.insert(id)
        unloaded.remove(id)
    }

    /// The differences since the last call.
    package mutating func takeDifferences() -> RowDifferences<Row> {
        var differences = RowDifferences<Row>()
        guard !touched.isEmpty else { return differences }
        for id in touched {
            if let row = rows[id] {
                differences.changed.append(row)
            } else if unloaded.contains(id) {
                differences.unloaded.append(id)
            } else {
                differences.removed.append(id)
            }
        }
        if differences.changed.count > 1 { differences.changed.sort { $0.orderKey < $1.orderKey } }
        differences.removed.sort()
        differences.unloaded.sort()
        touched = []
        unloaded = []
        return differences
    }
}

/// Differences of a list between two moments.
package struct RowDifferences<Row: Sendable & Equatable>: Sendable, Equatable {
    /// Added and changed rows, in the order of the list.
    package var changed: [Row] = []
    /// Rows that no longer belong to the list.
    package var removed: [String] = []
    /// Rows that are no longer loaded; the service still has them.
    package var unloaded: [String] = []

    package init() {}

    package var isEmpty: Bool { changed.isEmpty && removed.isEmpty && unloaded.isEmpty }
}
