import FoundationEssentials
import Glibc
package import Inbox
import ServiceKit

/// What the agent takes from outside besides the bus and the network: time and chance.
package struct Surroundings: Sendable {
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// What the clock on the wall shows at a moment, in the person's time zone.
    package var localTime: @Sendable (Timestamp) -> QuietHours.LocalTime
    /// Waiting.
    package var clock: any Clock<Duration>
    /// Uniform in 0...1; spreads retries.
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) },
        localTime: @escaping @Sendable (Timestamp) -> QuietHours.LocalTime = { QuietHours.LocalTime($0) },
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.now = now
        self.localTime = localTime
        self.clock = clock
        self.jitter = jitter
    }
}

extension QuietHours.LocalTime {
    /// In the time zone of the process, as it is now: `/etc/localtime` may have changed.
    init(_ timestamp: Timestamp) {
        var seconds = time_t(timestamp.milliseconds / 1000)
        var local = tm()
        tzset()
        localtime_r(&seconds, &local)
        // Theirs begins with Sunday.
        let weekday = QuietHours.Weekday.allCases[(Int(local.tm_wday) + 6) % 7]
        self.init(weekday: weekday, minute: Int(local.tm_hour * 60 + local.tm_min))
    }
}
