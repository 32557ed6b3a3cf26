package import Basics

/// The notifications that the user has put off: each pops up again at its time, unless it was handled before.
package struct Snoozes: Equatable, Sendable {
    /// The maximum number of snoozed notifications of an account.
    package static let limit = 1_000

    package struct Snooze: Equatable, Sendable {
        package var until: Timestamp
        /// Whether the notification was read when it was snoozed: that it is read does not end the snooze.
        package var wasRead: Bool

        package init(until: Timestamp, wasRead: Bool) {
            self.until = until
            self.wasRead = wasRead
        }

        /// Whether a notification was handled since it was snoozed.
        package func isHandled(_ notification: Notification) -> Bool {
            notification.isArchived || !wasRead && notification.read != nil
        }
    }

    private var snoozes: [NotificationID: Snooze]

    package init(_ snoozes: [NotificationID: Snooze] = [:]) { self.snoozes = snoozes }

    package var count: Int { snoozes.count }
    package var isEmpty: Bool { snoozes.isEmpty }
    package var ids: [NotificationID] { snoozes.keys.sorted { $0.rawValue < $1.rawValue } }

    package subscript(id: NotificationID) -> Snooze? {
        get { snoozes[id] }
        set { snoozes[id] = newValue }
    }

    /// The snoozes of these notifications with this value of ``Snooze/wasRead``, without those that have it already.
    package func changed(wasRead: Bool, of ids: [NotificationID]) -> [NotificationID: Snooze] {
        let changed = ids.compactMap { id -> (NotificationID, Snooze)? in
            guard var snooze = snoozes[id], snooze.wasRead != wasRead else { return nil }
            snooze.wasRead = wasRead
            return (id, snooze)
        }
        return Dictionary(changed) { $1 }
    }

    /// The earliest end; nil: nothing is snoozed.
    package var next: Timestamp? { snoozes.values.map(\.until).min() }

    /// Those whose time has come, the earliest first.
    package func due(at now: Timestamp) -> [NotificationID] {
        snoozes.filter { $0.value.until <= now }.sorted {
            ($0.value.until, $0.key.rawValue) < ($1.value.until, $1.key.rawValue)
        }
        .map(\.key)
    }
}
