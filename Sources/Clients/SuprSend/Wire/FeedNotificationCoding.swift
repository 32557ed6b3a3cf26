import Basics
import ClientKit

/// Reads and writes a row in the service's form, so that an app can store it. Id and message are required. ``Limits``
/// applies to all values that are read.
extension FeedNotification: Codable {
    /// Reads one of the service's rows.
    public init(from decoder: any Decoder) throws {
        if let fields = decoder.jsonFields {
            try self.init(fields)
        } else {
            try self.init(decoder.container(keyedBy: WireKey.self))
        }
    }

    private init(_ row: some WireFields) throws {
        let id = try row.required("n_id", row.string("n_id"))
        guard Limits.isID(id) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not an id"))
        }
        let message = try row.required("message", row.object("message"))
        let created = row.milliseconds("created_on") ?? Self.time(ofULID: id) ?? 0
        self.init(
            id: id,
            category: row.text("n_category", Limits.name) ?? "",
            tenantID: row.text("tenant_id", Limits.name),
            importance: row.text("importance", Limits.name),
            // The service's published sample has tags only inside `message`; if they exist at the root, even null means
            // "none".
            tags: row.contains("tags") ? row.tags : message.tags,
            isArchived: row.bool("archived") ?? false,
            isPinned: row.bool("is_pinned") ?? false,
            canUserUnpin: row.bool("can_user_unpin"),
            isExpiryVisible: row.bool("is_expiry_visible") ?? false,
            message: Message(message),
            created: Timestamp(created: created),
            sortKey: Timestamp(milliseconds: created),
            seen: row.timestamp("seen_on"),
            read: row.timestamp("read_on"),
            interacted: row.timestamp("interacted_on"),
            expiry: row.expiry
        )
    }

    /// The time in milliseconds with which a ULID begins (<https://github.com/ulid/spec>); nil: another id.
    private static func time(ofULID id: String) -> Int64? {
        guard id.utf8.count == 26 else { return nil }
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        return id.utf8.prefix(10).reduce(0) { time, byte in
            guard let time, let digit = digits.firstIndex(of: byte) else { return nil }
            return time * 32 + Int64(digit)
        }
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

extension WireFields {
    fileprivate var tags: [String] {
        let tags = strings("tags") ?? []
        return Array(tags.compactMap { $0.unlessLonger(than: Limits.tag) }.prefix(Limits.tags))
    }

    /// The service's own SDKs disagree about 0; "never" loses nothing. An expiry before the Unix epoch is in the past.
    fileprivate var expiry: Timestamp? {
        guard let expiry = milliseconds("expiry"), expiry != 0 else { return nil }
        return max(Timestamp(milliseconds: expiry).clamped, 1)
    }
}

extension FeedNotification.Message: Codable {
    /// Reads the service's `message`.
    public init(from decoder: any Decoder) throws { self.init(try decoder.container(keyedBy: WireKey.self)) }

    fileprivate init(_ wire: some WireFields) {
        let actions = (wire.objects("actions") ?? []).compactMap { try? FeedNotification.Action($0) }
        self.init(
            schema: wire.text("schema", Limits.name),
            header: wire.text("header", Limits.title),
            text: wire.text("text", Limits.text) ?? "",
            subtext: wire.object("subtext").flatMap { try? FeedNotification.Subtext($0) },
            avatar: wire.object("avatar").flatMap { try? FeedNotification.Avatar($0) },
            url: wire.whole("url", Limits.url),
            opensInNewTab: wire.bool("open_in_new_tab"),
            // The service sends a string that contains JSON; an object is also accepted and converted to text.
            extraData: (wire.string("extra_data") ?? wire.json("extra_data")?.text)?
                .unlessLonger(than: Limits.extraData),
            actions: Array(actions.prefix(Limits.actions))
        )
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
    public init(from decoder: any Decoder) throws { try self.init(decoder.container(keyedBy: WireKey.self)) }

    fileprivate init(_ wire: some WireFields) throws {
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
    public init(from decoder: any Decoder) throws { try self.init(decoder.container(keyedBy: WireKey.self)) }

    fileprivate init(_ wire: some WireFields) throws {
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
    public init(from decoder: any Decoder) throws { try self.init(decoder.container(keyedBy: WireKey.self)) }

    fileprivate init(_ wire: some WireFields) throws {
        let url = wire.string("url") ?? ""
        self.init(
            name: try wire.required("name", wire.text("name", Limits.name)),
            url: try wire.required("url", url.unlessLonger(than: Limits.url)),
            opensInNewTab: wire.bool("open_in_new_tab")
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
