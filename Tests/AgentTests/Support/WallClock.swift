import Basics
import Inbox
import Synchronization

/// A clock on the wall that a test sets. Its time zone is UTC, unless the test sets another one.
final class WallClock: Sendable {
    private let milliseconds: Mutex<Int64>
    private let offset = Mutex<Int64>(0)

    init(milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    func set(milliseconds: Int64) { self.milliseconds.withLock { $0 = milliseconds } }

    /// Local time is this many hours ahead of UTC.
    func setZone(hours: Int64) { offset.withLock { $0 = hours * 3_600_000 } }

    func localTime(_ moment: Timestamp) -> WeeklyHours.LocalTime {
        let minutes = Int((moment.milliseconds + offset.withLock(\.self)) / 60_000)
        // 1 January 1970 was a Thursday.
        return .init(weekday: WeeklyHours.Weekday.allCases[(minutes / 1440 + 3) % 7], minute: minutes % 1440)
    }
}
