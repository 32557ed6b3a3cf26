import Basics
import Inbox
import Synchronization

/// A clock on the wall that a test sets. Its time zone is UTC.
final class WallClock: Sendable {
    private let milliseconds: Mutex<Int64>

    init(milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    func set(milliseconds: Int64) { self.milliseconds.withLock { $0 = milliseconds } }

    func localTime(_ moment: Timestamp) -> WeeklyHours.LocalTime {
        let minutes = Int(moment.milliseconds / 60_000)
        // 1 January 1970 was a Thursday.
        return .init(weekday: WeeklyHours.Weekday.allCases[(minutes / 1440 + 3) % 7], minute: minutes % 1440)
    }
}
