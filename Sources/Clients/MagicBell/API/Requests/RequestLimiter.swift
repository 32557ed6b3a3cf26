import Basics
import Synchronization

/// How many requests to the REST API the service accepts in a minute.
package struct RequestLimits: Sendable, Hashable {
    /// Requests that read (GET), at least 1.
    package var reads: Int
    /// All others, at least 1.
    package var writes: Int

    package init(reads: Int, writes: Int) {
        self.reads = reads
        self.writes = writes
    }

    /// MagicBell's documentation, "Rate limits".
    package static let documented = RequestLimits(reads: 100, writes: 60)
}

/// Delays the requests to the REST API, so that the service does not refuse them.
package final class RequestLimiter: Sendable {
    private struct State {
        var reads: RequestLimit
        var writes: RequestLimit

        subscript(isRead isRead: Bool) -> RequestLimit {
            get { isRead ? reads : writes }
            set { if isRead { reads = newValue } else { writes = newValue } }
        }
    }

    /// A request that would wait longer fails at once.
    package static let longestDelay = Duration.seconds(60)

    private let state: Mutex<State>
    private let clock: any Clock<Duration>
    private let uptime: @Sendable () -> Duration

    package init(_ limits: RequestLimits = .documented, clock: any Clock<Duration>) {
        state = Mutex(
            State(
                reads: RequestLimit(limits.reads, per: .seconds(60)),
                writes: RequestLimit(limits.writes, per: .seconds(60))
            )
        )
        self.clock = clock
        uptime = clock.stopwatch()
    }

    /// Waits until a request may be sent. Throws `rateLimited` when that would take longer than ``longestDelay``, and
    /// `cancelled`.
    package func admit(isRead: Bool) async throws(MagicBellError) {
        let now = uptime()
        let (reservation, start) = state.withLock { state in
            let start = state[isRead: isRead].nextStart(at: now)
            return (state[isRead: isRead].reserve(at: now, longestDelay: Self.longestDelay), start)
        }
        guard let reservation else {
            throw MagicBellError(
                .rateLimited,
                "Too many requests wait for the service's limit; try again later.",
                retryAfter: start - now
            )
        }
        guard reservation.start > now else { return }
        do { try await clock.sleep(for: reservation.start - now) } catch {
            state.withLock { $0[isRead: isRead].cancel(reservation) }
            throw .cancelled
        }
    }
}
