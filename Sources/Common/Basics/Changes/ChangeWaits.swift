/// The callers that wait until the changes made before their call are answered.
package struct ChangeWaits<Failure: Equatable & Sendable>: Equatable, Sendable {
    private struct Wait: Equatable, Sendable {
        /// The changes that are not answered yet.
        var numbers: Set<Int64>
        var failure: Failure?
    }

    private var waits: [UInt64: Wait] = [:]

    package init() {}

    package mutating func add(_ id: UInt64, for numbers: some Sequence<Int64>) {
        waits[id] = Wait(numbers: Set(numbers))
    }

    /// The changes that a caller still waits for.
    package func numbers(of id: UInt64) -> Set<Int64> { waits[id]?.numbers ?? [] }

    /// Ends the wait for these changes. A caller gets its first failure.
    package mutating func settle(_ numbers: some Sequence<Int64>, _ failure: Failure? = nil) {
        for (id, wait) in waits where !wait.numbers.isDisjoint(with: numbers) {
            waits[id] = Wait(numbers: wait.numbers.subtracting(numbers), failure: wait.failure ?? failure)
        }
    }

    /// Removes a caller.
    ///
    /// - Returns: Its failure, and whether it waits for no further change.
    package mutating func remove(_ id: UInt64) -> (failure: Failure?, isFinished: Bool) {
        let wait = waits.removeValue(forKey: id)
        return (wait?.failure, wait?.numbers.isEmpty ?? true)
    }

    /// Removes the callers that wait for no further change, in the order of their ids.
    package mutating func takeFinished() -> [(id: UInt64, failure: Failure?)] {
        let finished = waits.filter(\.value.numbers.isEmpty)
        for id in finished.keys { waits[id] = nil }
        return finished.sorted { $0.key < $1.key }.map { ($0.key, $0.value.failure) }
    }
}
