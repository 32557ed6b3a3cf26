import Basics
import Synchronization

/// The pauses that a service asks for (status 429 with `Retry-After`). After a refused read, no request of a client is
/// sent: each one within the pause may prolong it. After a refused write only writes wait, so that new notifications
/// still arrive.
package final class RequestPause: Sendable {
    private let ends = Mutex((all: Duration.zero, writes: Duration.zero))
    private let uptime: @Sendable () -> Duration

    package init(clock: any Clock<Duration>) { uptime = clock.stopwatch() }

    /// How long a request may not be sent; nil: it may be sent now.
    package func rest(isRead: Bool) -> Duration? {
        let rest = ends.withLock { isRead ? $0.all : max($0.all, $0.writes) } - uptime()
        return rest > .zero ? rest : nil
    }

    /// The service refused a request and asks for a pause. One of more than
    /// ``ReconnectPolicy/longestRefusedDelay`` is shortened.
    package func begin(for duration: Duration, isRead: Bool) {
        let new = uptime() + min(duration, ReconnectPolicy.longestRefusedDelay)
        ends.withLock { ends in
            if isRead { ends.all = max(ends.all, new) } else { ends.writes = max(ends.writes, new) }
        }
    }
}
