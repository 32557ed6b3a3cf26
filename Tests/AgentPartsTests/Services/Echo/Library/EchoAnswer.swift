import Basics
import ClientKit
import Inbox

/// An answer or an event of the service: the notifications that it concerns, and the present counts.
///
/// ```json
/// {"notifications":[{"id":"n1","title":"Hello","text":"…","link":"https://…","category":"news",
///  "created":1754000000000}],"more":false,"unread":1,"unseen":1,"total":1}
/// ```
struct EchoAnswer: Sendable, Equatable {
    /// Without those that are invalid.
    var notifications: [Notification] = []
    /// Whether there are others after these.
    var hasMore = false
    var counts: Counts
}

extension EchoAnswer: Decodable {
    init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        notifications = try wire.required("notifications", wire.objects("notifications")).compactMap {
            Notification($0)
        }
        hasMore = wire.bool("more") ?? false
        counts = Counts(unread: wire.count("unread"), unseen: wire.count("unseen"), total: wire.count("total"))
    }
}

extension Notification {
    /// A notification as the service sends it; nil: it has no id or no time.
    fileprivate init?(_ wire: some WireFields) {
        guard let id = wire.whole("id", 60), !id.isEmpty, let created = wire.integer("created") else { return nil }
        self.init(
            id: NotificationID(id),
            title: wire.text("title", 1_000) ?? "",
            body: wire.text("text", 20_000) ?? "",
            url: wire.whole("link", 4_000) ?? "",
            category: wire.whole("category", 100) ?? "",
            created: Timestamp(created: created),
            seen: wire.timestamp("seen"),
            read: wire.timestamp("read"),
            interacted: wire.timestamp("followed"),
            isArchived: wire.bool("archived") ?? false
        )
    }
}

/// The user's preferences, or one category of them.
struct EchoCategories: Decodable, Sendable {
    var categories: [PreferencesContents.Category]

    init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        categories = try wire.required("categories", wire.objects("categories")).compactMap { category in
            guard let id = category.whole("id", 100) else { return nil }
            return PreferencesContents.Category(
                id: id,
                name: category.text("name", 200) ?? id,
                isOn: category.bool("on") ?? true,
                isEditable: category.bool("required") != true,
                channels: (category.objects("channels") ?? []).compactMap { channel in
                    channel.whole("name", 100).map {
                        .init(name: $0, isOn: channel.bool("on") ?? true, isEditable: true)
                    }
                }
            )
        }
    }
}
