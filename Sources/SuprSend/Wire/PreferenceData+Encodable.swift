import ClientKit

/// Encodes preferences in the service's form, so that an app can store them and decode them again.
extension PreferenceData: Encodable {
    /// Writes the service's `{sections, channel_preferences}`; nil becomes null.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: WireKey.self)
        try body.encode(sections, forKey: "sections")
        try body.encode(channelPreferences, forKey: "channel_preferences")
    }
}

extension PreferenceSection: Encodable {
    /// Writes one of the service's `sections`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encodeIfPresent(name, forKey: "name")
        try wire.encodeIfPresent(slug, forKey: "slug")
        try wire.encodeIfPresent(description, forKey: "description")
        try wire.encode(categories, forKey: "subcategories")
    }
}

extension PreferenceCategory: Encodable {
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

extension ChannelPreference: Encodable {
    /// Writes one of a category's `channels`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(channel, forKey: "channel")
        try wire.encode(preference, forKey: "preference")
        try wire.encode(isEditable, forKey: "is_editable")
    }
}

extension OverallChannelPreference: Encodable {
    /// Writes one of the service's `channel_preferences`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(channel, forKey: "channel")
        try wire.encode(isRestricted, forKey: "is_restricted")
    }
}

extension CategoryPage: Encodable {
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

extension PreferenceOption: Codable {}
extension ChannelLevel: Codable {}
