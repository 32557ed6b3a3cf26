/// The IMF-fixdate of RFC 9110 §5.6.7, such as `Mon, 04 Aug 2025 22:32:25 GMT`.
enum HTTPTimestamp {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter milliseconds: since the Unix epoch.
    static func text(_ milliseconds: Int64) -> String {
        let date = CalendarTime(milliseconds)
        func two(_ value: Int64) -> String { CalendarTime.padded(value) }
        return "\(days[date.weekday]), \(two(date.day)) \(months[Int(date.month - 1)]) \(date.year) "
            + "\(two(date.hour)):\(two(date.minute)):\(two(date.second)) GMT"
    }
}
