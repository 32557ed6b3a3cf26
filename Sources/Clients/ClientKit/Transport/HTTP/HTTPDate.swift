import Basics
package import FoundationEssentials

extension HTTPResponse {
    /// When the server made the response (`Date`, RFC 9110 §6.6.1), in whole seconds; nil: absent or invalid.
    package var date: Date? { header("Date").flatMap { HTTPDate.parse($0) } }
}

/// A date of HTTP in the form that servers send, IMF-fixdate. RFC 9110 §5.6.7 has two obsolete forms, too: in those, a
/// `Date` and a `Retry-After` are ignored as invalid ones are.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func parse(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].hasSuffix(","), parts[4].utf8.count == 8, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = (month < 9 ? "0" : "") + String(month + 1)
        return Timestamp(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.date
    }
}

/// The `Retry-After` header (RFC 9110 §10.2.3).
enum RetryAfter {
    private static let longest = 86_400

    /// The delay that it asks for, at most one day; nil: invalid.
    ///
    /// - Parameters:
    ///   - date: The header `Date` of the same response: a date of `Retry-After` is one of the same clock.
    ///   - now: By the client's clock, for a response without a valid `Date`.
    static func parse(_ value: String, date: String?, now: Date = Date()) -> Duration? {
        if let seconds = Int(value) { return seconds < 0 ? nil : .seconds(min(seconds, longest)) }
        guard let end = HTTPDate.parse(value) else { return nil }
        let start = date.flatMap { HTTPDate.parse($0) } ?? now
        return .seconds(min(max(0, end.timeIntervalSince(start)), Double(longest)))
    }
}
