import AgentInterface
import Glibc
import VisibleText

/// Words for the days of listed notifications: "Today", "Yesterday", "Monday", "Last Week", "November".
struct DayHeadings: Equatable, Sendable {
    /// A part of time, from the present to the past.
    private typealias Period = (title: String, start: Int64)

    private var titles: [RowID: String] = [:]
    /// When there are others, in milliseconds since the Unix epoch.
    private(set) var end: Int64 = 0

    init() {}

    /// - Parameter now: Milliseconds since the Unix epoch.
    init(of lists: NotificationLists, now: Int64) {
        let today = tm(dateOf: now)
        end = today.milliseconds(at: (0, 0), days: 1)
        var period: Period?
        for row in lists.rows {
            guard let notification = lists[row] else { continue }
            if notification.isOnTop {
                if period == nil { period = (translated("Pinned"), .max) } else { continue }
            } else if let start = period?.start, start != .max, notification.created >= start {
                continue
            } else {
                period = Self.period(of: notification.created, today)
            }
            titles[row] = period?.title
        }
    }

    private static func period(of time: Int64, _ today: tm) -> Period {
        func start(_ daysAgo: Int32) -> Int64 { today.milliseconds(at: (0, 0), days: -daysAgo) }
        if time >= start(0) { return (translated("Today"), start(0)) }
        if time >= start(1) { return (translated("Yesterday"), start(1)) }
        // Since Monday.
        let days = (today.tm_wday + 6) % 7
        for day in Int32(2)...max(2, days) where day <= days && time >= start(day) {
            return (Weekday.allCases[Int(days - day)].title, start(day))
        }
        // Translators: A heading above the notifications of the last calendar week.
        if time >= start(days + 7) { return (translated("Last Week"), start(days + 7)) }
        var month = tm(dateOf: time)
        month.tm_mday = 1
        let name = TimeForm.month(month)
        let values = ["month": name, "year": "\(month.tm_year + 1900)"]
        // Translators: A heading above the notifications of a month of an earlier year, such as "November 2025".
        let title = month.tm_year == today.tm_year ? name : translated("{month} {year}", values)
        return (title, month.milliseconds(at: (0, 0)))
    }

    /// The heading above a row; empty: it has none.
    subscript(row: RowID) -> String { titles[row] ?? "" }
}
