import Basics
import Inbox
import Testing

@Suite struct WeeklyHoursTests {
    typealias Weekday = WeeklyHours.Weekday

    @Test(
        "Quiet hours contain the minutes from their begin to their end",
        arguments: [
            // From 22:00 to 07:00, every day.
            (22 * 60, 7 * 60, Weekday.allCases, Weekday.monday, 21 * 60 + 59, false),
            (22 * 60, 7 * 60, Weekday.allCases, .monday, 22 * 60, true),
            (22 * 60, 7 * 60, Weekday.allCases, .monday, 0, true),
            (22 * 60, 7 * 60, Weekday.allCases, .monday, 7 * 60 - 1, true),
            (22 * 60, 7 * 60, Weekday.allCases, .monday, 7 * 60, false),
            // The night that begins on Friday ends on Saturday.
            (22 * 60, 7 * 60, [.friday], .friday, 23 * 60, true), (22 * 60, 7 * 60, [.friday], .saturday, 3 * 60, true),
            (22 * 60, 7 * 60, [.friday], .friday, 3 * 60, false), (22 * 60, 7 * 60, [.sunday], .monday, 60, true),
            // Within a day.
            (12 * 60, 13 * 60, Weekday.allCases, .tuesday, 12 * 60 + 30, true),
            (12 * 60, 13 * 60, [.monday], .tuesday, 12 * 60 + 30, false),
            // A whole day.
            (0, 0, [.sunday], .sunday, 0, true), (0, 0, [.sunday], .sunday, 1439, true),
            (0, 0, [.sunday], .monday, 0, false),
        ]
    )
    func contains(_ from: Int, _ to: Int, _ days: [Weekday], _ day: Weekday, _ minute: Int, _ isQuiet: Bool) {
        let hours = WeeklyHours(from: from, to: to, days: Set(days))
        #expect(hours.contains(.init(weekday: day, minute: minute)) == isQuiet)
    }

    /// UTC, but one hour more from `change` on.
    private static func clock(change: Int64 = .max, by hours: Int64 = 1) -> (Timestamp) -> WeeklyHours.LocalTime {
        { moment in
            let minutes = moment.milliseconds / 60_000 + (moment.milliseconds >= change ? hours * 60 : 0)
            // 1 January 1970 was a Thursday.
            let day = Weekday.allCases[Int((minutes / 1440 + 3) % 7)]
            return .init(weekday: day, minute: Int(minutes % 1440))
        }
    }

    private static func moment(_ day: Int64, _ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: (((day * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    @Test("The next transition is the begin or end of quiet hours") func transitions() {
        let hours = WeeklyHours(from: 22 * 60, to: 7 * 60)
        let clock = Self.clock()
        #expect(hours.nextTransition(after: Self.moment(3, 12, 34, 56), localTime: clock) == Self.moment(3, 22))
        #expect(hours.nextTransition(after: Self.moment(3, 22), localTime: clock) == Self.moment(4, 7))
        #expect(hours.nextTransition(after: Self.moment(3, 23, 59, 59), localTime: clock) == Self.moment(4, 7))
    }

    /// Checks every minute of six days against the transitions.
    @Test("Transitions are correct when summer time begins or ends", arguments: [Int64(1), -1]) func summerTime(
        hours: Int64
    ) {
        let change = Self.moment(10, 2)
        let clock = Self.clock(change: change.milliseconds, by: hours)
        let quiet = WeeklyHours(from: 22 * 60, to: 7 * 60, days: [.friday, .saturday, .sunday])
        var now = Self.moment(8, 0)
        var known = quiet.contains(clock(now))
        var next = quiet.nextTransition(after: now, localTime: clock)
        while now < Self.moment(14, 0) {
            now = Timestamp(milliseconds: now.milliseconds + 60_000)
            if next <= now {
                known = quiet.contains(clock(now))
                let look = quiet.nextTransition(after: now, localTime: clock)
                #expect(look > now)
                next = look
            }
            #expect(known == quiet.contains(clock(now)), "at \(clock(now)), next look \(clock(next))")
        }
    }
}
