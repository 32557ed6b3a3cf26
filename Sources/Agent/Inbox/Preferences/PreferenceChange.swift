/// A change of one preference by the user.
package enum PreferenceChange: OutboxChange {
    case category(String, isOn: Bool)
    case channel(String, inCategory: String, isOn: Bool)
    /// The level of a whole channel: all notifications, or only required ones.
    case overall(channel: String, onlyRequired: Bool)
    /// Parts of the schedule of a category's digests.
    case digest(PreferencesContents.Digest.Change, inCategory: String)
    case property(String, PropertyValue, inCategory: String)
    /// Whether the user receives what is sent to the subscribers of a topic.
    case topic(String, isSubscribed: Bool)

    /// The target of one request: a category with its channels, a whole channel, or a topic.
    package enum Target: Hashable, Sendable {
        case category(String)
        case channel(String)
        case topic(String)

        /// The service's identifier.
        package var name: String {
            switch self {
            case .category(let name), .channel(let name), .topic(let name): name
            }
        }
    }

    package var target: Target {
        switch self {
        case .category(let category, _), .channel(_, let category, _), .digest(_, let category),
            .property(_, _, let category):
            .category(category)
        case .overall(let channel, _): .channel(channel)
        case .topic(let topic, _): .topic(topic)
        }
    }

    /// Whether `later` changes the same preference; of a digest schedule: all parts that this change contains.
    package func isSuperseded(by later: PreferenceChange) -> Bool {
        switch (self, later) {
        case (.category(let own, _), .category(let other, _)): own == other
        case (.channel(let own, let ownCategory, _), .channel(let other, let otherCategory, _)):
            own == other && ownCategory == otherCategory
        case (.overall(let own, _), .overall(let other, _)): own == other
        case (.digest(let own, let ownCategory), .digest(let other, let otherCategory)):
            ownCategory == otherCategory && own.isSuperseded(by: other)
        case (.property(let own, _, let ownCategory), .property(let other, _, let otherCategory)):
            own == other && ownCategory == otherCategory
        case (.topic(let own, _), .topic(let other, _)): own == other
        default: false
        }
    }
}
