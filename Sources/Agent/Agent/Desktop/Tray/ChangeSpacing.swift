/// Limits how often changes are announced: the first one at once, the following ones together after an interval.
package struct ChangeSpacing: Sendable {
    package enum Step: Equatable, Sendable {
        case announce
        /// Announce after this time.
        case wait(Duration)
    }

    private enum Phase: Sendable {
        case idle
        case announced(at: Duration)
        case waiting
    }

    private let interval: Duration
    private var phase = Phase.idle

    package init(interval: Duration) { self.interval = interval }

    /// Something changed.
    ///
    /// - Parameter now: The time on a monotonic clock.
    /// - Returns: nil: a time that is running includes the change.
    package mutating func change(at now: Duration) -> Step? {
        switch phase {
        case .waiting: return nil
        case .announced(let last):
            let rest = interval - (now - last)
            if rest > .zero {
                phase = .waiting
                return .wait(rest)
            }
        case .idle: break
        }
        phase = .announced(at: now)
        return .announce
    }

    /// The time of ``Step/wait(_:)`` is over: the changes are announced now.
    package mutating func waited(until now: Duration) { phase = .announced(at: now) }
}
