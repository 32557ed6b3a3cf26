package import AgentInterface
import VisibleText

/// What is asked before something that the agent cannot take back.
extension InboxPage {
    package enum Question: Equatable, Sendable {
        case markAllRead
        /// Act on many selected rows.
        case act(InboxAction, [RowID])
    }

    /// An action on more rows than these, which cannot be taken back later, is asked about.
    private static let askLimit = 20

    func isAskedBefore(_ action: InboxAction, on selected: [RowID]) -> Bool {
        guard selected.count > Self.askLimit else { return false }
        switch action {
        case .read, .unread, .delete: return true
        case .archive: return selected.contains { !inbox.has($0, .unarchive) }
        default: return false
        }
    }

    mutating func agreed(to question: Question) -> [Effect] {
        switch question {
        case .markAllRead: return inbox.readAll(of: shownAccounts, now: now).map(Effect.send)
        case .act(let action, let asked): return act(action, on: asked.filter { lists[$0] != nil })
        }
    }
}

extension InboxPage.Question {
    package var title: String {
        switch self {
        case .markAllRead: translated("Mark all notifications as read?")
        case .act: yes
        }
    }

    package var text: String {
        switch self {
        case .markAllRead: translated("They stay in the list.")
        case .act(_, let selected):
            translated(
                "{count} notification is selected. This cannot be undone later.",
                plural: "{count} notifications are selected. This cannot be undone later.",
                count: selected.count
            )
        }
    }

    /// The label of the button that does it.
    package var yes: String {
        switch self {
        case .markAllRead: translated("Mark All as Read")
        case .act(.read, _): translated("Mark as Read")
        case .act(.unread, _): translated("Mark as Unread")
        case .act(.delete, _): translated("Delete")
        case .act: translated("Archive")
        }
    }

    package var destroys: Bool { self != .markAllRead }
}
