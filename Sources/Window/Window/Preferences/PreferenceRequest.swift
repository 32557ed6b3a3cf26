package import AgentInterface
package import DBus

/// A request that changes a preference of one account.
package struct PreferenceRequest: Equatable, Sendable {
    package enum Change: Equatable, Sendable {
        case category(String, isOn: Bool)
        case channel(category: String, String, isOn: Bool)
        /// Which notifications a channel delivers, of all categories.
        case level(channel: String, PreferenceLevel)
        case digest(category: String, DigestChangeRecord)
        case property(category: String, String, Value)
    }

    package var account: String
    /// The row whose value it is.
    package var row: PreferenceRow
    package var change: Change
}

/// The agent's reply to a request for all preferences of an account.
package enum PreferencesReply: Equatable, Sendable {
    /// The channels' levels are empty where the service has none.
    case loaded([CategoryRecord], levels: [ChannelSetting])
    /// In a sentence.
    case failed(String)
}

/// Which notifications a channel delivers.
package struct ChannelSetting: Equatable, Sendable {
    package var channel: String
    package var isOnlyRequired: Bool

    package init(channel: String, isOnlyRequired: Bool) {
        (self.channel, self.isOnlyRequired) = (channel, isOnlyRequired)
    }
}

/// A row of the preferences of one account.
package enum PreferenceRow: Hashable, Sendable {
    /// Which account's preferences are shown.
    case account
    case category(String)
    case channel(category: String, String)
    case level(channel: String)
    /// The schedule of a category's digests.
    case schedule(category: String)
    case digest(category: String, DigestPart)
    /// A day of the month of a digest, by its place in the list: its number, or its week.
    case monthDay(category: String, Int)
    /// The weekdays in that week.
    case monthDayNames(category: String, Int)
    case property(category: String, String)
    /// Sign in to the account, whose token is refused.
    case signIn
    /// Show further categories.
    case more

    /// nil: it is about all categories.
    var category: String? {
        switch self {
        case .category(let id), .channel(let id, _), .schedule(let id), .digest(let id, _), .monthDay(let id, _),
            .monthDayNames(let id, _), .property(let id, _):
            id
        case .account, .level, .signIn, .more: nil
        }
    }
}

/// A part of a digest schedule that the user may change.
package enum DigestPart: String, Hashable, Sendable {
    case time, start, weekdays
}
