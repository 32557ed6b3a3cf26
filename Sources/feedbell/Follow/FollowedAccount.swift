import AgentInterface
import DBus

/// The state of a followed account.
struct FollowedAccount {
    typealias Event = FollowedAgent.Event

    let name: String
    /// The properties of each interface.
    private(set) var properties: [String: [String: Value]]
    /// The loaded notifications by id. The agent limits their number.
    private(set) var notifications: [String: [String: Value]] = [:]
    /// The serial number of the `List` reply that `notifications` started with.
    private var listSerial: UInt32 = 0
    private var lastReported: [Event] = []

    init(_ interfaces: [String: [String: Value]]) {
        properties = interfaces
        name = interfaces[AgentAccount.name.text]?.text(AgentAccount.accountName.name.text) ?? ""
    }

    /// Sets the initial list, before any signal about it.
    mutating func list(_ notifications: [[String: Value]], serial: UInt32) -> [Event] {
        listSerial = serial
        for notification in notifications { self.notifications[notification.text("id") ?? ""] = notification }
        return notifications.map { event("notification-listed", ["notification": Value($0)]) }
    }

    /// Handles a signal of the account's object.
    mutating func receive(_ message: Message) throws(DBusError) -> [Event] {
        if let (interface, changed, _) = try PropertiesInterface.propertiesChanged.decode(message) {
            let store = AgentInbox.activeStore.name.text
            // Another store became active.
            if let new = changed[store], properties[interface]?[store] != new { notifications = [:] }
            properties[interface, default: [:]].merge(changed) { $1 }
            return changedEvents()
        }
        if let (action, ids, error, sentence) = try AgentInbox.actionFailed.decode(message) {
            let members = ["action": .string(action), "ids": Value(ids)] as [String: Value]
            return [failed("action-failed", error, sentence, members)]
        }
        if try AgentPreferences.updated.decode(message) != nil { return [event("preferences-updated")] }
        if let (target, error, sentence) = try AgentPreferences.updateFailed.decode(message) {
            return [failed("preferences-failed", error, sentence, ["target": .string(target)])]
        }
        if let (_, notification) = try AgentInbox.notificationArrived.decode(message) {
            return [event("notification-arrived", ["notification": Value(notification)])]
        }
        return message.serial > listSerial ? try receiveNotification(message) : []
    }

    private mutating func receiveNotification(_ message: Message) throws(DBusError) -> [Event] {
        if let (id, notification) = try AgentInbox.notificationAdded.decode(message) {
            let old = notifications.updateValue(notification, forKey: id)
            if old == notification { return [] }
            return [
                event(old == nil ? "notification-added" : "notification-changed", ["notification": Value(notification)])
            ]
        }
        if let (id, notification) = try AgentInbox.notificationChanged.decode(message) {
            // It may be a notification that is not in the list.
            if notifications[id] == notification { return [] }
            if notifications[id] != nil { notifications[id] = notification }
            return [event("notification-changed", ["notification": Value(notification)])]
        }
        if let id = try AgentInbox.notificationRemoved.decode(message),
            let notification = notifications.removeValue(forKey: id)
        {
            return [event("notification-removed", ["notification": Value(notification)])]
        }
        return []
    }

    /// The events of the account's properties that differ from the last reported ones.
    mutating func changedEvents() -> [Event] {
        let now = [event("account", state), event("counts", counts)]
        defer { lastReported = now }
        return now.filter { !lastReported.contains($0) }
    }

    private var state: [String: Value] {
        let account = properties[AgentAccount.name.text] ?? [:]
        var state: [String: Value] = [:]
        state["provider"] = account[AgentAccount.provider.name.text]
        state["user"] = account[AgentAccount.user.name.text]
        state["state"] = account[AgentAccount.state.name.text]
        state["since"] = account[AgentAccount.stateSince.name.text]
        state["next_attempt"] = account[AgentAccount.nextAttempt.name.text]
        state["attention_needed"] = account[AgentAccount.attentionNeeded.name.text]
        state["pending"] = account[AgentAccount.pendingActions.name.text]
        if case .structure(let error)? = account[AgentAccount.pendingError.name.text], error.count == 2 {
            (state["pending_error_name"], state["pending_error"]) = (error[0], error[1])
        }
        if case .structure(let error)? = account[AgentAccount.lastError.name.text], error.count == 2 {
            (state["error_name"], state["error"]) = (error[0], error[1])
        }
        return state
    }

    private var counts: [String: Value] {
        let inbox = properties[AgentInbox.name.text] ?? [:]
        var counts: [String: Value] = [:]
        counts["unread"] = inbox[AgentInbox.unreadCount.name.text]
        counts["unseen"] = inbox[AgentInbox.unseenCount.name.text]
        counts["badge"] = inbox[AgentInbox.badgeCount.name.text]
        counts["total"] = inbox[AgentInbox.totalCount.name.text]
        counts["has_more"] = inbox[AgentInbox.hasMore.name.text]
        counts["store"] = inbox[AgentInbox.activeStore.name.text]
        let stores = (try? PropertyValues<AgentInbox>(inbox).value(AgentInbox.stores)) ?? []
        counts["stores"] = Value(
            stores.map { store in
                let (id, label, count) = store.elements
                return ["id": .string(id), "label": .string(label), "count": .uint32(count)] as [String: Value]
            }
        )
        return counts
    }

    private func failed(_ event: String, _ error: String, _ sentence: String, _ more: [String: Value]) -> Event {
        self.event(event, more.merging(["error_name": .string(error), "error": .string(sentence)]) { $1 })
    }

    private func event(_ event: String, _ members: [String: Value] = [:]) -> Event {
        members.merging(["event": .string(event), "account": .string(name)]) { $1 }
    }
}
