import Glibc
import VisibleText

/// The time until a notification expires.
package struct Countdown: Equatable, Sendable {
    /// In milliseconds, not negative.
    package let remaining: Int64

    private static let longest = 365_000 * day
    private static let (second, minute, hour, day): (Int64, Int64, Int64, Int64) = (1000, 60_000, 3_600_000, 86_400_000)

    /// - Parameters:
    ///   - expires: Milliseconds since the Unix epoch, as `now`.
    package init(until expires: Int64, now: Int64) {
        let (difference, isTooFar) = expires.subtractingReportingOverflow(now)
        remaining = isTooFar ? Self.longest : min(max(0, difference), Self.longest)
    }

    /// The time until a notification expires; nil: the sender does not want it shown, or it is archived.
    package init?(of notification: NotificationRecord, now: Int64) {
        guard notification.isExpiryVisible, notification.expires != 0, !notification.isArchived else { return nil }
        self.init(until: notification.expires, now: now)
    }

    /// Whether the last hour has begun.
    package var isUrgent: Bool { remaining <= Self.hour }

    /// `3 d 4 h`, `4 h 12 min`, and in the last hour minutes and seconds: `12:34`. Rounded up, so that it ends with
    /// `0:00`.
    package var text: String {
        let whole = (remaining + unit - 1) / unit * unit
        let (days, hours, minutes) = (whole / Self.day, whole / Self.hour, whole / Self.minute)
        if remaining > Self.day {
            // Translators: A time in days and hours, abbreviated.
            return translated("{days} d {hours} h", ["days": "\(days)", "hours": "\(hours % 24)"])
        }
        if remaining > Self.hour {
            // Translators: A time in hours and minutes, abbreviated.
            return translated("{hours} h {minutes} min", ["hours": "\(hours)", "minutes": "\(minutes % 60)"])
        }
        let seconds = whole / Self.second % 60
        return "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    }

    /// The milliseconds after which ``text`` changes; nil: it does not change any more.
    package var nextChange: Int64? { remaining == 0 ? nil : (remaining - 1) % unit + 1 }

    private var unit: Int64 { remaining > Self.day ? Self.hour : remaining > Self.hour ? Self.minute : Self.second }
}
