import AgentInterface
import DBus
import Synchronization

/// The changes that the agent's signals report, until the screen takes them. Many are one: anything may have changed.
final class RowChanges: Sendable {
    /// The maximum number of changes that are kept.
    private static let limit = 200

    private struct State {
        var changes: [InboxScreen.RowChange]? = []
        var isReported = false
    }

    private let state = Mutex(State())

    /// - Returns: Whether the screen has to be told: it was not since it last took the changes.
    func add(_ message: Message) -> Bool {
        let change = Self.change(message)
        return state.withLock { state in
            if let change { state.changes?.append(change) }
            if state.changes.map({ $0.count > Self.limit }) ?? false { state.changes = nil }
            defer { state.isReported = true }
            return !state.isReported
        }
    }

    /// - Returns: nil: anything may have changed.
    func take() -> [InboxScreen.RowChange]? {
        state.withLock { state in
            defer { state = State() }
            return state.changes
        }
    }

    /// nil: a signal about something else, such as a property.
    private static func change(_ message: Message) -> InboxScreen.RowChange? {
        if let (_, values) = (try? AgentInbox.notificationAdded.decode(message)) ?? nil {
            return .added(NotificationRecord(values))
        }
        if let (_, values) = (try? AgentInbox.notificationChanged.decode(message)) ?? nil {
            return .changed(NotificationRecord(values))
        }
        return ((try? AgentInbox.notificationRemoved.decode(message)) ?? nil).map { .removed(id: $0) }
    }
}
