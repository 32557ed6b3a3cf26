import AgentInterface
import DBus
import Inbox
import Logging

/// An account's part of the tray icon's menu.
extension AccountSession {
    /// The newest unread notifications of those that are listed.
    func newestUnread(_ limit: Int) -> [TrayMenu.Notification] {
        var newest: [Notification] = []
        try? inbox.forEach(.inbox, NotificationFilter(unread: true, snoozed: false)) { notification in
            if !notification.isMuted { newest.append(notification) }
            return newest.count < limit
        }
        return newest.map { notification in
            let title = RichText(title: notification.title).plain
            return TrayMenu.Notification(
                account: self.identity.name,
                place: SortKey(of: notification),
                title: title.allSatisfy(\.isWhitespace) ? RichText(markup: notification.body).plain : title,
                category: notification.category
            )
        }
    }

    /// The categories as far as they are known, without a request.
    func menuPreferences() async -> TrayMenu.Preferences {
        guard let preferences else { return .unsupported }
        guard let contents = await preferences.known else { return .unknown }
        let hasSwitches = service.capabilities.contains(.categoryPreferences)
        return .known(
            contents.categories.map { category in
                TrayMenu.Category(
                    account: identity.name,
                    id: category.id,
                    name: category.name.isEmpty ? category.id : category.name,
                    isOn: category.isOn,
                    isEditable: category.isEditable,
                    channels: hasSwitches
                        ? []
                        : category.channels.map { .init(name: $0.name, isOn: $0.isOn, isEditable: $0.isEditable) }
                )
            }
        )
    }

    func loadMenuPreferences() async {
        guard let preferences else { return }
        do throws(DBusError) { _ = try await preferences.shown() } catch {
            logger.debug("cannot load the preferences for the menu", metadata: ["reason": "\(error.message)"])
        }
    }

    /// Turns the notifications of a category off or on.
    func toggleCategory(_ id: String) async throws(DBusError) {
        let (preferences, category) = try await category(id)
        try await preferences.submit(.category(id, isOn: !category.isOn))
    }

    /// Turns the notifications of a category on a channel off or on.
    func toggleChannel(_ name: String, ofCategory id: String) async throws(DBusError) {
        let (preferences, category) = try await category(id)
        guard let channel = category.channels.first(where: { $0.name == name }) else {
            throw DBusError(AgentErrors.notFound, "The category \"\(id)\" has no channel \"\(name)\".")
        }
        try await preferences.submit(.channel(name, inCategory: id, isOn: !channel.isOn))
    }

    private func category(_ id: String) async throws(DBusError) -> (AccountPreferences, PreferencesContents.Category) {
        guard let preferences, let category = await preferences.known?.categories.first(where: { $0.id == id }) else {
            throw DBusError(AgentErrors.notFound, "There is no category \"\(id)\". List lists all categories.")
        }
        return (preferences, category)
    }
}
