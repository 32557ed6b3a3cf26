package import Basics

/// The pending changes of the user, sent one at a time and retried while the service is unreachable. Changes of one
/// notification keep their order; a failing change does not delay changes of other notifications. A state machine
/// without I/O: its driver has the timers, sends and writes to disk.
package struct Outbox: Equatable, Sendable {
    /// A change and its number. Later changes have larger numbers; those of a previous run keep theirs.
    package struct Entry: Hashable, Sendable {
        package var number: Int64
        package var made: TimestampedChange

        package init(number: Int64, made: TimestampedChange) {
            self.number = number
            self.made = made
        }
    }

    /// A started timer. A superseded one is ignored when it fires.
    package struct Wait: Hashable, Sendable { let generation: UInt64 }

    package enum Event: Equatable, Sendable {
        /// Saved changes of a previous run, before any other event. Numbers up to `last` are not reused.
        case restored([Entry], last: Int64)
        /// The user made a change. `isOnline`: the service is reachable, so the change may be sent at once.
        case submitted(TimestampedChange, isOnline: Bool)
        /// The service confirmed the change in flight.
        case confirmed
        /// Sending the change in flight failed. `jitter` in 0...1 spreads the retries.
        case failed(ProviderFailure, now: Timestamp, jitter: Double)
        /// The service is reachable again.
        case reachable
        /// A timer fired.
        case fired(Wait)
    }

    package enum Effect: Equatable, Sendable {
        /// Save this change on disk, before the caller gets a reply and before anything is sent.
        case keep(Entry)
        /// Delete this saved change.
        case forget(Int64)
        /// Send this change now. `isDelayed`: time has passed since it was made, so there may be newer notifications,
        /// which it does not concern.
        case send(TimestampedChange, isDelayed: Bool)
        /// Deliver `.fired` after this time.
        case wait(Wait, Duration)
        /// The service rejected this change permanently.
        case rejected(TimestampedChange, ProviderFailure)
    }

    /// The maximum number of pending changes; see ``hasRoom(for:)``.
    package static let limit = 10_000
    /// A change that fails is given up after this time and this number of attempts if the service confirms other
    /// changes meanwhile.
    package static let retryLimit = (age: Duration.seconds(86_400), attempts: 10)
    /// After this number of consecutive failures the service counts as unreachable.
    private static let failuresOfService = 2

    private struct Pending: Equatable, Sendable {
        enum State: Equatable, Sendable { case ready, inFlight, backingOff(Wait) }

        var entry: Entry
        var state = State.ready
        var isDelayed: Bool
        var attempts = 0
        var backoff = Backoff()
        /// The last failure.
        var failure: ProviderFailure?
        /// Whether the service confirmed another change after this one had failed.
        var wasOvertaken = false

        var change: Change { entry.made.change }
    }

    /// In the order of their numbers.
    private var pending: [Pending] = []
    private var lastNumber: Int64 = 0
    private var lastGeneration: UInt64 = 0
    /// Consecutive failures.
    private var failuresInARow = 0
    /// Set while the service counts as unreachable: nothing is sent until this timer fires.
    private var hold: Wait?
    private var backoff = Backoff()

    package init() {}

    /// The change in flight.
    package var inFlight: TimestampedChange? { pending.first { $0.state == .inFlight }?.entry.made }

    /// The number of pending changes.
    package var count: Int { pending.count }

    /// The pending changes, in order.
    package var changes: [TimestampedChange] { pending.map(\.entry.made) }

    /// The oldest change that is being retried, and its last failure.
    package var obstacle: (made: TimestampedChange, failure: ProviderFailure)? {
        pending.lazy.compactMap { pending in pending.failure.map { (pending.entry.made, $0) } }.first
    }

    /// Whether `count` more changes can be added.
    package func hasRoom(for count: Int) -> Bool { self.count + count <= Self.limit }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .restored(let entries, let last):
            pending = entries.sorted { $0.number < $1.number }.map { Pending(entry: $0, isDelayed: true) }
            lastNumber = last
            return sendNext()
        case .submitted(let made, let isOnline):
            return submit(made, isOnline: isOnline)
        case .confirmed:
            guard let index = indexInFlight else { return [] }
            let done = pending.remove(at: index)
            for index in pending.indices where pending[index].attempts > 0 { pending[index].wasOvertaken = true }
            serviceAnswered()
            return [.forget(done.entry.number)] + sendNext()
        case .failed(let failure, let now, let jitter):
            return fail(failure, now: now, jitter: jitter)
        case .reachable:
            hold = nil
            failuresInARow = 0
            for index in pending.indices where pending[index].state != .inFlight { pending[index].state = .ready }
            return sendNext()
        case .fired(let wait):
            if wait == hold { hold = nil }
            for index in pending.indices where pending[index].state == .backingOff(wait) {
                pending[index].state = .ready
            }
            return sendNext()
        }
    }

    private var indexInFlight: Int? { pending.firstIndex { $0.state == .inFlight } }

    private mutating func submit(_ made: TimestampedChange, isOnline: Bool) -> [Effect] {
        if let index = repeatedIndex(of: made.change) {
            pending[index].entry.made = made
            return [.keep(pending[index].entry)]
        }
        let superseded = pending.filter { $0.state != .inFlight && $0.change.isSuperseded(by: made.change) }
            .map(\.entry.number)
        pending.removeAll { superseded.contains($0.entry.number) }
        lastNumber += 1
        let entry = Entry(number: lastNumber, made: made)
        pending.append(Pending(entry: entry, isDelayed: !isOnline))
        let effects = superseded.map(Effect.forget) + [.keep(entry)] + sendNext()
        // A change that is not sent at once counts as delayed.
        if let last = pending.indices.last, pending[last].state == .ready { pending[last].isDelayed = true }
        return effects
    }

    /// The index of the same change if it is pending and no later one concerns the same notifications. A change in
    /// flight does not count: the service may have performed it before this one was made.
    private func repeatedIndex(of change: Change) -> Int? {
        let ids = Set(change.ids)
        let last = pending.lastIndex {
            $0.change == change || !ids.isDisjoint(with: $0.change.ids) || $0.change == .allRead
        }
        guard let last, pending[last].change == change, pending[last].state != .inFlight else { return nil }
        return last
    }

    private mutating func fail(_ failure: ProviderFailure, now: Timestamp, jitter: Double) -> [Effect] {
        guard let index = indexInFlight else { return [] }
        pending[index].attempts += 1
        pending[index].isDelayed = true
        pending[index].failure = failure
        let failed = pending[index]
        let age = failed.entry.made.time.duration(to: now)
        let isGivenUp =
            failed.wasOvertaken && age >= Self.retryLimit.age && failed.attempts >= Self.retryLimit.attempts
        guard failure.isTransient, !isGivenUp else {
            pending.remove(at: index)
            if !failure.isTransient { serviceAnswered() }
            return [.forget(failed.entry.number), .rejected(failed.entry.made, failure)] + sendNext()
        }
        failuresInARow += 1
        let wait = nextWait()
        pending[index].state = .backingOff(wait)
        var effects: [Effect] = [.wait(wait, pending[index].backoff.next(jitter: jitter))]
        if failuresInARow >= Self.failuresOfService {
            let hold = nextWait()
            self.hold = hold
            effects.append(.wait(hold, backoff.next(jitter: jitter)))
        }
        return effects + sendNext()
    }

    private mutating func serviceAnswered() {
        hold = nil
        failuresInARow = 0
        backoff.reset()
    }

    private mutating func nextWait() -> Wait {
        lastGeneration += 1
        return Wait(generation: lastGeneration)
    }

    private mutating func sendNext() -> [Effect] {
        guard hold == nil, indexInFlight == nil else { return [] }
        let next = pending.indices.first { index in
            pending[index].state == .ready
                && !pending[..<index].contains { $0.change.mustPrecede(pending[index].change) }
        }
        guard let next else { return [] }
        pending[next].state = .inFlight
        return [.send(pending[next].entry.made, isDelayed: pending[next].isDelayed)]
    }
}

