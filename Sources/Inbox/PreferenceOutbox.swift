/// The preferences a person changed that the service has not confirmed yet. Those of one target go in one request, some time after the
/// last change; those of different targets do not wait for each other. Tried again while the service cannot be reached or does not accept
/// the credentials. Decides only: time, sending and the disk are its driver's.
package struct PreferenceOutbox: Equatable, Sendable {
    /// A change and its place in the order. Later ones have larger numbers; those of an earlier life of the agent keep theirs.
    package struct Entry: Hashable, Sendable {
        package var number: Int64
        package var change: PreferenceChange

        package init(number: Int64, change: PreferenceChange) {
            self.number = number
            self.change = change
        }
    }

    /// A timer that was begun. One that is no longer current means nothing when it fires.
    package struct Timer: Hashable, Sendable { let generation: UInt64 }

    package enum Event: Equatable, Sendable {
        /// Changes of an earlier life that were kept on disk, before any other event. No number up to `last` is given again.
        case restored([Entry], last: Int64)
        /// The person made a change.
        case submitted(PreferenceChange)
        case timerFired(Timer)
        /// The service is reachable again.
        case reachable
        /// Somebody waits until all changes made so far are confirmed; they are sent now. `id` is the caller's choice.
        case flush(id: UInt64)
        /// The service confirmed these changes.
        case confirmed([Int64])
        /// The service failed on these changes. `jitter` in 0...1 spreads the retries.
        case failed([Int64], ProviderFailure, jitter: Double)
    }

    package enum Effect: Equatable, Sendable {
        /// Keep this change on disk, before the person is answered and before anything is sent.
        case keep(Entry)
        /// This change need not be kept any longer.
        case forget(Int64)
        /// Send these changes of one target now, in this order.
        case send([Entry])
        /// Deliver `.timerFired` after this time.
        case startTimer(Timer, after: Duration)
        /// The service refused changes of this target for good.
        case rejected(PreferenceChange.Target, ProviderFailure)
        /// What `.flush` asked for: nil when all is confirmed, else the first failure. What failed may be tried again all the same.
        case flushed(id: UInt64, ProviderFailure?)
    }

    /// How long changes wait for more of them.
    private let delay: Duration

    private struct Flush: Equatable, Sendable {
        var id: UInt64
        /// Not answered yet.
        var numbers: Set<Int64>
        var failure: ProviderFailure?
    }

    /// In order.
    private var entries: [Entry] = []
    /// The numbers of those that the service is being told of.
    private var inWork: Set<Int64> = []
    private var lastNumber: Int64 = 0
    /// Runs while more changes are waited for, or the service is.
    private var timer: Timer?
    private var lastGeneration: UInt64 = 0
    private var backoff = Backoff()
    private var flushes: [Flush] = []

    /// Why nothing is sent until the next attempt; nil when nothing holds it up.
    package private(set) var obstacle: ProviderFailure?

    /// - Parameter delay: How long changes wait for others of the same request.
    package init(delay: Duration) { self.delay = delay }

    /// How many changes are not confirmed yet.
    package var count: Int { entries.count }

    /// The changes that are not confirmed yet, in order.
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
        let earlier = entries.last { $0.change.isVoid(after: change) }
        // A repetition adds nothing, unless something else was changed in between: a channel after its category, say.
        if let earlier, earlier.change == change,
            !entries.contains(where: { $0.number > earlier.number && $0.change.target == change.target })
        {
            return []
        }
        let void = remove { $0.change.isVoid(after: change) }
        lastNumber += 1
        let entry = Entry(number: lastNumber, change: change)
        entries.append(entry)
        let effects = forget(void) + [.keep(entry)]
        return effects + (obstacle == nil ? [start(after: delay)] : []) + answerFlushes()
    }

    private mutating func fail(_ numbers: [Int64], _ failure: ProviderFailure, _ jitter: Double) -> [Effect] {
        let failed = take(numbers)
        guard let target = failed.first?.change.target else { return [] }
        settle(numbers, failure)
        guard failure.isPassing else {
            backoff.reset()
            return forget(failed) + [.rejected(target, failure)] + sendIfDue() + answerFlushes()
        }
        // What was changed again meanwhile need not be tried again.
        let void = failed.filter { old in
            entries.contains { $0.number > old.number && old.change.isVoid(after: $0.change) }
        }
        entries = (entries + failed.filter { !void.contains($0) }).sorted { $0.number < $1.number }
        let isFirst = obstacle == nil
        obstacle = failure
        // Nobody waits in vain for what has to wait now.
        settle(entries.map(\.number).filter { !inWork.contains($0) }, failure)
        let wait = isFirst ? [start(after: backoff.next(jitter: jitter))] : []
        return forget(void) + wait + answerFlushes()
    }

    // MARK: Sending

    private mutating func sendNow() -> [Effect] {
        timer = nil
        obstacle = nil
        return sendIfDue()
    }

    /// Sends what nothing is waited for, of targets that are not being sent.
    private mutating func sendIfDue() -> [Effect] {
        guard timer == nil else { return [] }
        let busy = Set(entries.filter { inWork.contains($0.number) }.map(\.change.target))
        var (batches, order) = ([PreferenceChange.Target: [Entry]](), [PreferenceChange.Target]())
        for entry in entries where !busy.contains(entry.change.target) {
            if batches[entry.change.target] == nil { order.append(entry.change.target) }
            batches[entry.change.target, default: []].append(entry)
            inWork.insert(entry.number)
        }
        return order.map { .send(batches[$0] ?? []) }
    }

    private mutating func start(after delay: Duration) -> Effect {
        lastGeneration += 1
        let new = Timer(generation: lastGeneration)
        timer = new
        return .startTimer(new, after: delay)
    }

    /// Takes changes out of work.
    private mutating func take(_ numbers: [Int64]) -> [Entry] {
        let numbers = inWork.intersection(numbers)
        inWork.subtract(numbers)
        let taken = entries.filter { numbers.contains($0.number) }
        entries.removeAll { numbers.contains($0.number) }
        return taken
    }

    /// Removes changes that are not in work.
    private mutating func remove(where isVoid: (Entry) -> Bool) -> [Entry] {
        let void = entries.filter { !inWork.contains($0.number) && isVoid($0) }
        entries.removeAll { void.contains($0) }
        settle(void.map(\.number))
        return void
    }

    private func forget(_ entries: [Entry]) -> [Effect] { entries.map { .forget($0.number) } }

    // MARK: Who waits for it

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
