package import Basics

/// The place of a row in the service's order. Rows with equal places except for their ids keep one order.
package protocol OrderedPlace: Comparable, Sendable {
    var id: String { get }
}

/// A row of a list in the service's order.
package protocol OrderedRow: Sendable, Equatable {
    associatedtype Place: OrderedPlace
    var id: String { get }
    /// Of two rows, the one with the lesser place comes first.
    var place: Place { get }
}

/// Rows in the service's order, each once. The cost of a change hardly depends on their number.
package struct OrderedRows<Row: OrderedRow>: Sendable, Equatable {
    /// In order.
    package private(set) var places: [Row.Place] = []
    private var rows: [String: Shared<Row>] = [:]

    package init() {}

    /// The rows among these, of which the first with an id counts.
    package init(_ all: some Sequence<Row>) {
        for row in all where rows[row.id] == nil {
            rows[row.id] = Shared(row)
            places.append(row.place)
        }
        places.sort()
    }

    package var count: Int { places.count }

    /// All rows in order.
    package var all: [Row] { places.compactMap { rows[$0.id]?.value } }

    package var unordered: some Collection<Row> { rows.values.lazy.map(\.value) }

    package func contains(_ id: String) -> Bool { rows[id] != nil }

    package subscript(id: String) -> Row? { rows[id]?.value }

    /// Adds, moves or replaces a row.
    ///
    /// - Returns: Whether it was another one, or absent.
    @discardableResult
    package mutating func put(_ shared: Shared<Row>) -> Bool {
        let place = shared.value.place
        if let present = rows[place.id] {
            if present == shared { return false }
            let previous = present.value.place
            if previous != place {
                remove(at: previous)
                insert(place)
            }
        } else {
            insert(place)
        }
        rows[place.id] = shared
        return true
    }

    /// - Returns: Whether there was such a row.
    @discardableResult
    package mutating func remove(_ id: String) -> Bool {
        guard let row = rows.removeValue(forKey: id)?.value else { return false }
        remove(at: row.place)
        return true
    }

    // MARK: Places

    private func index(_ place: Row.Place) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ place: Row.Place) { places.insert(place, at: index(place)) }

    private mutating func remove(at place: Row.Place) {
        let index = index(place)
        if places.indices.contains(index), places[index].id == place.id { places.remove(at: index) }
    }
}
