package import Basics

/// Hours of the week in local time, such as "22:00 to 07:00 on Fridays".
package struct WeeklyHours: Hashable, Sendable {
    /// The days of the week by the names of the configuration.
    package enum Weekday: String, Sendable, CaseIterable, Hashable {
        case monday = "mon"
        case tuesday = "tue"
        case wednesday = "wed"
        case thursday = "thu"
        case friday = "fri"
        case saturday = "sat"
        case sunday = "sun"

        var before: Weekday {
            let all = Self.allCases
            return all[((all.firstIndex(of: self) ?? 0) + all.count - 1) % all.count]
        }
    }

    /// A local time of the week.
    package struct LocalTime: Hashable, Sendable {
        package var weekday: Weekday
        /// Since midnight, 0 to 1439.
        package var minute: Int

        package init(weekday: Weekday, minute: Int) {
            self.weekday = weekday
            self.minute = minute
        }

        /// The time of a moment in UTC, not before 1970.
        package init(utc moment: Timestamp) {
            let minutes = Int(max(0, moment.milliseconds) / 60_000)
            // 1 January 1970 was a Thursday.
            self.init(weekday: Weekday.allCases[(minutes / minutesOfDay + 3) % 7], minute: minutes % minutesOfDay)
        }
    }

    package static let minutesOfDay = 1440

    /// Minutes since midnight as `HH:MM`.
    package static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Begin and end, in minutes since midnight. An end that is not after the begin is on the next day.
    package var from: Int
    package var to: Int
    /// The days on which the hours begin.
    package var days: Set<Weekday>

    package init(from: Int, to: Int, days: Set<Weekday> = Set(Weekday.allCases)) {
        self.from = from
        self.to = to
        self.days = days
    }

    package func contains(_ time: LocalTime) -> Bool {
        if from < to { return days.contains(time.weekday) && (from..<to).contains(time.minute) }
        return days.contains(time.weekday) && time.minute >= from
            || days.contains(time.weekday.before) && time.minute < to
    }

    /// When to check again: at the next begin or end, or shortly before it.
    ///
    /// - Parameter localTime: Converts a moment to local time, so that daylight saving time is considered.
    package func nextTransition(after now: Timestamp, localTime: (Timestamp) -> LocalTime) -> Timestamp {
        let minute = localTime(now).minute
        let candidates = [from, to].map { boundary in
            let distance = Self.distance(from: minute, to: boundary)
            let guess = now.advanced(minutes: distance).startOfMinute
            // The distance differs by an hour if daylight saving time begins or ends before.
            var correction = Self.distance(from: localTime(guess).minute, to: boundary) % Self.minutesOfDay
            if correction > Self.minutesOfDay / 2 { correction -= Self.minutesOfDay }
            return max(guess.advanced(minutes: correction), now.advanced(minutes: 1).startOfMinute)
        }
        return candidates.min() ?? now
    }

    /// The minutes until the next occurrence of a local time, 1 to 1440.
    private static func distance(from minute: Int, to other: Int) -> Int {
        let difference = (other - minute + minutesOfDay) % minutesOfDay
        return difference == 0 ? minutesOfDay : difference
    }
}

extension Timestamp {
    fileprivate func advanced(minutes: Int) -> Timestamp {
        // At most a day, so no overflow.
        advanced(milliseconds: Int64(minutes) * 60_000)
    }

    fileprivate var startOfMinute: Timestamp { Timestamp(milliseconds: milliseconds - milliseconds % 60_000) }
}
