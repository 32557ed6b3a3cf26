import Basics
import ClientKit

/// Reads and writes a row in the service's form, so that an app can store it. Id, category, creation time and message
/// are required. ``Limits`` applies to all values that are read.
extension FeedNotification: Codable {
    /// Reads one of the service's rows.
    public init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: WireKey.self)
        let id = try row.required("n_id", row.whole("n_id", Limits.id))
        guard !id.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: row.codingPath, debugDescription: "empty n_id"))
        }
        let message = try row.decode(Message.self, forKey: "message")
        let created = try row.required("created_on", row.integer("created_on"))
        self.init(
            id: id,
            category: try row.required("n_category", row.text("n_category", Limits.name)),
            tenantID: row.text("tenant_id", Limits.name),
            importance: row.text("importance", Limits.name),
            // The service's published sample has tags only inside `message`; if they exist at the root, even null means
            // "none".
            tags: row.contains("tags") ? row.tags : try row.decode(MessageTags.self, forKey: "message").tags,
            isArchived: row.value("archived") ?? false,
            isPinned: row.value("is_pinned") ?? false,
            canUserUnpin: row.value("can_user_unpin"),
            isExpiryVisible: row.value("is_expiry_visible") ?? false,
            message: message,
            created: Timestamp(created: created),
            sortKey: Timestamp(milliseconds: created),
            seen: row.timestamp("seen_on"),
            read: row.timestamp("read_on"),
            interacted: row.timestamp("interacted_on"),
            expiry: row.expiry
        )
    }

    /// Writes a row in the service's form. Nil members are omitted.
    public func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: WireKey.self)
        try row.encode(id, forKey: "n_id")
        try row.encode(category, forKey: "n_category")
        try row.encodeIfPresent(tenantID, forKey: "tenant_id")
        try row.encodeIfPresent(importance, forKey: "importance")
        try row.encode(tags, forKey: "tags")
        try row.encode(isArchived, forKey: "archived")
        try row.encode(isPinned, forKey: "is_pinned")
        try row.encodeIfPresent(canUserUnpin, forKey: "can_user_unpin")
        try row.encode(isExpiryVisible, forKey: "is_expiry_visible")
        try row.encode(message, forKey: "message")
        // The service's raw number, even if it is not in milliseconds.
        try row.encode(sortKey.milliseconds, forKey: "created_on")
        try row.encodeIfPresent(seen?.milliseconds, forKey: "seen_on")
        try row.encodeIfPresent(read?.milliseconds, forKey: "read_on")
        try row.encodeIfPresent(interacted?.milliseconds, forKey: "interacted_on")
        try row.encodeIfPresent(expiry?.milliseconds, forKey: "expiry")
    }
}

extension KeyedDecodingContainer where Key == WireKey {
    fileprivate var tags: [String] {
        let tags = elements("tags", of: String.self) ?? []
        return Array(tags.lazy.compactMap { $0.unlessLonger(than: Limits.tag) }.prefix(Limits.tags))
    }

    /// The service's own SDKs disagree about 0; "never" loses nothing. An expiry before the Unix epoch is in the past.
    fileprivate var expiry: Timestamp? {
        guard let expiry = integer("expiry"), expiry != 0 else { return nil }
        return max(Timestamp(milliseconds: expiry).clamped, 1)
    }
}

private struct MessageTags: Decodable {
    var tags: [String]

    init(from decoder: any Decoder) throws { tags = try decoder.container(keyedBy: WireKey.self).tags }
}

extension FeedNotification.Message: Codable {
    /// Reads the service's `message`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let actions = wire.elements("actions", of: FeedNotification.Action.self) ?? []
        self.init(
            schema: wire.text("schema", Limits.name),
            header: wire.text("header", Limits.title),
            text: wire.text("text", Limits.text) ?? "",
            subtext: wire.value("subtext"),
            avatar: wire.value("avatar"),
            url: wire.whole("url", Limits.url),
            opensInNewTab: wire.value("open_in_new_tab"),
            extraData: Self.extraData(wire)?.unlessLonger(than: Limits.extraData),
            actions: Array(actions.prefix(Limits.actions))
        )
    }

    /// JSON text: the service sends a string that contains JSON; an object is also accepted and converted to text.
    private static func extraData(_ wire: KeyedDecodingContainer<WireKey>) -> String? {
        if let text = wire.value("extra_data", as: String.self) { return text }
        return wire.value("extra_data", as: JSONValue.self)?.text
    }

    /// Writes the service's `message`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encodeIfPresent(schema, forKey: "schema")
        try wire.encodeIfPresent(header, forKey: "header")
        try wire.encode(text, forKey: "text")
        try wire.encodeIfPresent(subtext, forKey: "subtext")
        try wire.encodeIfPresent(avatar, forKey: "avatar")
        try wire.encodeIfPresent(url, forKey: "url")
        try wire.encodeIfPresent(opensInNewTab, forKey: "open_in_new_tab")
        try wire.encodeIfPresent(extraData, forKey: "extra_data")
        try wire.encode(actions, forKey: "actions")
    }
}

extension FeedNotification.Subtext: Codable {
    /// Reads the service's `subtext`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            text: try wire.required("text", wire.text("text", Limits.subtext)),
            actionURL: wire.whole("action_url", Limits.url)
        )
    }

    /// Writes the service's `subtext`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(text, forKey: "text")
        try wire.encodeIfPresent(actionURL, forKey: "action_url")
    }
}

extension FeedNotification.Avatar: Codable {
    /// Reads the service's `avatar`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            url: try wire.required("avatar_url", wire.whole("avatar_url", Limits.url)),
            actionURL: wire.whole("action_url", Limits.url)
        )
    }

    /// Writes the service's `avatar`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(url, forKey: "avatar_url")
        try wire.encodeIfPresent(actionURL, forKey: "action_url")
    }
}

extension FeedNotification.Action: Codable {
    /// Reads one of the service's `actions`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let url: String = wire.value("url") ?? ""
        self.init(
            name: try wire.required("name", wire.text("name", Limits.name)),
            url: try wire.required("url", url.unlessLonger(than: Limits.url)),
            opensInNewTab: wire.value("open_in_new_tab")
        )
    }

    /// Writes one of the service's `actions`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(name, forKey: "name")
        try wire.encode(url, forKey: "url")
        try wire.encodeIfPresent(opensInNewTab, forKey: "open_in_new_tab")
    }
}

extension FeedNotification: IdentifiedOnWire {
    package static var idKey: WireKey { "n_id" }
}
