import Basics
import Synchronization

/// The pause that a service asks for (status 429 with `Retry-After`). It concerns every request of a client, not only
/// the refused one: each request within it may prolong it.
package final class RequestPause: Sendable {
    private let end = Mutex(Duration.zero)
    private let uptime: @Sendable () -> Duration

    package init(clock: any Clock<Duration>) { uptime = clock.stopwatch() }

    /// How long no request may be sent; nil: one may be sent now.
    package var rest: Duration? {
        let rest = end.withLock(\.self) - uptime()
        return rest > .zero ? rest : nil
    }

    /// The service refused a request and asks for a pause. One of more than
    /// ``ReconnectPolicy/longestRefusedDelay`` is shortened.
    package func begin(for duration: Duration) {
        let new = uptime() + min(duration, ReconnectPolicy.longestRefusedDelay)
        end.withLock { $0 = max($0, new) }
    }
}
