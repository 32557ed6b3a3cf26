import Basics

/// The calls of ``Preferences/flush()`` in progress: each waits until its changes are confirmed.
struct PendingFlushes: Sendable {
    private struct Flush: Sendable {
        /// The changes not yet confirmed.
        var changes: Set<UInt64>
        var failure: SuprSendError?
        /// The call's present wait for a response.
        var wait: Completion?
    }

    private var flushes: [UInt64: Flush] = [:]
    private var lastID: UInt64 = 0

    mutating func begin(_ changes: Set<UInt64>) -> UInt64 {
        lastID += 1
        flushes[lastID] = Flush(changes: changes)
        return lastID
    }

    /// The changes not yet confirmed.
    func changes(of id: UInt64) -> Set<UInt64> { flushes[id]?.changes ?? [] }

    /// A wait until a request was answered or put back.
    mutating func waitForResponse(_ id: UInt64) -> Completion {
        let wait = Completion()
        flushes[id]?.wait = wait
        return wait
    }

    /// These changes are confirmed, or failed. Wakes every call, also for no changes.
    mutating func finish(_ changes: Set<UInt64>, _ failure: SuprSendError? = nil) {
        for id in flushes.keys {
            if flushes[id]?.changes.isDisjoint(with: changes) == false {
                flushes[id]?.changes.subtract(changes)
                if flushes[id]?.failure == nil { flushes[id]?.failure = failure }
            }
            flushes[id]?.wait?.finish()
        }
    }

    /// Throws the error of the first change that failed, and `cancelled` if some are not confirmed.
    mutating func end(_ id: UInt64) throws(SuprSendError) {
        guard let flush = flushes.removeValue(forKey: id) else { return }
        if let failure = flush.failure { throw failure }
        if !flush.changes.isEmpty { throw .cancelled }
    }
}
