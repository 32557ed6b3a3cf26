/// The callers that wait until the service has answered the changes made before their call.
struct PreferenceFlushes: Equatable, Sendable {
    private struct Flush: Equatable, Sendable {
        var id: UInt64
        /// The changes that are not answered yet.
        var numbers: Set<Int64>
        var failure: ServiceFailure?
    }

    private var all: [Flush] = []

    mutating func add(_ id: UInt64, waitingFor changes: [PendingChange<PreferenceChange>]) {
        all.append(Flush(id: id, numbers: Set(changes.map(\.number))))
    }

    /// Ends the wait for these changes. A caller gets its first failure.
    mutating func settle(_ numbers: some Sequence<Int64>, _ failure: ServiceFailure? = nil) {
        for index in all.indices where !all[index].numbers.isDisjoint(with: numbers) {
            all[index].numbers.subtract(numbers)
            all[index].failure = all[index].failure ?? failure
        }
    }

    /// Removes the callers that wait for no further change.
    mutating func takeFinished() -> [(id: UInt64, failure: ServiceFailure?)] {
        let finished = all.filter(\.numbers.isEmpty)
        all.removeAll(where: \.numbers.isEmpty)
        return finished.map { ($0.id, $0.failure) }
    }
}
