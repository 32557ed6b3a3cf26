package import Basics

/// The pending changes of the user, sent one at a time and retried while the service is unreachable. Changes of one
/// notification keep their order; a failing change does not delay changes of other notifications. A change that can be
/// held is sent after a while, unless it is withdrawn. While the service asks for a pause, all wait in their order. A
/// state machine without I/O: its driver has the timers, sends and writes to disk.
package struct Outbox: Equatable, Sendable {
    package typealias Entry = PendingChange<TimestampedChange>

    package enum Event: Equatable, Sendable {
        /// Saved changes of a previous run, before any other event. Numbers up to `last` are not reused. Those in
        /// `holds` are held for these times. The requests of those in `begun`, which had no answer, may still arrive at
        /// the service for these times.
        case restored([Entry], last: Int64, holds: [Int64: Duration] = [:], begun: [Int64: Duration] = [:])
        /// The user made a change. `isOnline`: the service is reachable, so the change may be sent at once.
        case submitted(TimestampedChange, isOnline: Bool)
        /// The user made changes that the service cannot reverse. They are held for this time before they are sent, so
        /// that they can be withdrawn.
        case held([TimestampedChange], for: Duration)
        /// The held changes are sent now.
        case released
        /// These notifications were archived elsewhere: archives of them that are held have nothing to do.
        case archivedElsewhere(Set<NotificationID>)
        /// The user takes changes back. Those that are in flight or not pending stay.
        case withdrawn([Change])
        /// The service confirmed the change in flight.
        case confirmed
        /// Sending the change in flight failed. `jitter` in 0...1 spreads the retries.
        case failed(ServiceFailure, now: Timestamp, jitter: Double)
        /// The service is reachable again.
        case reachable
        case timerFired(OutboxTimer)
    }

    package enum Effect: OutboxEffect {
        /// Save this change on disk, before the caller gets a reply and before anything is sent.
        case keep(Entry)
        /// Delete this saved change.
        case forget(Int64)
        /// Send this change now. `isDelayed`: time has passed since it was made, so there may be newer notifications,
        /// which it does not concern.
        case send(TimestampedChange, isDelayed: Bool)
        /// Deliver `.timerFired` after this time.
        case startTimer(OutboxTimer, after: Duration)
        /// The service rejected this change permanently.
        case rejected(TimestampedChange, ServiceFailure)
    }

    /// The maximum number of pending changes; see ``hasRoom(for:)``.
    package static let limit = 10_000
    /// A change that fails is given up after this time and this number of attempts if the service confirms other
    /// changes meanwhile.
    package static let retryLimit = (age: Duration.seconds(86_400), attempts: 10)
    /// After this number of consecutive failures the service counts as unreachable.
    private static let failuresOfService = 2

    /// The failed attempts to send one change.
    private struct Retry: Equatable, Sendable {
        var attempts = 0
        var backoff = Backoff()
        /// Runs during the backoff.
        var timer: OutboxTimer?
        /// The last failure.
        var failure: ServiceFailure
        /// Whether the service confirmed another change after this one had failed.
        var wasOvertaken = false
    }

    private struct Pause: Equatable, Sendable {
        /// Ends it.
        var timer: OutboxTimer
        /// When the service lets requests in again; nil: it counts as unreachable.
        var requestedEnd: Timestamp?
    }

    private var queue = PendingQueue<TimestampedChange>()
    /// The changes that failed, by number.
    private var retries: [Int64: Retry] = [:]
    private var timers = OutboxTimers()
    /// Consecutive failures.
    private var failuresInARow = 0
    /// Nothing is sent during it.
    private var pause: Pause?
    private var backoff = Backoff()
    /// The changes that are held, by number, and the timers that end it.
    private var holds: [Int64: OutboxTimer] = [:]
    /// The changes whose requests of the previous run may still arrive, by number, and the timers that end it. They are
    /// in flight.
    private var begun: [Int64: OutboxTimer] = [:]
    /// The changes that were removed because the change with this number superseded them. If it is withdrawn, they are
    /// made again.
    private var superseded: [Int64: [TimestampedChange]] = [:]

    package init() {}

    /// The change in flight that this run has sent.
    package var sent: Entry? { queue.inFlight.first { begun[$0.number] == nil } }

    /// ``sent`` without its number.
    package var inFlight: TimestampedChange? { sent?.change }

    /// The end of the pause that the service asks for; nil: none.
    package var pausedUntil: Timestamp? { pause?.requestedEnd }

    /// The number of pending changes.
    package var count: Int { queue.entries.count }

    /// The number of pending changes that are not held.
    package var dueCount: Int { count - holds.count }

    /// The archives that are held.
    package var heldArchives: Set<NotificationID> {
        if holds.isEmpty { return [] }
        return Set(queue.entries.lazy.filter { holds[$0.number] != nil }.compactMap(\.change.change.archived))
    }

    /// The pending changes, in order.
    package var changes: [TimestampedChange] { queue.changes }

    /// The pending changes that are not in flight.
    package var waiting: Set<Change> { Set(queue.waiting.map(\.change.change)) }

    package func isPending(_ number: Int64) -> Bool { queue.entries.contains { $0.number == number } }

    /// The oldest change that is being retried, and its last failure.
    package var obstacle: (change: TimestampedChange, failure: ServiceFailure)? {
        guard !retries.isEmpty else { return nil }
        return queue.entries.lazy.compactMap { entry in retries[entry.number].map { (entry.change, $0.failure) } }.first
    }

    /// Whether `count` more changes can be added.
    package func hasRoom(for count: Int) -> Bool { self.count + count <= Self.limit }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .restored(let entries, let last, let holds, let begun):
            queue.restore(entries, last: last)
            let deadlines = queue.entries(Set(begun.keys)).compactMap { entry in
                begun[entry.number].map { waitOut(entry, for: $0) }
            }
            let held = Dictionary(grouping: entries.map(\.number).filter { holds[$0] != nil }) { holds[$0] }
            let timers = held.compactMap { time, numbers in time.map { hold(numbers, for: $0) } }
            return timers + deadlines + sendNext()
        case .submitted(let change, let isOnline):
            let (number, effects) = add(change)
            return effects + sendNext(undelayed: isOnline ? number : nil)
        case .held(let changes, let time):
            let added = changes.map { add($0) }
            return added.flatMap(\.effects) + [hold(added.map(\.number), for: time)]
        case .released:
            holds = [:]
            return sendNext()
        case .archivedElsewhere(let ids):
            let gone = queue.entries.filter { entry in
                holds[entry.number] != nil && entry.change.change.archived.map(ids.contains) ?? false
            }
            return remove(gone) + sendNext()
        case .withdrawn(let changes): return withdraw(Set(changes)) + sendNext()
        case .confirmed:
            guard let confirmed = sent else { return [] }
            let effects = remove([confirmed])
            for number in retries.keys { retries[number]?.wasOvertaken = true }
            serviceAnswered()
            return effects + sendNext()
        case .failed(let failure, let now, let jitter):
            return fail(failure, now: now, jitter: jitter)
        case .reachable:
            if pausedUntil == nil { pause = nil }
            failuresInARow = 0
            for number in retries.keys { retries[number]?.timer = nil }
            return sendNext()
        case .timerFired(let timer):
            if timer == pause?.timer { pause = nil }
            for number in holds.keys where holds[number] == timer { holds[number] = nil }
            for number in begun.keys where begun[number] == timer {
                begun[number] = nil
                queue.markAnswered([number])
            }
            for number in retries.keys where retries[number]?.timer == timer { retries[number]?.timer = nil }
            return sendNext()
        }
    }

    /// - Returns: The number of the pending change.
    private mutating func add(_ change: TimestampedChange) -> (number: Int64, effects: [Effect]) {
        if let repeated = repeated(change.change) {
            return (repeated.number, [.keep(queue.replace(repeated, by: change))])
        }
        let removed = queue.removeSuperseded(by: change)
        let effects = remove(removed)
        let entry = queue.append(change)
        if !removed.isEmpty { superseded[entry.number] = removed.map(\.change) }
        return (entry.number, effects + [.keep(entry)])
    }

    private mutating func hold(_ numbers: [Int64], for time: Duration) -> Effect {
        let timer = timers.next()
        for number in numbers { holds[number] = timer }
        return .startTimer(timer, after: time)
    }

    /// Waits for the end of a request of the previous run.
    private mutating func waitOut(_ entry: Entry, for time: Duration) -> Effect {
        let timer = timers.next()
        begun[entry.number] = timer
        queue.markSent([entry])
        return .startTimer(timer, after: time)
    }

    private mutating func withdraw(_ changes: Set<Change>) -> [Effect] {
        let withdrawn = queue.waiting.filter { changes.contains($0.change.change) }
        let again = withdrawn.flatMap { superseded[$0.number] ?? [] }
        return remove(withdrawn) + again.flatMap { add($0).effects }
    }

    /// The same change if it is pending and no later one concerns the same notifications. A change in flight does not
    /// count: the service may have performed it before this one was made.
    private func repeated(_ change: Change) -> Entry? {
        let ids = Set(change.ids)
        let last = queue.entries.last { entry in
            let pending = entry.change.change
            return pending == change || !ids.isDisjoint(with: pending.ids) || pending == .allRead
        }
        guard let last, last.change.change == change, !queue.isInFlight(last) else { return nil }
        return last
    }

    private mutating func fail(_ failure: ServiceFailure, now: Timestamp, jitter: Double) -> [Effect] {
        guard let failed = sent else { return [] }
        queue.markAnswered([failed.number])
        var retry = retries[failed.number] ?? Retry(failure: failure)
        retry.attempts += 1
        retry.failure = failure
        let age = failed.change.time.duration(to: now)
        let isGivenUp = retry.wasOvertaken && age >= Self.retryLimit.age && retry.attempts >= Self.retryLimit.attempts
        guard failure.isTransient, !isGivenUp else {
            if !failure.isTransient { serviceAnswered() }
            return remove([failed]) + [.rejected(failed.change, failure)] + sendNext()
        }
        if let time = failure.retryAfter {
            retries[failed.number] = retry
            let end = now.advanced(milliseconds: time.components.seconds * 1000)
            let pause = Pause(timer: timers.next(), requestedEnd: end)
            self.pause = pause
            return [.startTimer(pause.timer, after: time)]
        }
        failuresInARow += 1
        let timer = timers.next()
        retry.timer = timer
        var effects: [Effect] = [.startTimer(timer, after: retry.backoff.next(jitter: jitter))]
        retries[failed.number] = retry
        if failuresInARow >= Self.failuresOfService {
            let pause = Pause(timer: timers.next())
            self.pause = pause
            effects.append(.startTimer(pause.timer, after: backoff.next(jitter: jitter)))
        }
        return effects + sendNext()
    }

    private mutating func serviceAnswered() {
        pause = nil
        failuresInARow = 0
        backoff.reset()
    }

    private mutating func remove(_ entries: [Entry]) -> [Effect] {
        queue.remove(entries)
        for entry in entries {
            (retries[entry.number], holds[entry.number], superseded[entry.number]) = (nil, nil, nil)
        }
        return entries.map { .forget($0.number) }
    }

    /// - Parameter undelayed: The number of a change that is made now. Sent at once, it does not count as delayed.
    private mutating func sendNext(undelayed: Int64? = nil) -> [Effect] {
        guard pause == nil, sent == nil else { return [] }
        let entries = queue.entries
        let unsettled = queue.inFlight.map(\.change.change)
        let next = entries.indices.first { index in
            holds[entries[index].number] == nil && retries[entries[index].number]?.timer == nil
                && !unsettled.contains { $0.concerns(entries[index].change.change) }
                && !entries[..<index].contains { $0.change.change.mustPrecede(entries[index].change.change) }
        }
        guard let next = next.map({ entries[$0] }) else { return [] }
        queue.markSent([next])
        return [.send(next.change, isDelayed: next.number != undelayed)]
    }
}

extension Outbox.Effect {
    package var kept: Outbox.Entry? { if case .keep(let entry) = self { entry } else { nil } }
    package var forgotten: Int64? { if case .forget(let number) = self { number } else { nil } }
}
