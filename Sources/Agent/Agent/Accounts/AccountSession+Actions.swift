import AgentInterface
import DBus
import Inbox

/// The methods of `org.feedbell.Agent1.Inbox` that change notifications.
extension AccountSession {
    /// The maximum length of an id in bytes. Services use 26 and 36. With a longer one, the service would reject the
    /// whole request.
    private static let maximumIDLength = 256

    func addActions(to object: inout ExportedObject) {
        object.handle(AgentInbox.open) { id, data in try await self.open(Self.checked(id), platformData: data) }
        object.handle(AgentInbox.invoke) { id, action, data in
            try await self.invoke(action, of: Self.checked(id), platformData: data)
        }
        object.handle(AgentInbox.markSeen) { ids in
            try await self.submit(Change.seen(try Self.checked(ids), atOnce: self.service.rules.seenAtOnce))
        }
        object.handle(AgentInbox.markRead) { ids in try await self.submit(Self.checked(ids).map(Change.read)) }
        object.handle(AgentInbox.markUnread) { ids in try await self.submit(Self.checked(ids).map(Change.unread)) }
        object.handle(AgentInbox.markInteracted) { ids in
            try await self.submit(Self.checked(ids).map(Change.interacted))
        }
        object.handleCall(AgentInbox.archive) { ids, context in
            try await self.submit(Self.checked(ids).map(Change.archive), by: context.sender?.text)
        }
        object.handle(AgentInbox.unarchive) { ids in try await self.submit(Self.checked(ids).map(Change.unarchive)) }
        object.handleCall(AgentInbox.delete) { ids, context in
            try await self.submit(Self.checked(ids).map(Change.delete), by: context.sender?.text)
        }
        object.handleCall(AgentInbox.markAllRead) { _, context in
            try await self.submit([.allRead], by: context.sender?.text)
        }
        object.handle(AgentInbox.markAllSeen) { try await self.markAllSeen() }
        object.handle(AgentInbox.resetBadge) { try await self.submit([.badgeReset]) }
    }

    static func checked(_ ids: [String]) throws(DBusError) -> [NotificationID] {
        let limit = AgentInbox.maximumIDs
        guard ids.count <= limit else {
            throw DBusError(.limitsExceeded, "\(ids.count) ids are too many for one call. Pass at most \(limit).")
        }
        return try ids.map { (id) throws(DBusError) in try checked(id) }
    }

    static func checked(_ id: String) throws(DBusError) -> NotificationID {
        if id.isEmpty { throw DBusError(.invalidArgs, "An id is empty. Use an id that List returns.") }
        guard id.utf8.count <= maximumIDLength else {
            throw DBusError(.invalidArgs, "An id of \(id.utf8.count) bytes is too long. Use an id that List returns.")
        }
        return NotificationID(id)
    }

    private func open(_ id: NotificationID, platformData: [String: Value]) async throws(DBusError) {
        let request = try LinkRequest(platformData)
        let notification = try await notification(id)
        let hasLink = try await follow(id, request) { (reader) throws(LinkReader.Problem) in
            try notification.target(reader)
        }
        if !hasLink { throw request.error(.noLink) }
    }

    /// Acts like a click on the button or the part `action` of a notification: marks it as interacted and opens the
    /// link or, without one, that of the notification, if there is one.
    private func invoke(
        _ action: String,
        of id: NotificationID,
        platformData: [String: Value]
    ) async throws(DBusError) {
        let request = try LinkRequest(platformData)
        let notification = try await notification(id)
        let reader = await reader
        guard let link = notification.link(of: action, reader) else {
            let parts = notification.linkedParts.map(\.part.rawValue) + notification.textLinks(reader).map(\.action)
            let names = notification.actions.map(\.id) + parts
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            let hint = names.isEmpty ? "It has no buttons." : "Use one of \(list)."
            throw DBusError(.invalidArgs, "The notification has no button \"\(action)\". \(hint)")
        }
        _ = try await follow(id, request) { (reader) throws(LinkReader.Problem) in
            try notification.target(of: link, reader)
        }
    }

    /// Marks all notifications, if the service counts unseen ones as its badge; otherwise the loaded ones: services
    /// have no such action.
    private func markAllSeen() async throws(DBusError) {
        if service.rules.badgeIsUnseen { return try await submit([.badgeReset]) }
        let unseen = (try? inbox.listedIDs(where: "seen = 0")) ?? []
        try await submit(Change.seen(unseen, atOnce: service.rules.seenAtOnce))
    }
}
