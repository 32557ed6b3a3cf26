/// The changes a person made that the service has not confirmed yet, sent one after the other and tried again while the
/// service cannot be reached. Decides only: time and sending are its driver's.
package struct Outbox: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
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
        /// Send this change now.
        case send(MadeChange)
        /// Deliver `.retry` after this time, unless the service is reachable earlier.
        case wait(Duration)
        /// The service refused this change for good.
        case rejected(MadeChange, ProviderFailure)
    }

    /// More changes than this are not to be submitted; see ``hasRoom(for:)``.
    package static let limit = 10_000
    /// The first wait; it doubles up to `longestWait`.
    package static let shortestWait = 1.0
    package static let longestWait = 300.0

    private var waiting: [MadeChange] = []
    /// The change that the service is being told of.
    package private(set) var inWork: MadeChange?
    private var isPaused = false
    private var attempts = 0

    package init() {}

    /// How many changes are not confirmed yet.
    package var count: Int { waiting.count + (inWork == nil ? 0 : 1) }

    /// The changes that are not confirmed yet, in order.
    package var changes: [MadeChange] { (inWork.map { [$0] } ?? []) + waiting }

    /// Whether so many more can be kept.
    package func hasRoom(for count: Int) -> Bool { self.count + count <= Self.limit }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .submitted(let change):
            guard !isRepetition(change.change) else { return [] }
            waiting.append(change)
            return sendNext()
        case .confirmed:
            inWork = nil
            attempts = 0
            return sendNext()
        case .failed(let failure, let jitter):
            guard let change = inWork else { return [] }
            inWork = nil
            switch failure.kind {
            case .rejected, .notFound, .unsupported, .notEditable:
                attempts = 0
                return [.rejected(change, failure)] + sendNext()
            case .transient, .unauthorized:
                waiting.insert(change, at: 0)
                isPaused = true
                attempts += 1
                return [.wait(delay(jitter: jitter))]
            }
        case .retry:
            isPaused = false
            return sendNext()
        }
    }

    /// Whether the last change to the same notifications that is on its way is the same one.
    private func isRepetition(_ change: Change) -> Bool {
        let ids = Set(change.ids)
        let last = waiting.last {
            $0.change == change || !ids.isDisjoint(with: $0.change.ids) || $0.change == .allRead
        }
        return (last ?? inWork)?.change == change
    }

    private mutating func sendNext() -> [Effect] {
        guard inWork == nil, !isPaused, !waiting.isEmpty else { return [] }
        let change = waiting.removeFirst()
        inWork = change
        return [.send(change)]
    }

    private func delay(jitter: Double) -> Duration {
        let longest = min(Self.longestWait, Self.shortestWait * Double(1 << min(attempts - 1, 16)))
        return .milliseconds(Int64((0.5 + 0.5 * min(max(jitter, 0), 1)) * longest * 1000))
    }
}
