import AgentInterface
import VisibleText

/// Letting notifications pop up again.
extension InboxPage {
    /// - Parameter until: Milliseconds since the Unix epoch.
    mutating func snooze(_ rows: [RowID], until: Int64) -> [Effect] {
        let text = translated("Snoozed until {time}.", ["time": LocalTime(until).shown(now: now)])
        return submitUndoable(inbox.requests(for: rows) { .snooze($0, until: until) }, text)
    }
}
