import Glibc

/// The machine's clocks, read at one moment.
package struct ClockReading: Sendable, Equatable {
    /// The wall clock, since 1970 (`CLOCK_REALTIME`).
    package var wall: Duration
    /// Since boot, without sleep (`CLOCK_MONOTONIC`).
    package var awake: Duration
    /// Since boot, with sleep (`CLOCK_BOOTTIME`).
    package var total: Duration

    /// The clocks now.
    package static var now: ClockReading {
        ClockReading(wall: read(CLOCK_REALTIME), awake: read(CLOCK_MONOTONIC), total: read(CLOCK_BOOTTIME))
    }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// How long the machine slept since an earlier reading.
    package func slept(since earlier: ClockReading) -> Duration {
        (total - awake) - (earlier.total - earlier.awake)
    }

    /// How far the wall clock was set forward since an earlier reading; negative: backward.
    package func set(since earlier: ClockReading) -> Duration {
        (wall - total) - (earlier.wall - earlier.total)
    }
}
