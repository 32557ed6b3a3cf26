/// The contents that a service last returned, while loads and changes overlap. Of the answers to two loads, that to the
/// later one wins; a part that a change confirmed is not overwritten by the answer to an earlier load.
///
/// Loads and confirmations have numbers of one ``LoadNumbers``.
package struct ConfirmedContents<Contents: Equatable & Sendable, Part: Hashable & Sendable>: Equatable, Sendable {
    package private(set) var contents: Contents
    /// The load whose answer it is.
    package private(set) var load: UInt64
    /// When each part was confirmed: the answers to earlier loads may not contain it.
    private var confirmations: [Part: UInt64] = [:]

    package init(_ contents: Contents, load: UInt64) {
        self.contents = contents
        self.load = load
    }

    /// The answer to another load.
    ///
    /// - Parameter copy: Copies a part of the known contents, which is newer, to the answer.
    package mutating func replace(
        by answer: Contents,
        load: UInt64,
        copy: (_ part: Part, _ known: Contents, _ answer: inout Contents) -> Void
    ) {
        var answer = answer
        for (part, number) in confirmations where number > load { copy(part, contents, &answer) }
        contents = answer
        self.load = load
    }

    /// The service confirmed a change of one part.
    package mutating func confirm(_ part: Part, _ number: UInt64, _ change: (inout Contents) -> Void) {
        confirmations[part] = number
        change(&contents)
    }

    /// Discards the confirmations that the answers to all loads in flight contain.
    package mutating func prune(_ loads: LoadNumbers) {
        confirmations = confirmations.filter { loads.isInFlight(before: $0.value) }
    }
}

/// The numbers of loads and of other events, in the order in which they began.
package struct LoadNumbers: Equatable, Sendable {
    private var last: UInt64 = 0
    private var loads: Set<UInt64> = []

    package init() {}

    package mutating func next() -> UInt64 {
        last += 1
        return last
    }

    package mutating func beginLoad() -> UInt64 {
        let number = next()
        loads.insert(number)
        return number
    }

    /// Returns whether the load was in flight.
    package mutating func endLoad(_ number: UInt64) -> Bool { loads.remove(number) != nil }

    /// The answers to all loads in flight are ignored.
    package mutating func discardLoads() { loads = [] }

    /// Whether a load that is in flight began before the event with this number.
    package func isInFlight(before number: UInt64) -> Bool { loads.contains { $0 < number } }
}
