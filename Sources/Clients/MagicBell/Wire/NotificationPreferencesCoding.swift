import ClientKit

/// Reads every form of the service, and writes that of the REST API with its labels, so that an app can store them:
///
/// ```json
/// {"categories":[{"slug":"ci","label":"Builds","channels":[{"slug":"email","label":"E-mail","enabled":false}]}]}
/// ```
extension NotificationPreferences: Codable {
    /// Reads preferences with or without the wrapper `notification_preferences`. Invalid categories and channels are
    /// left out; of two with the same slug the first one is used.
    public init(from decoder: any Decoder) throws {
        self = try Answer(from: decoder).preferences
    }

    /// Writes `{"categories":[…]}`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(categories, forKey: "categories")
    }
}

extension NotificationPreferences {
    /// The form of preferences in requests and answers.
    package enum Form: Sendable, Equatable {
        /// `{"notification_preferences":{"categories":[{"slug","label","channels":[{"slug","label","enabled"}]}]}}`:
        /// the REST API with `accept-version: v2`.
        case list
        /// `{"notification_preferences":{"categories":{"ci":{"email":false,…}}}}`: the REST API's older form.
        case map
        /// `{"categories":[{"key","label","channels":[{"name","enabled"}]}]}`: the user API.
        case keys
    }

    /// The service's answer with its form.
    package struct Answer: Sendable, Equatable, Decodable {
        package var preferences: NotificationPreferences
        package var form: Form

        package init(from decoder: any Decoder) throws {
            let body = try decoder.container(keyedBy: WireKey.self)
            let wrapper = try? body.nestedContainer(keyedBy: WireKey.self, forKey: "notification_preferences")
            let contents = wrapper ?? body
            var categories: [Category]
            if let list = contents.elements("categories", of: Category.self) {
                categories = list
                form = wrapper == nil ? .keys : .list
            } else {
                let map = try contents.nestedContainer(keyedBy: WireKey.self, forKey: "categories")
                // In the order of the slugs, so that the same ones are left out each time.
                categories = map.allKeys.map(\.stringValue).sorted().compactMap { Category($0, map) }
                form = .map
            }
            var slugs: Set<String> = []
            categories = categories.prefix(Limits.categories).filter { slugs.insert($0.slug).inserted }
            preferences = NotificationPreferences(categories: categories)
        }
    }

    /// The body of a change of what these contain, and of nothing else.
    package func body(_ form: Form) -> JSONValue {
        switch form {
        case .list:
            let list = categories.map { category -> JSONValue in
                let channels = category.channels.map { channel -> JSONValue in
                    ["slug": .string(channel.slug), "enabled": .bool(channel.isEnabled)]
                }
                return ["slug": .string(category.slug), "channels": .array(channels)]
            }
            return ["notification_preferences": ["categories": .array(list)]]
        case .map:
            var map: [String: JSONValue] = [:]
            for category in categories {
                var channels: [String: JSONValue] = [:]
                for channel in category.channels { channels[channel.slug] = .bool(channel.isEnabled) }
                map[category.slug] = .object(channels)
            }
            return ["notification_preferences": ["categories": .object(map)]]
        case .keys:
            let list = categories.map { category -> JSONValue in
                let channels = category.channels.map { channel -> JSONValue in
                    ["name": .string(channel.slug), "enabled": .bool(channel.isEnabled)]
                }
                return ["key": .string(category.slug), "channels": .array(channels)]
            }
            return ["categories": .array(list)]
        }
    }
}

extension NotificationPreferences.Category: Codable {
    /// Reads one of the service's `categories`. Only the slug is required.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let slug = try wire.required("slug", wire.slug("slug", or: "key"))
        var slugs: Set<String> = []
        let channels = wire.elements("channels", of: NotificationPreferences.Channel.self) ?? []
        self.init(
            slug: slug,
            label: wire.label,
            channels: channels.prefix(Limits.channels).filter { slugs.insert($0.slug).inserted }
        )
    }

    /// Reads a member of the older form: a channel for each boolean.
    fileprivate init?(_ slug: String, _ map: KeyedDecodingContainer<WireKey>) {
        guard !slug.isEmpty, slug.utf8.count <= Limits.slug,
            let wire = try? map.nestedContainer(keyedBy: WireKey.self, forKey: WireKey(stringValue: slug))
        else { return nil }
        let channels = wire.allKeys.compactMap { key -> NotificationPreferences.Channel? in
            guard !key.stringValue.isEmpty, key.stringValue.utf8.count <= Limits.slug,
                let isEnabled = wire.value(key, as: Bool.self)
            else { return nil }
            return NotificationPreferences.Channel(slug: key.stringValue, isEnabled: isEnabled)
        }
        // In the order of the slugs, so that the same ones are left out each time.
        let sorted = channels.sorted { $0.slug < $1.slug }
        self.init(slug: slug, channels: Array(sorted.prefix(Limits.channels)))
    }

    /// Writes one of the service's `categories`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(slug, forKey: "slug")
        try wire.encode(label, forKey: "label")
        try wire.encode(channels, forKey: "channels")
    }
}

extension NotificationPreferences.Channel: Codable {
    /// Reads one of a category's `channels`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            slug: try wire.required("slug", wire.slug("slug", or: "name")),
            label: wire.label,
            isEnabled: try wire.required("enabled", wire.value("enabled"))
        )
    }

    /// Writes one of a category's `channels`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(slug, forKey: "slug")
        try wire.encode(label, forKey: "label")
        try wire.encode(isEnabled, forKey: "enabled")
    }
}

extension KeyedDecodingContainer where Key == WireKey {
    fileprivate func slug(_ key: WireKey, or other: WireKey) -> String? {
        let slug = whole(key, Limits.slug) ?? whole(other, Limits.slug)
        return slug?.isEmpty == true ? nil : slug
    }

    /// Nil: absent or empty.
    fileprivate var label: String? {
        let label = text("label", Limits.name)
        return label?.isEmpty == true ? nil : label
    }
}
