package import FoundationEssentials
import Synchronization

/// The difference between the service's clock and ours, shared by everything that talks to it.
package final class ServiceTime: Sendable {
    private let skew = Mutex(ClockSkew())

    package init() {}

    /// How far the service's clock is ahead, in seconds; nil: no answer has told.
    package var offset: TimeInterval? { skew.withLock { $0.isKnown ? $0.offset : nil } }

    /// The service's time at a moment of our clock.
    package func corrected(_ date: Date) -> Date { date.addingTimeInterval(skew.withLock(\.offset)) }

    /// Our clock was put forward, or back, by so many seconds: the service's was not.
    package func clockWasSet(by change: TimeInterval) { skew.withLock { $0.clockWasSet(by: change) } }

    /// An answer says `date`. It was asked for and received at these moments of our clock.
    package func heard(_ date: Date, asked: Date, received: Date) {
        skew.withLock { $0.heard(date, asked: asked, received: received) }
    }
}
