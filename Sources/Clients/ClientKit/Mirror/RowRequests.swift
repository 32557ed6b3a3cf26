/// The requests for single rows after events, which contain only an id: few at the same time, repeated after a failure,
/// with results in the order of the events.
///
/// The owner numbers the events and the requests in their order: an answer includes what happened before its request.
package struct RowRequests<Row: Sendable & Equatable>: Sendable, Equatable {
    package typealias Ticket = RowTicket

    /// The result of the request for one row.
    package struct Outcome: Sendable, Equatable {
        package var id: String
        /// The number of the event.
        package var arrived: UInt64
        /// The number of the request.
        package var asked: UInt64
        /// Whether the event announced a new row, or a change of an older one.
        package var isNew: Bool
        /// nil: it could not be loaded.
        package var row: Row?
    }

    /// The maximum number of concurrent requests.
    package static var width: Int { 4 }
    /// The delays before a failed request is repeated: the service may announce a row before its API returns it.
    package static var delays: [Duration] { [.milliseconds(300), .seconds(1), .seconds(3)] }
    /// The maximum number of finished rows that wait for an earlier one.
    private static var waitingLimit: Int { 64 }

    /// The maximum number of rows that are requested, or wait for it.
    private let capacity: Int
    /// In the order of the events: those that have begun come first.
    private var entries: [RowEntry] = []
    /// The rows of finished requests that wait for an earlier one, by the numbers of the requests.
    private var rows: [UInt64: Row] = [:]

    package init(capacity: Int) { self.capacity = capacity }

    package var isEmpty: Bool { entries.isEmpty }

    /// Whether one of the requests is for a new row with this id.
    package func isNew(_ id: String) -> Bool { entries.contains { $0.id == id && $0.isNew } }

    /// The rows whose requests have begun.
    package var begunIDs: [String] { begun.filter { !$0.isFinished }.map(\.id) }

    /// Whether a request for the row has begun.
    package func hasBegun(_ id: String) -> Bool { begunIDs.contains(id) }

    /// Whether a request has begun and is still needed.
    package func contains(_ ticket: Ticket) -> Bool { index(of: ticket) != nil }

    /// Whether no further request is needed after an event.
    package func covers(_ id: String, isNew: Bool) -> Bool { index(covering: id, isNew: isNew) != nil }

    private var begun: ArraySlice<RowEntry> { entries.prefix { $0.asked != nil } }

    private func index(covering id: String, isNew: Bool) -> Int? {
        entries.firstIndex { $0.id == id && (isNew || $0.asked == nil) }
    }

    private func index(of ticket: Ticket) -> Int? { begun.firstIndex { !$0.isFinished && $0.asked == ticket.number } }

    // MARK: Requests

    /// Adds an event.
    ///
    /// - Parameter number: Of the event.
    /// - Returns: Whether there is room for it.
    package mutating func add(_ id: String, isNew: Bool, at number: UInt64) -> Bool {
        if let index = index(covering: id, isNew: isNew) {
            // The same new row twice counts once.
            if isNew, !entries[index].isNew {
                entries[index].isNew = true
                entries[index].arrived = number
            }
            return true
        }
        guard entries.count < capacity else { return false }
        entries.append(RowEntry(id: id, arrived: number, isNew: isNew))
        return true
    }

    /// Begins the next request; nil: there is none, or enough have begun.
    package mutating func begin(_ number: UInt64) -> Ticket? {
        let begun = begun
        guard begun.endIndex < entries.endIndex, begun.count(where: { !$0.isFinished }) < Self.width else { return nil }
        let index = begun.endIndex
        entries[index].asked = number
        return Ticket(id: entries[index].id, number: number)
    }

    /// Sends a request again; nil: it is not needed any more.
    package mutating func again(_ ticket: Ticket, _ number: UInt64) -> Ticket? {
        guard let index = index(of: ticket) else { return nil }
        entries[index].asked = number
        return Ticket(id: ticket.id, number: number)
    }

    /// Removes a row: the answer to its request does not count.
    package mutating func remove(_ id: String) { entries.removeAll { $0.id == id && !$0.isFinished } }

    /// Removes the rows whose requests have not begun.
    package mutating func removeWaiting() { entries.removeSubrange(begun.endIndex...) }

    /// Cancels all.
    ///
    /// - Returns: The ids of the new rows, and the numbers of the requests that have begun.
    package mutating func abandon() -> (newIDs: [String], numbers: [UInt64]) {
        defer { (entries, rows) = ([], [:]) }
        return (entries.filter(\.isNew).map(\.id), begun.filter { !$0.isFinished }.compactMap(\.asked))
    }

    // MARK: Answers

    /// A row is loaded.
    ///
    /// - Returns: The results that are ready, in the order of the events.
    package mutating func finish(_ ticket: Ticket, _ row: Row) -> [Outcome] {
        guard let index = index(of: ticket) else { return [] }
        return finish(index, row)
    }

    /// A request failed.
    ///
    /// - Parameter mayRepeat: Whether the same request may succeed later.
    /// - Returns: After which time it is to be sent again with ``again(_:_:)``, nil: not any more; and the results that
    ///   are ready.
    package mutating func fail(_ ticket: Ticket, mayRepeat: Bool) -> (delay: Duration?, ready: [Outcome]) {
        guard let index = index(of: ticket) else { return (nil, []) }
        let failures = entries[index].failures
        guard mayRepeat, failures < Self.delays.count else { return (nil, finish(index, nil)) }
        entries[index].failures += 1
        return (Self.delays[failures], takeReady())
    }

    private mutating func finish(_ index: Int, _ row: Row?) -> [Outcome] {
        entries[index].isFinished = true
        if let number = entries[index].asked { rows[number] = row }
        return takeReady()
    }

    private mutating func takeReady() -> [Outcome] {
        let exceedsLimit = begun.count(where: \.isFinished) > Self.waitingLimit
        var ready: [Outcome] = []
        var isBlocked = false
        var index = 0
        while index < entries.count, let asked = entries[index].asked {
            let entry = entries[index]
            // Only new rows have an order; the state of a known one follows from the number of its request.
            if entry.isFinished, !entry.isNew || !isBlocked || exceedsLimit || entry.isLate {
                entries.remove(at: index)
                let row = rows.removeValue(forKey: asked)
                ready.append(Outcome(id: entry.id, arrived: entry.arrived, asked: asked, isNew: entry.isNew, row: row))
            } else {
                if entry.isNew, !entry.isLate { isBlocked = true }
                index += 1
            }
        }
        return ready
    }
}

/// A request that has begun, and will be repeated if it fails.
package struct RowTicket: Sendable, Equatable {
    package var id: String
    /// Of the request.
    package var number: UInt64

    package init(id: String, number: UInt64) {
        self.id = id
        self.number = number
    }
}

/// A row that is requested, or waits for it.
// Not within RowRequests: a generic type's own types are generic too, and its functions are not specialized for the
// rows of another module.
private struct RowEntry: Sendable, Equatable {
    var id: String
    var arrived: UInt64
    var isNew: Bool
    /// The number of its request; nil: it waits.
    var asked: UInt64?
    var failures = 0
    var isFinished = false

    /// Later rows do not wait for it any more.
    var isLate: Bool { failures > 0 }
}
