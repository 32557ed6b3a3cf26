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
    /// What the waits before further attempts to reach a service are multiplied by. Other than 1 in tests only.
    package var waitScale: Double

    package init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) },
        localTime: @escaping @Sendable (Timestamp) -> QuietHours.LocalTime = { QuietHours.LocalTime($0) },
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        waitScale: Double = 1
    ) {
        self.now = now
        self.localTime = localTime
        self.clock = clock
        self.jitter = jitter
        self.waitScale = waitScale
    }
}

extension Surroundings {
    /// For tests of the built agent, which would else take minutes: a number from 0.01 to 1. No other program has a reason to set it.
    package static let waitScaleVariable = "FEEDBELL_TEST_WAIT_SCALE"

    /// What the environment says of ``waitScale``; 1 unless that is a number in its range.
    package static func waitScale(environment: [String: String]) -> Double {
        environment[waitScaleVariable].flatMap(Double.init).flatMap { 0.01...1 ~= $0 ? $0 : nil } ?? 1
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