extension Change {
    /// Whether `later` supersedes this change: both set the same mark, or `later` deletes the notification. Changes
    /// that the service counts (interacted, seen) are never superseded.
    fileprivate func isSuperseded(by later: Change) -> Bool {
        if self == .badgeReset || later == .badgeReset { return self == later }
        guard let mark else { return false }
        if later == .allRead { return mark == .read }
        guard ids == later.ids else { return false }
        if case .delete = later { return true }
        return mark == later.mark
    }

    /// A state that changes set or clear.
    private enum Mark { case read, archived }

    private var mark: Mark? {
        switch self {
        case .read, .unread, .allRead: .read
        case .archive, .unarchive: .archived
        case .interacted, .seen, .delete, .badgeReset: nil
        }
    }

    /// Whether `later` must wait until this change is answered, because the service keeps the state of the last one.
    fileprivate func mustPrecede(_ later: Change) -> Bool {
        switch (self, later) {
        case (.unread, .allRead), (.allRead, .unread): return true
        default: break
        }
        guard !Set(ids).isDisjoint(with: later.ids) else { return false }
        return switch (self, later) {
        case (.delete, _), (_, .delete): true
        case (.unread, .read), (.unread, .interacted), (.read, .unread), (.interacted, .unread): true
        case (.archive, .unarchive), (.unarchive, .archive): true
        default: false
        }
    }
}
