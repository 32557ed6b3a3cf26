/// A person's preferences: categories by section, and channels as a whole (suprsend.md §2.5).
public struct PreferenceData: Sendable, Hashable {
    /// Groups of categories, in order; nil: the service sent none.
    public var sections: [PreferenceSection]?
    /// The channels over all categories; nil: the service sent none.
    public var channelPreferences: [OverallChannelPreference]?

    package init(sections: [PreferenceSection]? = nil, channelPreferences: [OverallChannelPreference]? = nil) {
        self.sections = sections
        self.channelPreferences = channelPreferences
    }

    /// The category with this slug.
    public func category(_ slug: String) -> PreferenceCategory? {
        for section in sections ?? [] {
            if let category = section.categories.first(where: { $0.slug == slug }) { return category }
        }
        return nil
    }

    /// The channel with this name, over all categories.
    public func channel(_ name: String) -> OverallChannelPreference? {
        channelPreferences?.first { $0.channel == name }
    }

    /// Changes the category with this slug wherever it is shown.
    mutating func update(_ slug: String, _ body: (inout PreferenceCategory) -> Void) {
        guard var sections else { return }
        self.sections = nil
        for section in sections.indices {
            for category in sections[section].categories.indices
            where sections[section].categories[category].slug == slug {
                body(&sections[section].categories[category])
            }
        }
        self.sections = sections
    }

    mutating func updateChannel(_ name: String, _ body: (inout OverallChannelPreference) -> Void) {
        guard let index = channelPreferences?.firstIndex(where: { $0.channel == name }) else { return }
        body(&channelPreferences![index])
    }
}

/// A group of categories.
public struct PreferenceSection: Sendable, Hashable {
    /// Its heading; nil: a group without one.
    public var name: String?
    /// Its id.
    public var slug: String?
    /// What it is about.
    public var description: String?
    /// Its categories, in order. On the wire: `subcategories`.
    public var categories: [PreferenceCategory]

    package init(
        name: String? = nil,
        slug: String? = nil,
        description: String? = nil,
        categories: [PreferenceCategory] = []
    ) {
        self.name = name
        self.slug = slug
        self.description = description
        self.categories = categories
    }
}

/// A kind of notifications that a person may want or not.
public struct PreferenceCategory: Sendable, Hashable, Identifiable {
    /// Its name for a person.
    public var name: String
    /// Its id. On the wire: `category`.
    public var slug: String
    /// What it is about.
    public var description: String?
    /// What it is without the person's choice; nil: not said.
    public var originalPreference: PreferenceOption?
    /// Whether it is wanted.
    public var preference: PreferenceOption
    /// Whether ``preference`` may be changed. Its channels say it for themselves.
    public var isEditable: Bool
    /// Its channels, in order.
    public var channels: [ChannelPreference]
    /// When its notifications are collected and sent as one; nil: they are not.
    public var digestSchedule: DigestSchedule?
    /// What else can be set.
    public var properties: [CategoryProperty]

    /// ``slug``.
    public var id: String { slug }

    package init(
        name: String,
        slug: String,
        description: String? = nil,
        originalPreference: PreferenceOption? = nil,
        preference: PreferenceOption,
        isEditable: Bool = true,
        channels: [ChannelPreference] = [],
        digestSchedule: DigestSchedule? = nil,
        properties: [CategoryProperty] = []
    ) {
        self.name = name
        self.slug = slug
        self.description = description
        self.originalPreference = originalPreference
        self.preference = preference
        self.isEditable = isEditable
        self.channels = channels
        self.digestSchedule = digestSchedule
        self.properties = properties
    }
}

/// A channel within a category.
public struct ChannelPreference: Sendable, Hashable {
    /// `sms`, `email`, `androidpush`, `iospush`, `webpush`, `inbox`, `whatsapp`, `slack`, `ms_teams`, or one that came later.
    public var channel: String
    /// Whether the category is wanted by this channel.
    public var preference: PreferenceOption
    /// Whether ``preference`` may be changed.
    public var isEditable: Bool

    package init(channel: String, preference: PreferenceOption, isEditable: Bool = true) {
        self.channel = channel
        self.preference = preference
        self.isEditable = isEditable
    }
}

/// A channel over all categories.
public struct OverallChannelPreference: Sendable, Hashable {
    /// The channel's name, as in ``ChannelPreference/channel``.
    public var channel: String
    /// Whether it is used only by categories for which it is mandatory.
    public var isRestricted: Bool

    package init(channel: String, isRestricted: Bool) {
        self.channel = channel
        self.isRestricted = isRestricted
    }

    /// ``isRestricted`` in words.
    public var level: ChannelLevel {
        get { isRestricted ? .required : .all }
        set { isRestricted = newValue == .required }
    }
}

/// How much a channel is used.
public enum ChannelLevel: String, Sendable, Hashable, CaseIterable {
    /// By every category that is wanted by it.
    case all
    /// Only by categories for which it is mandatory.
    case required
}

/// Wanted or not. A value that came later than this library is kept as it is.
public struct PreferenceOption: RawRepresentable, Sendable, Hashable {
    /// The service's word.
    public var rawValue: String

    /// Any word; only those below can be sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Wanted.
    public static let optIn = PreferenceOption(rawValue: "opt_in")
    /// Not wanted.
    public static let optOut = PreferenceOption(rawValue: "opt_out")
}

/// A part of the list of categories.
public struct CategoryPage: Sendable, Hashable {
    /// The categories of this part, in order.
    public var categories: [PreferenceCategory]
    /// How many there are in all; nil: not said.
    public var count: Int?
    /// How many were asked for at most; nil: not said.
    public var limit: Int?
    /// How many come before this part; nil: not said.
    public var offset: Int?
}
