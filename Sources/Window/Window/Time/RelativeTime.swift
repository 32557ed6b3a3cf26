import AgentInterface
import VisibleText

/// How long ago something was, in words that stay true until ``nextChange``.
package struct RelativeTime: Equatable, Sendable {
    private static let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)
    /// After this, the date.
    private static let longest = 7 * day

    private let time: Int64
    private let now: Int64

    /// - Parameters:
    ///   - time: Milliseconds since the Unix epoch, as `now`.
    package init(_ time: Int64, now: Int64) {
        self.time = time
        self.now = now
    }

    /// A time in the future counts as now: clocks differ.
    private var age: Int64 { max(0, now.subtractingReportingOverflow(time).partialValue) }

    package var text: String {
        switch age {
        // Translators: The time of a notification that has just arrived.
        case ..<Self.minute: translated("just now")
        case ..<Self.hour:
            // Translators: How many minutes ago a notification arrived. Short.
            translated("{count} min ago", plural: "{count} min ago", count: Int(age / Self.minute))
        case ..<Self.day:
            // Translators: How many hours ago a notification arrived. Short.
            translated("{count} h ago", plural: "{count} h ago", count: Int(age / Self.hour))
        case ..<Self.longest:
            translated("{count} day ago", plural: "{count} days ago", count: Int(age / Self.day))
        default: LocalTime(time).shownDate(now: now)
        }
    }

    /// The milliseconds after which ``text`` changes; nil: it does not change any more.
    package var nextChange: Int64? {
        switch age {
        case ..<Self.hour: Self.minute - age % Self.minute
        case ..<Self.day: Self.hour - age % Self.hour
        case ..<Self.longest: Self.day - age % Self.day
        default: nil
        }
    }
}
