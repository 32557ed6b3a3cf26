import ClientKit

/// Decodes preferences from the service's form. Invalid parts are left out and never fail the whole.
extension PreferenceData: Decodable {
    /// Reads the service's `{sections, channel_preferences}`. A body without both is an error.
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
    /// Reads one of the service's categories. Only slug and preference are required.
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
            // The service's samples show one object, its updates an array.
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

/// The response of the channels call.
package struct OverallChannels: Sendable, Equatable, Decodable {
    package var channels: [OverallChannelPreference]

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        channels = try body.decode(LossyArray<OverallChannelPreference>.self, forKey: "channel_preferences").elements
    }
}

/// The response to a preference change: the values in effect, as far as it contains them.
package struct PreferenceConfirmation: Sendable, Equatable, Decodable, EmptyAnswer {
    package var category: PreferenceCategory?
    package var channels: [OverallChannelPreference]?
    /// The fields of the category in the response; all other fields keep their values.
    private var fields: Set<String> = []

    package init() {}

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        category = try? PreferenceCategory(from: decoder)
        channels = body.value("channel_preferences", as: LossyArray<OverallChannelPreference>.self)?.elements
        fields = Set(body.allKeys.map(\.stringValue))
    }

    /// The confirmed category, completed with the known one.
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
