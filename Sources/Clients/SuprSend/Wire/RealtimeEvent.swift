import ClientKit

/// An event of the service's socket: mostly an id whose row has to be loaded.
package enum RealtimeEvent: Sendable, Equatable {
    case newNotification(id: String)
    case notificationUpdate(id: String)
    case allRead
    case seen(ids: [String])
    case badgeReset

    /// Nil for an unknown event: another name, another payload, an id that is too long, `joined_room`. Further
    /// arguments, such as the trailing stream offset, are ignored.
    package init?(name: String, arguments: [JSONValue]) {
        if name == "reset_badge" {
            self = .badgeReset
            return
        }
        guard case .object(let payload)? = arguments.first else { return nil }
        switch name {
        case "new_notification":
            guard let id = Self.id(payload["n_id"]) else { return nil }
            self = .newNotification(id: id)
        case "notification_update":
            guard let id = Self.id(payload["n_id"]) else { return nil }
            self = .notificationUpdate(id: id)
        case "bulk_notification_update":
            switch (payload["action"], payload["notification_ids"]) {
            case (.string("read"), .string("all")):
                self = .allRead
            case (.string("seen"), .array(let ids)):
                self = .seen(ids: ids.compactMap(Self.id))
            default: return nil
            }
        default: return nil
        }
    }
    private static func id(_ value: JSONValue?) -> String? { value?.string.flatMap { Limits.isID($0) ? $0 : nil } }
}
