import AgentInterface

/// Marks on several notifications, and what the keys act on.
extension InboxScreen {
    /// The marked notifications in the order of the list; without marks, and in the text, the selected one.
    var targets: [NotificationRecord] {
        if case .text = mode { return selection.map { [$0] } ?? [] }
        if marked.isEmpty { return selection.map { [$0] } ?? [] }
        return notifications.filter { marked.contains(RowID($0)) }
    }

    /// Marks the selected notification, or removes its mark, and selects the next one.
    mutating func toggleMark() -> [Effect] {
        guard let selected else { return [] }
        if marked.remove(selected) == nil { marked.insert(selected) }
        if let index = selectedIndex, index + 1 < notifications.count { return move(1) }
        return []
    }

    /// Marks all that are listed, or removes all marks.
    mutating func toggleAllMarks() -> [Effect] {
        if marked.count == notifications.count {
            marked = []
        } else {
            (afterGrowth, notice) = (.markAll(), lists.hasAll ? notice : .loading)
        }
        return []
    }

    /// An action of the marked notifications was made: the marks go.
    mutating func unmark(_ effects: [Effect]) -> [Effect] {
        if mode == .list, notice?.isFailure != true { marked = [] }
        return effects
    }

    /// One call for notifications, which may be of several accounts.
    func requests(for records: [NotificationRecord], _ call: ([String]) -> InboxCall) -> [Effect] {
        inbox.requests(for: records.map { RowID($0) }, call).map(Effect.send)
    }
}
