import AgentInterface

/// An event of `feedbell follow`: the members of a JSON object.
struct FollowedEvent: Equatable, Sendable {
    /// The members of all events but `notification`.
    static let memberNames = [
        "account", "action", "attention_needed", "badge", "categories", "count", "error", "error_name", "event",
        "held_back", "ids", "next_attempt", "paused", "paused_until", "pending", "pending_error", "pending_error_name",
        "provider",
        "running", "since", "state", "tabs", "target", "total", "unread", "unseen", "user", "version",
    ]

    /// The names of events about a notification.
    static let notificationNames = [
        "notification-listed", "notification-arrived", "notification-added", "notification-changed",
        "notification-removed",
    ]

    /// A notification that is new, reported once.
    static let arrived = "notification-arrived"

    /// Some that are new cannot be reported.
    static let missed = "missed"

    static let names =
        ["agent", "totals", "paused", "account", "counts"] + notificationNames + [
            "ready", "action-failed", "preferences-updated", "preferences-failed", "account-removed", "behind",
            missed,
        ]

    /// Including `event`.
    private(set) var members: [String: JSONText]
    /// The notification that it is about.
    private(set) var notification: NotificationRecord?

    init(_ members: [String: JSONText], about notification: NotificationRecord? = nil) {
        self.members = members
        self.notification = notification
        if let notification { self.members["notification"] = JSONText(notification.values) }
    }

    /// That a notification is listed.
    init(listed notification: NotificationRecord) {
        let account = JSONText.string(notification.account)
        self.init(["event": .string(Self.notificationNames[0]), "account": account], about: notification)
    }

    var name: String { members["event"]?.plain ?? "" }

    /// The number of notifications that ``missed`` is about.
    var count: Int { members["count"].flatMap { Int($0.text) } ?? 0 }

    /// The object on one line.
    var json: JSONText { .object(members) }

    subscript(_ name: String) -> JSONText? { members[name] }
}

extension FollowedEvent: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONText)...) {
        self.init(Dictionary(elements) { $1 })
    }
}
