/// The changes a person made that the service has not confirmed yet, sent one after the other and tried again while the
/// service cannot be reached. Decides only: time and sending are its driver's.
package struct Outbox: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// The person made a change.
        case submitted(Change)
        /// The service confirmed the change in work.
        case confirmed
        /// The service failed on the change in work. `jitter` in 0...1 spreads the retries.
        case failed(ProviderFailure, jitter: Double)
        /// The wait is over, or the service is reachable again.
        case retry
    }

    package enum Effect: Equatable, Sendable {
        /// Send this change now.
        case send(Change)
        /// Deliver `.retry` after this time, unless the service is reachable earlier.
        case wait(Duration)
        /// The service refused this change for good.
        case rejected(Change, ProviderFailure)
        /// So many changes had to be given up because more than `limit` were waiting.
        case dropped(Change)
    }

    /// More changes than this are not kept; the oldest waiting one is given up.
    package static let limit = 10_000
    /// The first wait; it doubles up to `longestWait`.
    package static let shortestWait = 1.0
    package static let longestWait = 300.0

    private var waiting: [Change] = []
    private var inWork: Change?
    private var isPaused = false
    private var attempts = 0

    package init() {}

    /// How many changes are not confirmed yet.
    package var count: Int { waiting.count + (inWork == nil ? 0 : 1) }

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .submitted(let change):
            guard change != inWork, !waiting.contains(change) else { return [] }
            waiting.append(change)
            guard waiting.count > Self.limit else { return sendNext() }
            return [.dropped(waiting.removeFirst())] + sendNext()
        case .confirmed:
            inWork = nil
            attempts = 0
            return sendNext()
        case .failed(let failure, let jitter):
            guard let change = inWork else { return [] }
            inWork = nil
            switch failure.kind {
            case .rejected, .notFound, .unsupported:
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
