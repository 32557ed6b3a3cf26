package import ClientKit

/// An event of the realtime feed. It holds an id; the notification is requested.
package enum InboxEvent: Sendable, Hashable {
    case created(id: String)
    case changed(id: String, StateChange)
    case deleted(id: String)
    case allRead
    case allSeen
}

extension InboxEvent {
    /// Decodes the event `name` with its `data`, which may also be text that contains JSON; nil: not an event of the
    /// inbox. Only the id is read (MagicBell's documentation, "Realtime events").
    package init?(name: String, data: JSONValue?) {
        guard name.hasPrefix("notifications/") else { return nil }
        let kind = name.dropFirst("notifications/".count)
        switch kind {
        case "read/all": self = .allRead
        case "seen/all": self = .allSeen
        default:
            let object = data?.string.flatMap { try? JSONValue(parsing: $0) } ?? data
            guard let id = object?["id"]?.string, Limits.isID(id) else { return nil }
            switch kind {
            case "new": self = .created(id: id)
            case "seen": self = .changed(id: id, .seen)
            case "read": self = .changed(id: id, .read)
            case "unread": self = .changed(id: id, .unread)
            case "archived": self = .changed(id: id, .archived)
            case "unarchived": self = .changed(id: id, .unarchived)
            case "delete": self = .deleted(id: id)
            default: return nil
            }
        }
    }
}
