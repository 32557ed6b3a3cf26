import AgentInterface
import Glibc
import VisibleText

/// When a snoozed notification pops up again, as the menu offers it.
package enum SnoozeChoice: String, CaseIterable, Sendable {
    case hour, threeHours, tomorrow, nextWeek

    package var title: String {
        switch self {
        // Translators: When a notification pops up again: an item of the menu "Snooze".
        case .hour: translated("For 1 Hour")
        case .threeHours: translated("For 3 Hours")
        case .tomorrow: translated("Until Tomorrow Morning")
        case .nextWeek: translated("Until Monday Morning")
        }
    }

    /// Milliseconds since the Unix epoch, as `now`.
    package func until(now: Int64) -> Int64 {
        switch self {
        case .hour: now + 3_600_000
        case .threeHours: now + 3 * 3_600_000
        case .tomorrow: Self.morning(after: now) { _ in 1 }
        case .nextWeek: Self.morning(after: now) { weekday in (1 - weekday + 6) % 7 + 1 }
        }
    }

    /// - Parameter days: The number of days from a weekday, of which Sunday is 0.
    private static func morning(after now: Int64, days: (Int32) -> Int32) -> Int64 {
        let today = tm(dateOf: now)
        return today.milliseconds(at: (9, 0), days: days(today.tm_wday))
    }
}
