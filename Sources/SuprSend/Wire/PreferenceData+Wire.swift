import ClientKit

/// Preferences as the service writes them (suprsend.md §2.5). What makes no sense is left out, and never the whole because of it.
extension PreferenceData: Decodable {
    /// Reads the service's `{sections, channel_preferences}`. A body with neither is none of its.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        guard body.contains("sections") || body.contains("channel_preferences") else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no preferences"))
        }
        self.init(
            sections: body.value("sections", as: LossyArray<PreferenceSection>.self)?.elements,
            channelPreferences: body.value("channel_preferences", as: LossyArray<OverallChannelPreference>.self)?
                .elements
        )
    }
}

extension PreferenceSection: Decodable {
    /// Reads one of the service's `sections`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            name: wire.value("name"),
            slug: wire.value("slug"),
            description: wire.value("description"),
            categories: wire.value("subcategories", as: LossyArray<PreferenceCategory>.self)?.elements ?? []
        )
    }
}

extension PreferenceCategory: Decodable {
    /// Reads one of the service's categories. Only slug and preference must be there.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let slug = try wire.required("category", wire.value("category", as: String.self))
        self.init(
            name: wire.value("name") ?? slug,
            slug: slug,
            description: wire.value("description"),
            originalPreference: wire.value("original_preference").map { PreferenceOption(rawValue: $0) },
            preference: PreferenceOption(rawValue: try wire.required("preference", wire.value("preference"))),
            isEditable: wire.value("is_editable") ?? true,
            channels: wire.value("channels", as: LossyArray<ChannelPreference>.self)?.elements ?? [],
            digestSchedule: wire.value("digest_schedule"),
            // The samples show one object, the updates an array.
            properties: wire.value("properties", as: LossyArray<CategoryProperty>.self)?.elements
                ?? wire.value("properties", as: CategoryProperty.self).map { [$0] } ?? []
        )
    }
}

extension ChannelPreference: Decodable {
    /// Reads one of a category's `channels`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            channel: try wire.required("channel", wire.value("channel")),
            preference: PreferenceOption(rawValue: try wire.required("preference", wire.value("preference"))),
            isEditable: wire.value("is_editable") ?? true
        )
    }
}

extension OverallChannelPreference: Decodable {
    /// Reads one of the service's `channel_preferences`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            channel: try wire.required("channel", wire.value("channel")),
            isRestricted: try wire.required("is_restricted", wire.value("is_restricted"))
        )
    }
}

extension CategoryPage: Decodable {
    /// Reads the service's `{meta, results}`.
    public init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        categories = try body.decode(LossyArray<PreferenceCategory>.self, forKey: "results").elements
        guard let meta = try? body.nestedContainer(keyedBy: WireKey.self, forKey: "meta") else { return }
        count = meta.integer("count").map { Int(clamping: $0) }
        limit = meta.integer("limit").map { Int(clamping: $0) }
        offset = meta.integer("offset").map { Int(clamping: $0) }
    }
}

/// The answer to P4.
package struct OverallChannels: Sendable, Equatable, Decodable {
    package var channels: [OverallChannelPreference]

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        channels = try body.decode(LossyArray<OverallChannelPreference>.self, forKey: "channel_preferences").elements
    }
}

/// The answer to P5 and P6, as far as it can be read: what became of the change.
package struct PreferenceConfirmation: Sendable, Equatable, Decodable, EmptyAnswer {
    package var category: PreferenceCategory?
    package var channels: [OverallChannelPreference]?
    /// The fields of the category that the answer has; the others stay as they are (suprsend.md §5.5).
    private var fields: Set<String> = []

    package init() {}

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        category = try? PreferenceCategory(from: decoder)
        channels = body.value("channel_preferences", as: LossyArray<OverallChannelPreference>.self)?.elements
        fields = Set(body.allKeys.map(\.stringValue))
    }

    /// The category confirmed, given the one known.
    func category(updating known: PreferenceCategory) -> PreferenceCategory? {
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
