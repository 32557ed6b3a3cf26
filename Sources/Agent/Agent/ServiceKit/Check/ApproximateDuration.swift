package import FoundationEssentials
import VisibleText

/// A duration as text, rounded to one unit: "40 seconds", "3 minutes", "5 hours", "12 days".
package struct ApproximateDuration {
    /// The sign is ignored.
    package var seconds: TimeInterval

    /// In the user's language.
    package var text: String {
        // Limited: values from a service can be out of the range of Int.
        let seconds = min(abs(seconds), 86_400 * 365_000).rounded()
        return switch seconds {
        case ..<90: translated("{count} second", plural: "{count} seconds", count: Int(seconds))
        case ..<5400: translated("{count} minute", plural: "{count} minutes", count: Int((seconds / 60).rounded()))
        case ..<129_600: translated("{count} hour", plural: "{count} hours", count: Int((seconds / 3600).rounded()))
        default: translated("{count} day", plural: "{count} days", count: Int((seconds / 86_400).rounded()))
        }
    }
}
