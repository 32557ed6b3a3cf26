package import FoundationEssentials

extension HTTPResponse {
    /// When the server made the response (`Date`, RFC 9110 §6.6.1), in whole seconds; nil: absent, or not an
    /// IMF-fixdate (RFC 9110 §5.6.7).
    package var date: Date? { header("Date").flatMap(HTTPDate.parse) }
}

enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func parse(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let iso = "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z"
        // The strategy turns 31 February into a date in March.
        guard let date = try? Date(iso, strategy: .iso8601), date.formatted(.iso8601) == iso else { return nil }
        return date
    }
}
