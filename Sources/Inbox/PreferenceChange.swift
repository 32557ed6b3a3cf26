/// One value a person changes.
package enum PreferenceChange: Hashable, Sendable {
    case category(String, isOn: Bool)
    case channel(String, inCategory: String, isOn: Bool)
    /// A channel as a whole: for everything, or only where it is required.
    case overall(channel: String, onlyRequired: Bool)

    /// What a service is asked about in one request: a category with its channels, or a channel as a whole.
    package enum Target: Hashable, Sendable {
        case category(String)
        case channel(String)

        /// The service's name for it.
        package var name: String {
            switch self {
            case .category(let name), .channel(let name): name
            }
        }
    }

    package var target: Target {
        switch self {
        case .category(let category, _), .channel(_, let category, _): .category(category)
        case .overall(let channel, _): .channel(channel)
        }
    }

    /// Whether it is about the very same value.
    func isVoid(after later: PreferenceChange) -> Bool {
        switch (self, later) {
        case (.category(let own, _), .category(let other, _)): own == other
        case (.channel(let own, let ownCategory, _), .channel(let other, let otherCategory, _)):
            own == other && ownCategory == otherCategory
        case (.overall(let own, _), .overall(let other, _)): own == other
        default: false
        }
    }
}
