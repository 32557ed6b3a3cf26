import ClientKit

/// Reads and writes preferences in the service's form, so that an app can store them. Invalid parts are left out and
/// never fail the whole.
extension PreferenceData: Codable {
    /// Reads the service's `{sections, channel_preferences}`. A body without both is an error. At most 1,000 categories
    /// are read, and 100 channels.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        guard body.contains("sections") || body.contains("channel_preferences") else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no preferences"))
        }
        var left = Limits.categories
        let sections = body.elements("sections", of: PreferenceSection.self, upTo: Limits.categories)?.map { section in
            var section = section
            section.categories = Array(section.categories.prefix(left))
            left -= section.categories.count
            return section
        }
        self.init(
            sections: sections,
            channelPreferences: body.elements("channel_preferences", upTo: Limits.channels)
        )
    }

    /// Writes the service's `{sections, channel_preferences}`; nil becomes null.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: WireKey.self)
        try body.encode(sections, forKey: "sections")
        try body.encode(channelPreferences, forKey: "channel_preferences")
    }
}

extension PreferenceSection: Codable {
    /// Reads one of the service's `sections`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            name: wire.text("name", Limits.name),
            slug: wire.whole("slug", Limits.id),
            description: wire.text("description", Limits.description),
            categories: wire.elements("subcategories", upTo: Limits.categories) ?? []
        )
    }

    /// Writes one of the service's `sections`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encodeIfPresent(name, forKey: "name")
        try wire.encodeIfPresent(slug, forKey: "slug")
        try wire.encodeIfPresent(description, forKey: "description")
        try wire.encode(categories, forKey: "subcategories")
    }
}

extension PreferenceCategory: Codable {
    /// Reads one of the service's categories. Only slug and preference are required. At most 100 channels and 100
    /// properties are read.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let slug = try wire.required("category", wire.whole("category", Limits.id))
        self.init(
            name: wire.text("name", Limits.name) ?? slug,
            slug: slug,
            description: wire.text("description", Limits.description),
            originalPreference: wire.text("original_preference", Limits.name).map { PreferenceOption(rawValue: $0) },
            preference: try wire.preference,
            isEditable: wire.value("is_editable") ?? true,
            channels: wire.elements("channels", upTo: Limits.channels) ?? [],
            digestSchedule: wire.value("digest_schedule"),
            // The service's samples show one object, its updates an array.
            properties: wire.elements("properties", of: CategoryProperty.self, upTo: Limits.properties)
                ?? wire.value("properties", as: CategoryProperty.self).map { [$0] } ?? []
        )
    }

    /// Writes one of the service's categories.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(name, forKey: "name")
        try wire.encode(slug, forKey: "category")
        try wire.encodeIfPresent(description, forKey: "description")
        try wire.encodeIfPresent(originalPreference, forKey: "original_preference")
        try wire.encode(preference, forKey: "preference")
        try wire.encode(isEditable, forKey: "is_editable")
        try wire.encode(channels, forKey: "channels")
        try wire.encodeIfPresent(digestSchedule, forKey: "digest_schedule")
        try wire.encode(properties, forKey: "properties")
    }
}

extension ChannelPreference: Codable {
    /// Reads one of a category's `channels`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            channel: try wire.required("channel", wire.whole("channel", Limits.name)),
            preference: try wire.preference,
            isEditable: wire.value("is_editable") ?? true
        )
    }

    /// Writes one of a category's `channels`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(channel, forKey: "channel")
        try wire.encode(preference, forKey: "preference")
        try wire.encode(isEditable, forKey: "is_editable")
    }
}

extension OverallChannelPreference: Codable {
    /// Reads one of the service's `channel_preferences`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            channel: try wire.required("channel", wire.whole("channel", Limits.name)),
            isRestricted: try wire.required("is_restricted", wire.value("is_restricted"))
        )
    }

    /// Writes one of the service's `channel_preferences`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(channel, forKey: "channel")
        try wire.encode(isRestricted, forKey: "is_restricted")
    }
}

extension CategoryPage: Codable {
    /// Reads the service's `{meta, results}`.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let results = try body.decode(LossyArray<PreferenceCategory>.self, forKey: "results").elements
        categories = Array(results.prefix(Limits.categories))
        guard let meta = try? body.nestedContainer(keyedBy: WireKey.self, forKey: "meta") else { return }
        count = meta.integer("count").map { Int(clamping: $0) }
        limit = meta.integer("limit").map { Int(clamping: $0) }
        offset = meta.integer("offset").map { Int(clamping: $0) }
    }

    /// Writes the service's `{meta, results}`.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: WireKey.self)
        try body.encode(categories, forKey: "results")
        var meta = body.nestedContainer(keyedBy: WireKey.self, forKey: "meta")
        try meta.encodeIfPresent(count, forKey: "count")
        try meta.encodeIfPresent(limit, forKey: "limit")
        try meta.encodeIfPresent(offset, forKey: "offset")
    }
}

/// The response of the channels call.
package struct OverallChannels: Sendable, Equatable, Decodable {
    package var channels: [OverallChannelPreference]

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let all = try body.decode(LossyArray<OverallChannelPreference>.self, forKey: "channel_preferences").elements
        channels = Array(all.prefix(Limits.channels))
    }
}

/// The response to a preference change: the values in effect, as far as it contains them.
package struct PreferenceConfirmation: Sendable, Equatable, Decodable, EmptyAnswer {
    package var category: PreferenceCategory?
    package var channels: [OverallChannelPreference]?
    /// The fields of the category in the response; all other fields keep their values.
    private var fields: Set<String> = []

    /// Whether the response has the category's digest schedule, or states that there is none.
    package var hasDigestSchedule: Bool { fields.contains("digest_schedule") }
    /// Whether the response has the category's properties.
    package var hasProperties: Bool { fields.contains("properties") }

    package init() {}

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        category = try? PreferenceCategory(from: decoder)
        channels = body.elements("channel_preferences", upTo: Limits.channels)
        fields = Set(body.allKeys.map(\.stringValue))
    }

    /// The confirmed category, completed with the known one.
    package func category(updating known: PreferenceCategory) -> PreferenceCategory? {
        guard var new = category, new.slug == known.slug else { return nil }
        if !fields.contains("name") { new.name = known.name }
        if !fields.contains("description") { new.description = known.description }
        if !fields.contains("original_preference") { new.originalPreference = known.originalPreference }
        if !fields.contains("is_editable") { new.isEditable = known.isEditable }
        if !fields.contains("channels") { new.channels = known.channels }
        if !fields.contains("digest_schedule") { new.digestSchedule = known.digestSchedule }
        if !fields.contains("properties") { new.properties = known.properties }
        return new
    }
}

extension KeyedDecodingContainer where Key == WireKey {
    fileprivate var preference: PreferenceOption {
        get throws { PreferenceOption(rawValue: try required("preference", text("preference", Limits.name))) }
    }
}

extension PreferenceOption: Codable {}
extension ChannelLevel: Codable {}
