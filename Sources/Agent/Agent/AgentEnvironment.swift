package import Basics
import FoundationEssentials
import Glibc
package import Inbox
import ProgramKit

/// The agent's sources of time and randomness, replaceable in tests.
package struct AgentEnvironment: Sendable {
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// Converts a time to weekday and minute in the user's time zone.
    package var localTime: @Sendable (Timestamp) -> WeeklyHours.LocalTime
    /// The file of the time zone. After a change of it, ``localTime`` returns other times.
    package var timeZoneFile: String
    /// The clock of delays and timeouts.
    package var clock: any Clock<Duration>
    /// The time since the environment was made, on ``clock``.
    package let uptime: @Sendable () -> Duration
    /// A random number, uniform in 0 ... 1, for the delays of retries.
    package var jitter: @Sendable () -> Double
    /// The scale of the delays between attempts to connect to a service. 1 except in tests.
    package var waitScale: Double
    let replyLimits: ReplyLimits

    /// - Parameter replySize: The maximum size of the notifications of a reply, in bytes.
    package init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) },
        localTime: @escaping @Sendable (Timestamp) -> WeeklyHours.LocalTime = { WeeklyHours.LocalTime($0) },
        timeZoneFile: String = FileWatch.timeZoneFile,
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        waitScale: Double = 1,
        replySize: Int = 16 << 20
    ) {
        self.now = now
        self.localTime = localTime
        self.timeZoneFile = timeZoneFile
        self.clock = clock
        uptime = clock.stopwatch()
        self.jitter = jitter
        self.waitScale = waitScale
        replyLimits = ReplyLimits(size: replySize)
    }
}

extension AgentEnvironment {
    /// The environment variable that sets ``waitScale``, 0.01 to 1. Only for tests of the built agent.
    package static let waitScaleVariable = "FEEDBELL_TEST_WAIT_SCALE"

    /// The value of ``waitScaleVariable``; 1 if it is unset or out of range.
    package static func waitScale(environment: [String: String]) -> Double {
        environment[waitScaleVariable].flatMap(Double.init).flatMap { 0.01...1 ~= $0 ? $0 : nil } ?? 1
    }
}

extension WeeklyHours.LocalTime {
    /// Uses the current time zone: `/etc/localtime` may have changed.
    init(_ timestamp: Timestamp) {
        var seconds = time_t(timestamp.milliseconds / 1000)
        var local = tm()
        tzset()
        localtime_r(&seconds, &local)
        // `tm_wday` starts with Sunday, `Weekday` with Monday.
        let weekday = WeeklyHours.Weekday.allCases[(Int(local.tm_wday) + 6) % 7]
        self.init(weekday: weekday, minute: Int(local.tm_hour * 60 + local.tm_min))
    }
}
