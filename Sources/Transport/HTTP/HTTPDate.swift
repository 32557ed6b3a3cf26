package import FoundationEssentials

extension HTTPResponse {
    /// When the server says that it made the answer (`Date`, RFC 9110 §5.6.7), in whole seconds; nil: it does not say, or not in the
    /// one form that servers are to write.
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
        // The strategy makes a later date of a 31 February.
        guard let date = try? Date(iso, strategy: .iso8601), date.formatted(.iso8601) == iso else { return nil }
        return date
    }
}
