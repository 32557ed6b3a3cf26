import FoundationEssentials

/// ISO 8601 with milliseconds and "Z", such as `2026-01-01T00:00:00.125Z`.
enum ISODate {
    /// - Parameter milliseconds: since the Unix epoch; earlier times count as the epoch.
    static func text(_ milliseconds: Int64) -> String {
        // The style cuts fractions off, and not every millisecond is a `Double` of seconds.
        let seconds = (Double(max(0, milliseconds)) + 0.5) / 1000
        return Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(Date(timeIntervalSince1970: seconds))
    }
}

/// The IMF-fixdate of RFC 9110 §5.6.7, such as `Mon, 04 Aug 2025 22:32:25 GMT`.
enum HTTPTimestamp {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter milliseconds: since the Unix epoch; earlier times count as the epoch.
    static func text(_ milliseconds: Int64) -> String {
        let parts = ISODate.text(milliseconds).split { "-T.".contains($0) }
        let day = days[Int(max(0, milliseconds) / 86_400_000 % 7)]
        let month = months[(Int(parts[1]) ?? 1) - 1]
        return "\(day), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
    }
}
