/// A change of one preference by the user.
package enum PreferenceChange: OutboxChange {
    case category(String, isOn: Bool)
    case channel(String, inCategory: String, isOn: Bool)
    /// The level of a whole channel: all notifications, or only required ones.
    case overall(channel: String, onlyRequired: Bool)

    /// The target of one request: a category with its channels, or a whole channel.
    package enum Target: Hashable, Sendable {
        case category(String)
        case channel(String)

        /// The service's identifier.
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

    /// Whether `later` changes the same preference.
    package func isSuperseded(by later: PreferenceChange) -> Bool {
        switch (self, later) {
        case (.category(let own, _), .category(let other, _)): own == other
        case (.channel(let own, let ownCategory, _), .channel(let other, let otherCategory, _)):
            own == other && ownCategory == otherCategory
        case (.overall(let own, _), .overall(let other, _)): own == other
        default: false
        }
    }
}
