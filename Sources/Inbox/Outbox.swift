/// The changes a person made that the service has not confirmed yet, sent one after the other and tried again while the
/// service cannot be reached. Decides only: time, sending and the disk are its driver's.
package struct Outbox: Equatable, Sendable {
    /// A change and its place in the order. Later ones have larger numbers; those of an earlier life of the agent keep theirs.
    package struct Entry: Hashable, Sendable {
        package var number: Int64
        package var made: MadeChange

        package init(number: Int64, made: MadeChange) {
            self.number = number
            self.made = made
        }
    }

    package enum Event: Equatable, Sendable {
        /// Changes of an earlier life that were kept on disk, before any other event. No number up to `last` is given again.
        case restored([Entry], last: Int64)
        /// The person made a change.
        case submitted(MadeChange)
        /// The service confirmed the change in work.
        case confirmed
        /// The service failed on the change in work. `jitter` in 0...1 spreads the retries.
        case failed(ProviderFailure, jitter: Double)
        /// The wait is over, or the service is reachable again.
        case retry
    }

    package enum Effect: Equatable, Sendable {
        /// Keep this change on disk, before the person is answered and before anything is sent.
        case keep(Entry)
        /// This change need not be kept any longer.
        case forget(Int64)
        /// Send this change now.
        case send(MadeChange)
        /// Deliver `.retry` after this time, unless the service is reachable earlier.
        case wait(Duration)
        /// The service refused this change for good.
        case rejected(MadeChange, ProviderFailure)
    }

    /// More changes than this are not to be submitted; see ``hasRoom(for:)``.
    package static let limit = 10_000

    private var waiting: [Entry] = []
    private var entryInWork: Entry?
    private var lastNumber: Int64 = 0
    private var isPaused = false
    private var backoff = Backoff()

    package init() {}

    /// The change that the service is being told of.
    package var inWork: MadeChange? { entryInWork?.made }

    /// How many changes are not confirmed yet.
    package var count: Int { waiting.count + (entryInWork == nil ? 0 : 1) }

    /// The changes that are not confirmed yet, in order.
    package var changes: [MadeChange] { (inWork.map { [$0] } ?? []) + waiting.map(\.made) }

    /// Whether so many more can be kept.
    package func hasRoom(for count: Int) -> Bool { self.count + count <= Self.limit }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .restored(let entries, let last):
            waiting = entries.sorted { $0.number < $1.number }
            lastNumber = last
            return sendNext()
        case .submitted(let made):
            guard !isRepetition(made.change) else { return [] }
            let void = waiting.filter { $0.made.change.isVoid(after: made.change) }.map(\.number)
            waiting.removeAll { $0.made.change.isVoid(after: made.change) }
            lastNumber += 1
            let entry = Entry(number: lastNumber, made: made)
            waiting.append(entry)
            return void.map(Effect.forget) + [.keep(entry)] + sendNext()
        case .confirmed:
            guard let entry = entryInWork else { return [] }
            entryInWork = nil
            backoff.reset()
            return [.forget(entry.number)] + sendNext()
        case .failed(let failure, let jitter):
            guard let entry = entryInWork else { return [] }
            entryInWork = nil
            guard failure.isPassing else {
                backoff.reset()
                return [.forget(entry.number), .rejected(entry.made, failure)] + sendNext()
            }
            waiting.insert(entry, at: 0)
            isPaused = true
            return [.wait(backoff.next(jitter: jitter))]
        case .retry:
            isPaused = false
            return sendNext()
        }
    }

    /// Whether the last change to the same notifications that is on its way is the same one.
    private func isRepetition(_ change: Change) -> Bool {
        let ids = Set(change.ids)
        let last = waiting.last {
            let other = $0.made.change
            return other == change || !ids.isDisjoint(with: other.ids) || other == .allRead
        }
        return (last ?? entryInWork)?.made.change == change
    }

    private mutating func sendNext() -> [Effect] {
        guard entryInWork == nil, !isPaused, !waiting.isEmpty else { return [] }
        let entry = waiting.removeFirst()
        entryInWork = entry
        return [.send(entry.made)]
    }
}

extension Change {
    /// Whether it makes no difference any more once `later` is made: both set the same mark, or the notification is gone then.
    /// What counts something at the service (interacted, seen) is never void.
    fileprivate func isVoid(after later: Change) -> Bool {
        if self == .badgeReset || later == .badgeReset { return self == later }
        guard let mark else { return false }
        if later == .allRead { return mark == .read }
        guard ids == later.ids else { return false }
        if case .delete = later { return true }
        return mark == later.mark
    }

    /// What a change sets one way or the other, however often.
    private enum Mark { case read, archived }

    private var mark: Mark? {
        switch self {
        case .read, .unread, .allRead: .read
        case .archive, .unarchive: .archived
        case .interacted, .seen, .delete, .badgeReset: nil
        }
    }
}
