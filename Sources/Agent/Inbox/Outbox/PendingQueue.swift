/// A change of the user that an outbox keeps until the service confirms it.
package protocol OutboxChange: Hashable, Sendable {
    /// Whether `later` makes this change unnecessary.
    func isSuperseded(by later: Self) -> Bool
}

/// A pending change and its number. Later changes have larger numbers; those of a previous run keep theirs.
package struct PendingChange<Change: OutboxChange>: Hashable, Sendable {
    package var number: Int64
    package var change: Change

    package init(number: Int64, change: Change) {
        self.number = number
        self.change = change
    }
}

/// The pending changes of an outbox, in the order in which the user made them. A change in flight stays pending until
/// it is answered, and is never superseded: the service may have performed it.
struct PendingQueue<Change: OutboxChange>: Equatable, Sendable {
    typealias Entry = PendingChange<Change>

    /// In the order of their numbers.
    private(set) var entries: [Entry] = []
    private var numbersInFlight: Set<Int64> = []
    private var lastNumber: Int64 = 0

    var changes: [Change] { entries.map(\.change) }

    /// The changes that were sent and not answered.
    var inFlight: [Entry] { numbersInFlight.isEmpty ? [] : entries.filter(isInFlight) }

    /// The changes that are not in flight.
    var waiting: [Entry] { entries.filter { !isInFlight($0) } }

    func isInFlight(_ entry: Entry) -> Bool { numbersInFlight.contains(entry.number) }

    /// Restores the changes of a previous run.
    ///
    /// - Parameter last: Numbers up to this one are not reused.
    mutating func restore(_ entries: [Entry], last: Int64) {
        self.entries = entries.sorted { $0.number < $1.number }
        lastNumber = last
    }

    mutating func append(_ change: Change) -> Entry {
        lastNumber += 1
        let entry = Entry(number: lastNumber, change: change)
        entries.append(entry)
        return entry
    }

    /// Replaces a pending change; it keeps its number.
    mutating func replace(_ entry: Entry, by change: Change) -> Entry {
        for index in entries.indices where entries[index].number == entry.number { entries[index].change = change }
        return Entry(number: entry.number, change: change)
    }

    /// Marks changes as in flight.
    mutating func markSent(_ sent: [Entry]) { numbersInFlight.formUnion(sent.map(\.number)) }

    /// Marks changes as answered. They stay pending.
    ///
    /// - Returns: Those that were in flight.
    mutating func markAnswered(_ numbers: some Sequence<Int64>) -> [Entry] {
        let answered = numbersInFlight.intersection(numbers)
        numbersInFlight.subtract(answered)
        return entries.filter { answered.contains($0.number) }
    }

    mutating func remove(_ removed: [Entry]) {
        let numbers = Set(removed.map(\.number))
        entries.removeAll { numbers.contains($0.number) }
        numbersInFlight.subtract(numbers)
    }

    /// Removes the changes that `later` supersedes.
    ///
    /// - Returns: The removed changes.
    mutating func removeSuperseded(by later: Change) -> [Entry] {
        let superseded = entries.filter { !isInFlight($0) && $0.change.isSuperseded(by: later) }
        remove(superseded)
        return superseded
    }
}

/// An effect of an outbox.
package protocol OutboxEffect: Equatable, Sendable {
    associatedtype Change: OutboxChange
    /// The change to save on disk.
    var kept: PendingChange<Change>? { get }
    /// The number of the saved change to delete.
    var forgotten: Int64? { get }
}
