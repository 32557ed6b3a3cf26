/// A user's preferences: categories by section, and channels across all categories.
public struct PreferenceData: Sendable, Hashable {
    /// Groups of categories, in order; nil: the service sent none.
    public var sections: [PreferenceSection]?
    /// The channels across all categories; nil: the service sent none.
    public var channelPreferences: [OverallChannelPreference]?

    /// Creates preferences, such as for a preview or a test.
    public init(sections: [PreferenceSection]? = nil, channelPreferences: [OverallChannelPreference]? = nil) {
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

    /// The channel with this name, across all categories.
    public func channel(_ name: String) -> OverallChannelPreference? {
        channelPreferences?.first { $0.channel == name }
    }

    /// Changes the category with this slug in every section that contains it.
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

    /// Replaces the target by that of `known`, if that has it.
    mutating func copy(_ target: PreferenceTarget, from known: PreferenceData) {
        switch target {
        case .category(let slug): if let newer = known.category(slug) { update(slug) { $0 = newer } }
        case .channel(let name): if let newer = known.channel(name) { updateChannel(name) { $0 = newer } }
        }
    }

    mutating func updateChannel(_ name: String, _ body: (inout OverallChannelPreference) -> Void) {
        guard let index = channelPreferences?.firstIndex(where: { $0.channel == name }) else { return }
        body(&channelPreferences![index])
    }
}

/// A group of categories.
public struct PreferenceSection: Sendable, Hashable {
    /// The heading; nil: none.
    public var name: String?
    /// The id of the section.
    public var slug: String?
    /// The description of the section.
    public var description: String?
    /// The categories, in order. In JSON: `subcategories`.
    public var categories: [PreferenceCategory]

    /// Creates a section, such as for a preview or a test.
    public init(
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

/// A category of notifications that the user may opt in to or out of.
public struct PreferenceCategory: Sendable, Hashable, Identifiable {
    /// The name for the user.
    public var name: String
    /// The id of the category. In JSON: `category`.
    public var slug: String
    /// The description of the category.
    public var description: String?
    /// The preference without the user's choice; nil: unknown.
    public var originalPreference: PreferenceOption?
    /// Whether the user opted in.
    public var preference: PreferenceOption
    /// Whether ``preference`` may be changed. Its channels have an `isEditable` of their own.
    public var isEditable: Bool
    /// The channels, in order.
    public var channels: [ChannelPreference]
    /// The schedule of its digests; nil: no digests.
    public var digestSchedule: DigestSchedule?
    /// The other settings of the category.
    public var properties: [CategoryProperty]

    /// ``slug``.
    public var id: String { slug }

    /// Creates a category, such as for a preview or a test.
    public init(
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
    /// `sms`, `email`, `androidpush`, `iospush`, `webpush`, `inbox`, `whatsapp`, `slack`, `ms_teams`, or an unknown
    /// one.
    public var channel: String
    /// Whether the user opted in to this channel of the category.
    public var preference: PreferenceOption
    /// Whether ``preference`` may be changed.
    public var isEditable: Bool

    /// Creates the preference of a channel, such as for a preview or a test.
    public init(channel: String, preference: PreferenceOption, isEditable: Bool = true) {
        self.channel = channel
        self.preference = preference
        self.isEditable = isEditable
    }
}

/// A channel across all categories.
public struct OverallChannelPreference: Sendable, Hashable {
    /// The channel's name, as in ``ChannelPreference/channel``.
    public var channel: String
    /// Whether only categories for which it is mandatory use it.
    public var isRestricted: Bool

    /// Creates the preference of a channel, such as for a preview or a test.
    public init(channel: String, isRestricted: Bool) {
        self.channel = channel
        self.isRestricted = isRestricted
    }

    /// ``isRestricted`` as a level.
    public var level: ChannelLevel {
        get { isRestricted ? .required : .all }
        set { isRestricted = newValue == .required }
    }
}

/// Which categories use a channel.
public enum ChannelLevel: String, Sendable, Hashable, CaseIterable {
    /// Every category that is opted in to it.
    case all
    /// Only categories for which it is mandatory.
    case required
}

/// Opted in or out. Unknown values are kept.
public struct PreferenceOption: RawRepresentable, Sendable, Hashable {
    /// The service's value.
    public var rawValue: String

    /// Creates an option from any value; only those below can be sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Opted in.
    public static let optIn = PreferenceOption(rawValue: "opt_in")
    /// Opted out.
    public static let optOut = PreferenceOption(rawValue: "opt_out")
}

/// A page of the list of categories.
public struct CategoryPage: Sendable, Hashable {
    /// The categories of this page, in order.
    public var categories: [PreferenceCategory]
    /// The number of all categories; nil: unknown.
    public var count: Int?
    /// The requested limit; nil: unknown.
    public var limit: Int?
    /// The number of categories before this page; nil: unknown.
    public var offset: Int?

    /// Creates a page, such as for a preview or a test.
    public init(categories: [PreferenceCategory], count: Int? = nil, limit: Int? = nil, offset: Int? = nil) {
        self.categories = categories
        self.count = count
        self.limit = limit
        self.offset = offset
    }
}
