import AgentInterface
import DBus

/// The state of a followed account.
struct FollowedAccount {
    typealias Event = FollowedEvent
    private typealias Members = [String: JSONText]

    let name: String
    /// The properties of each interface.
    private(set) var properties: [String: [String: Value]]
    /// The loaded notifications by id. The agent limits their number.
    private(set) var notifications: [String: NotificationRecord] = [:]
    /// The serial number of the `List` reply that `notifications` started with.
    private var listSerial: UInt32 = 0
    private var lastReported: [Event] = []

    init(_ interfaces: [String: [String: Value]]) {
        properties = interfaces
        name = PropertyValues<AgentAccount>(in: interfaces)[AgentAccount.accountName] ?? ""
    }

    var account: PropertyValues<AgentAccount> { PropertyValues(in: properties) }

    var inbox: PropertyValues<AgentInbox> { PropertyValues(in: properties) }

    /// Whether the service has reported the counts.
    var isCounted: Bool { account.isCounted }

    /// Sets the initial list, before any signal about it.
    mutating func list(_ notifications: [NotificationRecord], serial: UInt32) -> [Event] {
        listSerial = serial
        for notification in notifications { self.notifications[notification.id] = notification }
        return notifications.map { event("notification-listed", about: $0) }
    }

    /// Handles a signal of the account's object.
    mutating func receive(_ message: Message) throws(DBusError) -> [Event] {
        if let (interface, changed, _) = try PropertiesInterface.propertiesChanged.decode(message) {
            properties[interface, default: [:]].merge(changed) { $1 }
            return changedEvents()
        }
        if let (action, ids, error, sentence) = try AgentInbox.actionFailed.decode(message) {
            let members = ["action": .string(action), "ids": .array(ids.map(JSONText.string))] as Members
            return [failed("action-failed", error, sentence, members)]
        }
        if let categories = try AgentPreferences.updated.decode(message) {
            return [
                event("preferences-updated", ["categories": .array(categories.map { JSONText(CategoryRecord($0)) })])
            ]
        }
        if let (target, error, sentence) = try AgentPreferences.updateFailed.decode(message) {
            return [failed("preferences-failed", error, sentence, ["target": .string(target)])]
        }
        return message.serial > listSerial ? try receiveNotification(message) : []
    }

    /// A notification is new.
    func arrival(of notification: NotificationRecord) -> Event { event(Event.arrived, about: notification) }

    /// Notifications have arrived that nothing else reports: their events were lost, and the inbox no longer has them.
    func missed(_ count: Int) -> Event { event(Event.missed, ["count": .number(count)]) }

    private mutating func receiveNotification(_ message: Message) throws(DBusError) -> [Event] {
        if let (id, values) = try AgentInbox.notificationAdded.decode(message) {
            let notification = NotificationRecord(values)
            let old = notifications.updateValue(notification, forKey: id)
            if old == notification { return [] }
            return [event(old == nil ? "notification-added" : "notification-changed", about: notification)]
        }
        if let (id, values) = try AgentInbox.notificationChanged.decode(message) {
            let notification = NotificationRecord(values)
            // It may be a notification that is not in the list.
            if notifications[id] == notification { return [] }
            if notifications[id] != nil { notifications[id] = notification }
            return [event("notification-changed", about: notification)]
        }
        if let id = try AgentInbox.notificationRemoved.decode(message),
            let notification = notifications.removeValue(forKey: id)
        {
            return [event("notification-removed", about: notification)]
        }
        return []
    }

    /// The events of the account's properties that differ from the last reported ones.
    mutating func changedEvents() -> [Event] {
        let now = [event("account", state), event("counts", counts)]
        defer { lastReported = now }
        return now.filter { !lastReported.contains($0) }
    }

    private var state: Members {
        var state = account.members([
            "provider": AgentAccount.provider.name, "user": AgentAccount.user.name, "state": AgentAccount.state.name,
            "since": AgentAccount.stateSince.name, "next_attempt": AgentAccount.nextAttempt.name,
            "attention_needed": AgentAccount.attentionNeeded.name, "pending": AgentAccount.pendingActions.name,
        ])
        if let (name, sentence) = account[AgentAccount.pendingError]?.elements {
            (state["pending_error_name"], state["pending_error"]) = (.string(name), .string(sentence))
        }
        if let (name, sentence) = account[AgentAccount.lastError]?.elements {
            (state["error_name"], state["error"]) = (.string(name), .string(sentence))
        }
        return state
    }

    private var counts: Members {
        var counts = inbox.members([
            "unread": AgentInbox.unreadCount.name, "unseen": AgentInbox.unseenCount.name,
            "badge": AgentInbox.badgeCount.name, "total": AgentInbox.totalCount.name,
        ])
        if !isCounted { counts = counts.mapValues { _ in .null } }
        counts["tabs"] = .tabs(inbox[AgentInbox.tabs] ?? [], isCounted: isCounted)
        return counts
    }

    private func failed(_ event: String, _ error: String, _ sentence: String, _ more: Members) -> Event {
        self.event(event, more.merging(["error_name": .string(error), "error": .string(sentence)]) { $1 })
    }

    private func event(_ event: String, about notification: NotificationRecord) -> Event {
        self.event(event, [:], notification)
    }

    private func event(_ event: String, _ members: Members, _ notification: NotificationRecord? = nil) -> Event {
        let all = members.merging(["event": .string(event), "account": .string(name)]) { $1 }
        return Event(all, about: notification)
    }
}

extension PropertyValues {
    /// The values of properties as members of a JSON object. Properties without a value are left out.
    func members(_ names: [String: MemberName]) -> [String: JSONText] {
        names.compactMapValues { values[$0.text].map { JSONText($0) } }
    }
}
