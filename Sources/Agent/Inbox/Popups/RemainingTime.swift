import VisibleText

/// The time until a notification expires, in the largest unit of which at least one is left.
struct RemainingTime: Equatable {
    enum Unit {
        case minute, hour, day
    }

    let count: Int64
    let unit: Unit

    /// Rounded to the nearest number, and at least one minute.
    init(_ duration: Duration) {
        let minutes = max(1, (duration.components.seconds + 30) / 60)
        (count, unit) =
            minutes < 60
            ? (minutes, .minute) : minutes < 1_410 ? ((minutes + 30) / 60, .hour) : ((minutes + 720) / 1_440, .day)
    }

    var sentence: String {
        let count = Int(clamping: count)
        return switch unit {
        case .minute: translated("Expires in {count} minute", plural: "Expires in {count} minutes", count: count)
        case .hour: translated("Expires in {count} hour", plural: "Expires in {count} hours", count: count)
        case .day: translated("Expires in {count} day", plural: "Expires in {count} days", count: count)
        }
    }
}
