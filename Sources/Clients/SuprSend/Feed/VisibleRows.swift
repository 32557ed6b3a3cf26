import Basics
import ClientKit

/// The visible rows in the service's order, and which of them changed since ``takeChanges()``. The cost of a change
/// hardly depends on the number of rows.
struct VisibleRows: Sendable, Equatable {
    /// The place of a row in the list.
    private struct Place: Sendable, Equatable {
        var isPinned: Bool
        var sortKey: Timestamp
        var id: String

        init(of row: FeedNotification) { (isPinned, sortKey, id) = (row.isPinned, row.sortKey, row.id) }

        /// The service's order: pinned first, then newest, then by id, so that rows of the same millisecond keep their
        /// order.
        func precedes(_ other: Place) -> Bool {
            if isPinned != other.isPinned { return isPinned }
            if sortKey != other.sortKey { return sortKey > other.sortKey }
            return id > other.id
        }
    }

    private var places: [Place] = []
    private var rows: [String: Shared<FeedNotification>] = [:]
    /// Of the rows that are not archived.
    private var expiries: [String: Timestamp] = [:]
    private var touched: Set<String> = []
    private var unloaded: Set<String> = []

    var count: Int { places.count }

    /// All rows in order.
    var all: [FeedNotification] { places.compactMap { rows[$0.id]?.value } }

    var ids: some Collection<String> { places.lazy.map(\.id) }

    /// The ids of the last row and of those that have the same place by the service's order.
    var idsAtEnd: Set<String> {
        guard let last = places.last else { return [] }
        return Set(
            places.reversed().lazy.prefix { $0.isPinned == last.isPinned && $0.sortKey == last.sortKey }.map(\.id)
        )
    }

    func contains(_ id: String) -> Bool { rows[id] != nil }

    subscript(index: Int) -> FeedNotification? { rows[places[index].id]?.value }

    var nextExpiry: Timestamp? { expiries.values.min() }

    /// The ids of the rows that have expired.
    func expired(at now: Timestamp) -> [String] {
        expiries.filter { rows[$0.key]?.value.isExpired(at: now) ?? false }.map(\.key)
    }

    /// Adds, moves or replaces a row.
    mutating func show(_ shared: Shared<FeedNotification>) {
        let row = shared.value
        let place = Place(of: row)
        if let present = rows[row.id] {
            if present == shared { return }
            let previous = Place(of: present.value)
            if previous != place {
                remove(previous)
                insert(place)
            }
        } else {
            insert(place)
        }
        rows[row.id] = shared
        expiries[row.id] = row.isArchived ? nil : row.expiry
        touched.insert(row.id)
        unloaded.remove(row.id)
    }

    /// - Parameter isUnloaded: The service still has the row.
    mutating func hide(_ id: String, isUnloaded: Bool = false) {
        guard let row = rows.removeValue(forKey: id)?.value else { return }
        remove(Place(of: row))
        expiries[id] = nil
        touched.insert(id)
        if isUnloaded { unloaded.insert(id) } else { unloaded.remove(id) }
    }

    /// Hides all rows; the service still has them.
    mutating func hideAll() {
        for place in places { hide(place.id, isUnloaded: true) }
    }

    /// The differences since the last call.
    mutating func takeChanges() -> RowDifferences {
        guard !touched.isEmpty else { return RowDifferences() }
        var differences = RowDifferences()
        var changed: [(place: Place, row: FeedNotification)] = []
        for id in touched {
            if let row = rows[id]?.value {
                changed.append((Place(of: row), row))
            } else if unloaded.contains(id) {
                differences.unloaded.append(id)
            } else {
                differences.removed.append(id)
            }
        }
        if changed.count > 1 { changed.sort { $0.place.precedes($1.place) } }
        differences.changed = changed.map(\.row)
        touched = []
        unloaded = []
        return differences
    }

    // MARK: Places

    private func index(_ place: Place) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].precedes(place) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ place: Place) { places.insert(place, at: index(place)) }

    private mutating func remove(_ place: Place) {
        let index = index(place)
        if places.indices.contains(index), places[index].id == place.id { places.remove(at: index) }
    }
}

/// Differences of the visible rows between two moments.
package struct RowDifferences: Sendable, Equatable {
    /// Added and changed rows, in the order of the list.
    package var changed: [FeedNotification] = []
    /// Rows that no longer belong to the list.
    package var removed: [String] = []
    /// Rows that are no longer loaded; the service still has them.
    package var unloaded: [String] = []

    package var isEmpty: Bool { changed.isEmpty && removed.isEmpty && unloaded.isEmpty }
}
