/// The pending changes of preferences. Changes of one target are sent in one request, 1 s after the last change;
/// different targets do not wait for each other. Requests are retried while the service is unreachable or rejects the
/// credentials. A state machine without I/O: its driver has the timers, sends and writes to disk.
package struct PreferenceOutbox: Equatable, Sendable {
    /// A change and its number. Later changes have larger numbers; those of a previous run keep theirs.
    package struct Entry: Hashable, Sendable {
        package var number: Int64
        package var change: PreferenceChange

        package init(number: Int64, change: PreferenceChange) {
            self.number = number
            self.change = change
        }
    }

    /// A started timer. A superseded one is ignored when it fires.
    package struct Timer: Hashable, Sendable { let generation: UInt64 }

    package enum Event: Equatable, Sendable {
        /// Saved changes of a previous run, before any other event. Numbers up to `last` are not reused.
        case restored([Entry], last: Int64)
        /// The user made a change.
        case submitted(PreferenceChange)
        case timerFired(Timer)
        /// The service is reachable again.
        case reachable
        /// A caller waits until all changes made so far are confirmed; they are sent now. `id` identifies the caller.
        case flush(id: UInt64)
        /// The service confirmed these changes.
        case confirmed([Int64])
        /// Sending these changes failed. `jitter` in 0...1 spreads the retries.
        case failed([Int64], ProviderFailure, jitter: Double)
    }

    package enum Effect: Equatable, Sendable {
        /// Save this change on disk, before the user gets a reply and before anything is sent.
        case keep(Entry)
        /// Delete this saved change.
        case forget(Int64)
        /// Send these changes of one target now, in this order.
        case send([Entry])
        /// Deliver `.timerFired` after this time.
        case startTimer(Timer, after: Duration)
        /// The service rejected changes of this target permanently.
        case rejected(PreferenceChange.Target, ProviderFailure)
        /// The result of `.flush`: nil if all changes are confirmed, else the first failure. Failed changes may still
        /// be retried.
        case flushed(id: UInt64, ProviderFailure?)
    }

    /// The debounce interval: how long changes wait for further ones.
    private let delay: Duration

    private struct Flush: Equatable, Sendable {
        var id: UInt64
        /// The changes that are not confirmed yet.
        var numbers: Set<Int64>
        var failure: ProviderFailure?
    }

    /// In the order of their numbers.
    private var entries: [Entry] = []
    /// The numbers of the changes in flight.
    private var inFlight: Set<Int64> = []
    private var lastNumber: Int64 = 0
    /// Runs during the debounce interval or the backoff.
    private var timer: Timer?
    private var lastGeneration: UInt64 = 0
    private var backoff = Backoff()
    private var flushes: [Flush] = []

    /// The last failure, while nothing is sent until the next attempt; nil otherwise.
    package private(set) var obstacle: ProviderFailure?

    /// - Parameter delay: How long changes wait for others of the same request.
    package init(delay: Duration) { self.delay = delay }

    /// The number of pending changes.
    package var count: Int { entries.count }

    /// The pending changes, in order.
    package var changes: [PreferenceChange] { entries.map(\.change) }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .restored(let entries, let last):
            self.entries = entries.sorted { $0.number < $1.number }
            lastNumber = last
            return sendNow()
        case .submitted(let change): return submit(change)
        case .timerFired(let fired): return fired == timer ? sendNow() : []
        case .reachable: return obstacle == nil ? [] : sendNow()
        case .flush(let id):
            flushes.append(Flush(id: id, numbers: Set(entries.map(\.number))))
            return sendNow() + answerFlushes()
        case .confirmed(let numbers):
            let done = take(numbers)
            guard !done.isEmpty else { return [] }
            backoff.reset()
            settle(numbers)
            return forget(done) + sendIfDue() + answerFlushes()
        case .failed(let numbers, let failure, let jitter): return fail(numbers, failure, jitter)
        }
    }

    private mutating func submit(_ change: PreferenceChange) -> [Effect] {
        let earlier = entries.last { $0.change.isSuperseded(after: change) }
        // A repetition is ignored, unless another change of the same target was made in between (for example a channel
        // after its category).
        if let earlier, earlier.change == change,
            !entries.contains(where: { $0.number > earlier.number && $0.change.target == change.target })
        {
            return []
        }
        let superseded = remove { $0.change.isSuperseded(after: change) }
        lastNumber += 1
        let entry = Entry(number: lastNumber, change: change)
        entries.append(entry)
        let effects = forget(superseded) + [.keep(entry)]
        return effects + (obstacle == nil ? [start(after: delay)] : []) + answerFlushes()
    }

    private mutating func fail(_ numbers: [Int64], _ failure: ProviderFailure, _ jitter: Double) -> [Effect] {
        let failed = take(numbers)
        guard let target = failed.first?.change.target else { return [] }
        settle(numbers, failure)
        guard failure.isTransient else {
            backoff.reset()
            return forget(failed) + [.rejected(target, failure)] + sendIfDue() + answerFlushes()
        }
        // Superseded changes are not retried.
        let superseded = failed.filter { old in
            entries.contains { $0.number > old.number && old.change.isSuperseded(after: $0.change) }
        }
        entries = (entries + failed.filter { !superseded.contains($0) }).sorted { $0.number < $1.number }
        let isFirst = obstacle == nil
        obstacle = failure
        // Changes that now wait for the retry count as failed for the waiting flushes.
        settle(entries.map(\.number).filter { !inFlight.contains($0) }, failure)
        let wait = isFirst ? [start(after: backoff.next(jitter: jitter))] : []
        return forget(superseded) + wait + answerFlushes()
    }

    // MARK: Sending

    private mutating func sendNow() -> [Effect] {
        timer = nil
        obstacle = nil
        return sendIfDue()
    }

    /// Sends the changes of targets without a request in flight, unless a timer runs.
    private mutating func sendIfDue() -> [Effect] {
        guard timer == nil else { return [] }
        let busy = Set(entries.filter { inFlight.contains($0.number) }.map(\.change.target))
        var (batches, order) = ([PreferenceChange.Target: [Entry]](), [PreferenceChange.Target]())
        for entry in entries where !busy.contains(entry.change.target) {
            if batches[entry.change.target] == nil { order.append(entry.change.target) }
            batches[entry.change.target, default: []].append(entry)
            inFlight.insert(entry.number)
        }
        return order.map { .send(batches[$0] ?? []) }
    }

    private mutating func start(after delay: Duration) -> Effect {
        lastGeneration += 1
        let new = Timer(generation: lastGeneration)
        timer = new
        return .startTimer(new, after: delay)
    }

    /// Removes changes that are in flight.
    private mutating func take(_ numbers: [Int64]) -> [Entry] {
        let numbers = inFlight.intersection(numbers)
        inFlight.subtract(numbers)
        let taken = entries.filter { numbers.contains($0.number) }
        entries.removeAll { numbers.contains($0.number) }
        return taken
    }

    /// Removes changes that are not in flight.
    private mutating func remove(where isSuperseded: (Entry) -> Bool) -> [Entry] {
        let superseded = entries.filter { !inFlight.contains($0.number) && isSuperseded($0) }
        entries.removeAll { superseded.contains($0) }
        settle(superseded.map(\.number))
        return superseded
    }

    private func forget(_ entries: [Entry]) -> [Effect] { entries.map { .forget($0.number) } }

    // MARK: Flushes

    private mutating func settle(_ numbers: [Int64], _ failure: ProviderFailure? = nil) {
        for index in flushes.indices where !flushes[index].numbers.isDisjoint(with: numbers) {
            flushes[index].numbers.subtract(numbers)
            flushes[index].failure = flushes[index].failure ?? failure
        }
    }

    private mutating func answerFlushes() -> [Effect] {
        let done = flushes.filter(\.numbers.isEmpty)
        flushes.removeAll(where: \.numbers.isEmpty)
        return done.map { .flushed(id: $0.id, $0.failure) }
    }
}
