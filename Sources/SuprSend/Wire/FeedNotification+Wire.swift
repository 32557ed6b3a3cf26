import SocketIO

/// A row as the service writes it (suprsend.md §2.1). Only id, category, creation time and message must be there.
extension FeedNotification: Decodable {
    /// Reads one row of the service.
    public init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: WireKey.self)
        let id = try row.required("n_id", row.value("n_id", as: String.self))
        guard !id.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: row.codingPath, debugDescription: "empty n_id"))
        }
        let wire = try row.decode(WireMessage.self, forKey: "message")
        self.init(
            id: id,
            category: try row.required("n_category", row.value("n_category")),
            tenantID: row.value("tenant_id"),
            importance: row.value("importance"),
            // The published sample has tags only inside `message`; at the root, even null means "none".
            tags: row.contains("tags") ? row.value("tags", as: LossyArray<String>.self)?.elements ?? [] : wire.tags,
            isArchived: row.value("archived") ?? false,
            isPinned: row.value("is_pinned") ?? false,
            canUserUnpin: row.value("can_user_unpin"),
            isExpiryVisible: row.value("is_expiry_visible") ?? false,
            message: wire.message,
            created: try row.required("created_on", row.milliseconds("created_on")),
            seen: row.milliseconds("seen_on"),
            read: row.milliseconds("read_on"),
            interacted: row.milliseconds("interacted_on"),
            // The service's clients disagree about 0; "never" loses nothing.
            expiry: row.milliseconds("expiry").flatMap { $0 == 0 ? nil : $0 }
        )
    }
}

private struct WireMessage: Decodable {
    var message: FeedNotification.Message
    var tags: [String]

    init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        tags = wire.value("tags", as: LossyArray<String>.self)?.elements ?? []
        message = FeedNotification.Message(
            schema: wire.value("schema"),
            header: wire.value("header"),
            text: wire.value("text") ?? "",
            subtext: wire.value("subtext"),
            avatar: wire.value("avatar"),
            url: wire.value("url"),
            opensInNewTab: wire.value("open_in_new_tab"),
            extraData: Self.extraData(wire),
            actions: wire.value("actions", as: LossyArray<FeedNotification.Action>.self)?.elements ?? []
        )
    }

    /// JSON text: the service sends a string that holds JSON; an object is accepted, too, and written out.
    private static func extraData(_ wire: KeyedDecodingContainer<WireKey>) -> String? {
        if let text = wire.value("extra_data", as: String.self) { return text }
        return wire.value("extra_data", as: JSONValue.self)?.text
    }
}

extension FeedNotification.Subtext: Decodable {
    /// Reads the service's `subtext`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(text: try wire.required("text", wire.value("text")), actionURL: wire.value("action_url"))
    }
}

extension FeedNotification.Avatar: Decodable {
    /// Reads the service's `avatar`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(url: try wire.required("avatar_url", wire.value("avatar_url")), actionURL: wire.value("action_url"))
    }
}

extension FeedNotification.Action: Decodable {
    /// Reads one of the service's `actions`.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            name: try wire.required("name", wire.value("name")),
            url: wire.value("url") ?? "",
            opensInNewTab: wire.value("open_in_new_tab")
        )
    }
}
