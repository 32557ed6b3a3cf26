/// A change that the service has not confirmed, and its number. Later changes have larger numbers; those of a previous
/// run keep theirs.
package struct PendingChange<Change: Hashable & Sendable>: Hashable, Sendable {
    package var number: Int64
    package var change: Change

    package init(number: Int64, change: Change) {
        self.number = number
        self.change = change
    }
}

/// The pending changes, in the order in which the user made them. A change in flight stays pending until it is
/// answered, and is never superseded: the service may have performed it.
///
/// The owner decides when changes are sent, what a failure means, and whether changes are on disk.
package struct PendingQueue<Change: Hashable & Sendable>: Equatable, Sendable {
    package typealias Entry = PendingChange<Change>

    /// In the order of their numbers.
    package private(set) var entries: [Entry] = []
    private var numbersInFlight: Set<Int64> = []
    private var lastNumber: Int64 = 0

    package init() {}

    package var changes: [Change] { entries.map(\.change) }

    /// The changes that were sent and not answered.
    package var inFlight: [Entry] { numbersInFlight.isEmpty ? [] : entries.filter(isInFlight) }

    /// The changes that are not in flight.
    package var waiting: [Entry] { entries.filter { !isInFlight($0) } }

    package func isInFlight(_ entry: Entry) -> Bool { numbersInFlight.contains(entry.number) }

    /// The pending changes with these numbers.
    package func entries(_ numbers: Set<Int64>) -> [Entry] { entries.filter { numbers.contains($0.number) } }

    /// Restores the changes of a previous run.
    ///
    /// - Parameter last: Numbers up to this one are not reused.
    package mutating func restore(_ entries: [Entry], last: Int64) {
        self.entries = entries.sorted { $0.number < $1.number }
        lastNumber = last
    }

    @discardableResult
    package mutating func append(_ change: Change) -> Entry {
        lastNumber += 1
        let entry = Entry(number: lastNumber, change: change)
        entries.append(entry)
        return entry
    }

    /// Replaces a pending change; it keeps its number.
    package mutating func replace(_ entry: Entry, by change: Change) -> Entry {
        for index in entries.indices where entries[index].number == entry.number { entries[index].change = change }
        return Entry(number: entry.number, change: change)
    }

    /// Marks changes as in flight.
    package mutating func markSent(_ sent: [Entry]) { numbersInFlight.formUnion(sent.map(\.number)) }

    /// Marks changes as answered, or as not sent. They stay pending.
    ///
    /// - Returns: Those that were in flight.
    @discardableResult
    package mutating func markAnswered(_ numbers: some Sequence<Int64>) -> [Entry] {
        let answered = numbersInFlight.intersection(numbers)
        numbersInFlight.subtract(answered)
        return entries(answered)
    }

    package mutating func remove(_ removed: [Entry]) {
        let numbers = Set(removed.map(\.number))
        entries.removeAll { numbers.contains($0.number) }
        numbersInFlight.subtract(numbers)
    }

    /// Removes the changes that are not in flight and that a later one supersedes.
    ///
    /// - Returns: The removed changes.
    package mutating func removeWaiting(where isSuperseded: (Change) -> Bool) -> [Entry] {
        let superseded = waiting.filter { isSuperseded($0.change) }
        remove(superseded)
        return superseded
    }
}
