import Basics
import Synchronization

/// Delays the requests to the REST API, so that the service does not refuse them: 100 reads and 60 writes a minute
/// (MagicBell's documentation, "Rate limits").
package final class RequestLimiter: Sendable {
    private struct State {
        var reads = RequestLimit(100, per: .seconds(60))
        var writes = RequestLimit(60, per: .seconds(60))

        subscript(isRead isRead: Bool) -> RequestLimit {
            get { isRead ? reads : writes }
            _modify { if isRead { yield &reads } else { yield &writes } }
        }
    }

    /// A request that would wait longer fails at once.
    package static let longestDelay = Duration.seconds(60)

    private let state = Mutex(State())
    private let clock: any Clock<Duration>
    private let uptime: @Sendable () -> Duration

    package init(clock: any Clock<Duration>) {
        self.clock = clock
        uptime = clock.stopwatch()
    }

    /// Waits until a request may be sent. Throws `rateLimited` when that would take longer than ``longestDelay``, and
    /// `cancelled`.
    package func admit(isRead: Bool) async throws(MagicBellError) {
        let now = uptime()
        let reservation = state.withLock { $0[isRead: isRead].reserve(at: now, longestDelay: Self.longestDelay) }
        guard let reservation else {
            let delay = state.withLock { $0[isRead: isRead].nextStart(at: now) } - now
            throw MagicBellError(
                .rateLimited,
                "Too many requests wait for the service's limit; try again later.",
                retryAfter: delay
            )
        }
        guard reservation.start > now else { return }
        do { try await clock.sleep(for: reservation.start - now) } catch {
            state.withLock { $0[isRead: isRead].cancel(reservation) }
            throw .cancelled
        }
    }

    /// The service refused a request and asks for a pause.
    package func pause(isRead: Bool, for duration: Duration) {
        let end = uptime() + duration
        state.withLock { $0[isRead: isRead].pause(until: end) }
    }
}
