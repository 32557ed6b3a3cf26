package import FoundationEssentials
import Synchronization

/// The difference between the service's clock and ours, shared by all requests.
package final class ServiceTime: Sendable {
    private let skew = Mutex(ClockSkew())

    package init() {}

    /// How far the service's clock is ahead, in seconds; nil: unknown.
    package var offset: TimeInterval? { skew.withLock { $0.isKnown ? $0.offset : nil } }

    /// The service's time at a moment of our clock.
    package func corrected(_ date: Date) -> Date { date.addingTimeInterval(skew.withLock(\.offset)) }

    /// Our clock was set forward by this many seconds; negative: back. The service's was not.
    package func wallClockChanged(by change: TimeInterval) { skew.withLock { $0.wallClockChanged(by: change) } }

    /// A response has this `date`; the request was `sent` at this time by our clock.
    package func record(_ date: Date, sent: Date, received: Date) {
        skew.withLock { $0.record(date, sent: sent, received: received) }
    }
}
