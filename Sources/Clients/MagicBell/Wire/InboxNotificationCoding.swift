import Basics
import ClientKit

/// Reads what both APIs send, and writes a form of its own, so that an app can store notifications:
///
/// ```json
/// {"id":"4f6f0c7e-…","title":"Build 812 failed","content":"<b>3</b> tests","action_url":"https://ci.example/812",
///  "category":"ci","topic":"build-812","custom_attributes":{"build":812},
///  "recipient":{"id":"9a1d","external_id":"user-001","email":"mary@example.com"},
///  "sent_at":"2026-01-01T00:00:00.000Z","seen_at":"2026-01-01T00:05:00.000Z"}
/// ```
///
/// The names are those of the service. Times are in ISO 8601, in UTC with milliseconds; nil members are omitted. Only
/// the id is required to read one, and ``Limits`` applies to all values.
extension InboxNotification: Codable {
    /// Reads a notification of the service, or a stored one.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let id = try wire.required("id", wire.value("id", as: String.self))
        guard Limits.isID(id) else {
            throw DecodingError.dataCorrupted(.init(codingPath: wire.codingPath, debugDescription: "not an id"))
        }
        let changed = wire.date("updated_at")
        let sent = wire.date("sent_at") ?? wire.date("created_at") ?? changed ?? 0
        var times = (seen: wire.date("seen_at"), read: wire.date("read_at"), archived: wire.date("archived_at"))
        // The user API has a status besides the times. The times are more precise: the status only replaces absent
        // ones.
        switch wire.value("status", as: String.self) {
        case "read": times.read = times.read ?? changed ?? sent
        case "unread": times.seen = times.seen ?? changed ?? sent
        case "archived": times.archived = times.archived ?? changed ?? sent
        default: break
        }
        self.init(
            id: id,
            title: wire.text("title", Limits.title) ?? "",
            content: wire.text("content", Limits.content),
            actionURL: wire.whole("action_url", Limits.url),
            category: wire.whole("category", Limits.slug),
            topic: wire.whole("topic", Limits.slug),
            customAttributes: Self.customAttributes(wire),
            recipient: wire.value("recipient"),
            sent: sent,
            // Reading also sees.
            seen: times.seen ?? times.read,
            read: times.read,
            archived: times.archived,
            discarded: Self.discarded(wire, else: changed ?? sent)
        )
    }

    /// When it was discarded; one with a time of another form is discarded, too.
    private static func discarded(_ wire: KeyedDecodingContainer<WireKey>, else time: Timestamp) -> Timestamp? {
        guard let value = wire.value("discarded_at", as: JSONValue.self), value != .null, value != .bool(false) else {
            return nil
        }
        return wire.date("discarded_at") ?? time
    }

    /// JSON of any kind, or a string that contains an object or an array.
    private static func customAttributes(_ wire: KeyedDecodingContainer<WireKey>) -> JSONValue? {
        guard let value = wire.value("custom_attributes", as: JSONValue.self), value != .null,
            value.text.utf8.count <= Limits.customAttributes
        else { return nil }
        guard let text = value.string, let contents = try? JSONValue(parsing: text) else { return value }
        return contents.object == nil && contents.array == nil ? value : contents
    }

    /// Writes a notification.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(id, forKey: "id")
        try wire.encode(title, forKey: "title")
        try wire.encodeIfPresent(content, forKey: "content")
        try wire.encodeIfPresent(actionURL, forKey: "action_url")
        try wire.encodeIfPresent(category, forKey: "category")
        try wire.encodeIfPresent(topic, forKey: "topic")
        try wire.encodeIfPresent(customAttributes, forKey: "custom_attributes")
        try wire.encodeIfPresent(recipient, forKey: "recipient")
        try wire.encode(WireDate.text(sent), forKey: "sent_at")
        try wire.encodeIfPresent(seen.map(WireDate.text), forKey: "seen_at")
        try wire.encodeIfPresent(read.map(WireDate.text), forKey: "read_at")
        try wire.encodeIfPresent(archived.map(WireDate.text), forKey: "archived_at")
        try wire.encodeIfPresent(discarded.map(WireDate.text), forKey: "discarded_at")
    }
}

extension InboxNotification.Recipient: Codable {
    /// Reads the service's `recipient`. No member is required.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        self.init(
            id: wire.whole("id", Limits.id),
            externalID: wire.whole("external_id", Limits.id),
            email: wire.whole("email", Limits.name),
            firstName: wire.text("first_name", Limits.name),
            lastName: wire.text("last_name", Limits.name)
        )
    }

    /// Writes the service's `recipient`; nil members are omitted.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encodeIfPresent(id, forKey: "id")
        try wire.encodeIfPresent(externalID, forKey: "external_id")
        try wire.encodeIfPresent(email, forKey: "email")
        try wire.encodeIfPresent(firstName, forKey: "first_name")
        try wire.encodeIfPresent(lastName, forKey: "last_name")
    }
}
