package import FoundationEssentials

/// A duration as text, rounded to one unit: "40 seconds", "3 minutes", "5 hours", "12 days".
package struct Span: CustomStringConvertible {
    /// The sign is ignored.
    package var seconds: TimeInterval

    package init(seconds: TimeInterval) { self.seconds = seconds }

    package var description: String {
        // Limited: values from a service can be out of the range of Int.
        let seconds = min(abs(seconds), 86_400 * 365_000).rounded()
        return switch seconds {
        case ..<90: Self.count(seconds, "second")
        case ..<5400: Self.count(seconds / 60, "minute")
        case ..<129_600: Self.count(seconds / 3600, "hour")
        default: Self.count(seconds / 86_400, "day")
        }
    }

    private static func count(_ number: Double, _ unit: String) -> String {
        let number = Int(number.rounded())
        return "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
}
