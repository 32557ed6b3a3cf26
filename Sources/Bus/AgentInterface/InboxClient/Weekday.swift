import VisibleText

/// The days of a week, as the D-Bus interface writes them.
package enum Weekday: String, CaseIterable {
    case mo, tu, we, th, fr, sa, su

    package static let codes = allCases.map(\.rawValue)
    /// As the configuration writes them.
    package static let configured = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// By itself or at the beginning of a sentence: "Lunes", where a sentence has "lunes".
    package var title: String { name.prefix(1).uppercased() + name.dropFirst() }

    /// As a part of a sentence.
    package var name: String {
        switch self {
        // Translators: As a part of a sentence; alone and at its beginning the first letter is made a capital.
        case .mo: translated("Monday")
        case .tu: translated("Tuesday")
        case .we: translated("Wednesday")
        case .th: translated("Thursday")
        case .fr: translated("Friday")
        case .sa: translated("Saturday")
        case .su: translated("Sunday")
        }
    }
}
