package import Basics

/// The pending changes of preferences. Changes of one target are sent in one request, 1 s after the last change;
/// different targets do not wait for each other. Requests are retried while the service is unreachable or rejects the
/// credentials. A state machine without I/O: its driver has the timers, sends and writes to disk.
package struct PreferenceOutbox: Equatable, Sendable {
    package typealias Entry = PendingChange<PreferenceChange>

    package enum Event: Equatable, Sendable {
        /// Saved changes of a previous run, before any other event. Numbers up to `last` are not reused.
        case restored([Entry], last: Int64)
        /// The user made a change.
        case submitted(PreferenceChange)
        case timerFired(OutboxTimer)
        /// The service is reachable again.
        case reachable
        /// A caller waits until all changes made so far are confirmed; they are sent now. `id` identifies the caller.
        case flush(id: UInt64)
        /// The service confirmed these changes.
        case confirmed([Int64])
        /// Sending these changes failed. `jitter` in 0...1 spreads the retries.
        case failed([Int64], ServiceFailure, jitter: Double)
    }

    package enum Effect: OutboxEffect {
        /// Save this change on disk, before the user gets a reply and before anything is sent.
        case keep(Entry)
        /// Delete this saved change.
        case forget(Int64)
        /// Send these changes of one target now, in this order.
        case send([Entry])
        /// Deliver `.timerFired` after this time.
        case startTimer(OutboxTimer, after: Duration)
        /// The service rejected changes of this target permanently.
        case rejected(PreferenceChange.Target, ServiceFailure)
        /// The result of `.flush`: nil if all changes are confirmed, else the first failure. Failed changes may still
        /// be retried.
        case flushed(id: UInt64, ServiceFailure?)
    }

    /// The debounce interval: how long changes wait for further ones.
    private let delay: Duration

    private var queue = PendingQueue<PreferenceChange>()
    private var timers = OutboxTimers()
    /// Runs during the debounce interval or the backoff; nothing is sent until it fires.
    private var timer: OutboxTimer?
    private var backoff = Backoff()
    private var flushes = ChangeWaits<ServiceFailure>()

    /// The last failure, while nothing is sent until the next attempt; nil otherwise.
    package private(set) var obstacle: ServiceFailure?

    /// - Parameter delay: How long changes wait for others of the same request.
    package init(delay: Duration) { self.delay = delay }

    /// The number of pending changes.
    package var count: Int { queue.entries.count }

    /// The pending changes with their numbers, in order.
    var entries: [Entry] { queue.entries }

    /// The pending changes, in order.
    package var changes: [PreferenceChange] { queue.changes }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .restored(let entries, let last):
            queue.restore(entries, last: last)
            return sendNow()
        case .submitted(let change): return submit(change)
        case .timerFired(let fired): return fired == timer ? sendNow() : []
        case .reachable: return obstacle == nil ? [] : sendNow()
        case .flush(let id):
            flushes.add(id, for: queue.entries.map(\.number))
            return sendNow() + answerFlushes()
        case .confirmed(let numbers):
            let confirmed = queue.markAnswered(numbers)
            guard !confirmed.isEmpty else { return [] }
            backoff.reset()
            flushes.settle(numbers)
            return remove(confirmed) + sendIfDue() + answerFlushes()
        case .failed(let numbers, let failure, let jitter): return fail(numbers, failure, jitter)
        }
    }

    private mutating func submit(_ change: PreferenceChange) -> [Effect] {
        let earlier = queue.entries.last { $0.change.isSuperseded(by: change) }
        // A repetition is ignored, unless another change of the same target was made in between (for example a channel
        // after its category).
        if let earlier, earlier.change == change,
            !queue.entries.contains(where: { $0.number > earlier.number && $0.change.target == change.target })
        {
            return []
        }
        let superseded = queue.removeSuperseded(by: change)
        flushes.settle(superseded.map(\.number))
        let effects = superseded.map { Effect.forget($0.number) } + [.keep(queue.append(change))]
        return effects + (obstacle == nil ? [startTimer(after: delay)] : []) + answerFlushes()
    }

    private mutating func fail(_ numbers: [Int64], _ failure: ServiceFailure, _ jitter: Double) -> [Effect] {
        let failed = queue.markAnswered(numbers)
        guard let target = failed.first?.change.target else { return [] }
        flushes.settle(numbers, failure)
        guard failure.isTransient else {
            backoff.reset()
            return remove(failed) + [.rejected(target, failure)] + sendIfDue() + answerFlushes()
        }
        // Superseded changes are not retried.
        let superseded = failed.filter { old in
            queue.entries.contains { $0.number > old.number && old.change.isSuperseded(by: $0.change) }
        }
        var effects = remove(superseded)
        // Changes that now wait for the retry count as failed for the waiting flushes.
        flushes.settle(queue.waiting.map(\.number), failure)
        if obstacle == nil { effects.append(startTimer(after: backoff.next(jitter: jitter))) }
        obstacle = failure
        return effects + answerFlushes()
    }

    private mutating func sendNow() -> [Effect] {
        timer = nil
        obstacle = nil
        return sendIfDue()
    }

    /// Sends the changes of targets without a request in flight, unless a timer runs.
    private mutating func sendIfDue() -> [Effect] {
        guard timer == nil else { return [] }
        let busy = Set(queue.inFlight.map(\.change.target))
        let ready = queue.entries.filter { !busy.contains($0.change.target) }
        queue.markSent(ready)
        let batches = Dictionary(grouping: ready, by: \.change.target).values
        return batches.sorted { $0[0].number < $1[0].number }.map(Effect.send)
    }

    private mutating func startTimer(after delay: Duration) -> Effect {
        let new = timers.next()
        timer = new
        return .startTimer(new, after: delay)
    }

    private mutating func remove(_ entries: [Entry]) -> [Effect] {
        queue.remove(entries)
        return entries.map { .forget($0.number) }
    }

    private mutating func answerFlushes() -> [Effect] {
        flushes.takeFinished().map { .flushed(id: $0.id, $0.failure) }
    }
}

extension PreferenceOutbox.Effect {
    package var kept: PreferenceOutbox.Entry? { if case .keep(let entry) = self { entry } else { nil } }
    package var forgotten: Int64? { if case .forget(let number) = self { number } else { nil } }
}
