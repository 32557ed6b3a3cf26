import Basics
import Inbox
import TestSupport

/// The start of all simulations.
let simulationStart: Timestamp = 1_700_000_000_000

/// The inbox according to the reports of an engine, and the notifications that have to arrive.
struct MirrorView {
    private(set) var rows: [NotificationID: Inbox.Notification] = [:]
    private(set) var counts = Counts()
    private(set) var hasMore = true
    private(set) var isComplete = false
    /// The arrivals of this run of the agent.
    private(set) var arrivals = ArrivalLog()
    private(set) var caughtUp: Timestamp?
    private(set) var problems: [String] = []

    mutating func receive(_ event: ServiceEvent) {
        switch event {
        case .contents(let update):
            for id in update.removed + update.unloaded { rows[id] = nil }
            for notification in update.changed {
                if rows[notification.id] == notification { problems.append("\(notification.id) did not change.") }
                rows[notification.id] = notification
            }
            (counts, hasMore, isComplete) = (update.counts, update.hasMore, update.isComplete)
        case .arrived(let notifications, _):
            for notification in notifications { arrivals.add(notification.id.rawValue) }
            if notifications.map(\.created) != notifications.map(\.created).sorted() {
                problems.append("Not oldest first: \(notifications.map(\.id))")
            }
        case .caughtUp(let newest): caughtUp = newest
        case .updated, .allRead, .seen, .connection, .identified, .delayed, .refused: break
        }
    }

    /// What differs from the service, at rest.
    func differences(from mirror: some SimulatedMirror) -> [String] {
        let list = mirror.list
        let listed = Set(list.map(\.id))
        let ordered = list.compactMap { rows[$0.id] } + rows.values.filter { !listed.contains($0.id) }
        let shown = ShownInbox(
            ordered.map(NotificationFacts.init),
            hasMore: hasMore,
            isComplete: isComplete && caughtUp.map { $0 >= mirror.leastCaughtUp } == true,
            counts: counts.byName
        )
        let expected = mirror.counts(like: counts, hasMore: hasMore)
        return problems + shown.differences(from: list.map(NotificationFacts.init), counts: expected)
    }
}

/// A notification without the times of changes, which events do not tell.
struct NotificationFacts: Equatable, CustomStringConvertible {
    var id: NotificationID
    var title: String
    var body: String
    var category: String
    var isPinned: Bool
    var isRead: Bool
    var isSeen: Bool
    var isInteracted: Bool

    init(_ notification: Inbox.Notification) {
        (id, title, body) = (notification.id, notification.title, notification.body)
        (category, isPinned) = (notification.category, notification.isPinned)
        (isRead, isSeen) = (notification.read != nil, notification.seen != nil)
        isInteracted = notification.interacted != nil
    }

    var description: String {
        let marks = ["pinned": isPinned, "read": isRead, "seen": isSeen, "followed": isInteracted].filter(\.value)
        return ([id.rawValue, category, body] + marks.keys.sorted()).joined(separator: " ")
    }
}

/// The notifications that have to arrive: new ones that no device of the user has handled.
struct FreshNotifications {
    private(set) var fresh: Set<String> = []
    /// Those that existed at the start.
    private(set) var old: Set<String>
    /// As the service has them.
    private var states: [String: RowState]

    init(_ mirror: some SimulatedMirror) {
        states = mirror.states
        old = Set(states.keys)
    }

    /// None of those up to now has to arrive: the client learned that they exist before it was caught up.
    mutating func removeAll() { fresh = [] }

    /// The user knows them.
    mutating func remove(_ ids: [NotificationID]) { fresh.subtract(ids.map(\.rawValue)) }

    /// A notification from the archive may be new or not.
    mutating func unarchive(_ id: String) {
        fresh.remove(id)
        old.remove(id)
    }

    /// Something changed at the service.
    mutating func update(_ new: [String: RowState]) {
        for (id, state) in new {
            guard let before = states[id] else {
                fresh.insert(id)
                continue
            }
            if before.isArchived, !state.isArchived { unarchive(id) }
        }
        states = new
        fresh = fresh.filter { new[$0]?.isNew == true }
    }
}
