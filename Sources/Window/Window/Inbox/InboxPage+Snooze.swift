import AgentInterface
import VisibleText

/// Letting notifications pop up again.
extension InboxPage {
    /// - Parameter until: Milliseconds since the Unix epoch.
    mutating func snooze(_ rows: [RowID], until: Int64) -> [Effect] {
        let text = translated("Snoozed until {time}.", ["time": LocalTime(until).text(now: now)])
        return submitUndoable(grouped(rows) { .snooze($0, until: until) }, text)
    }

    /// - Parameter text: A time, as the user wrote it.
    mutating func snooze(_ rows: [RowID], until text: String) -> [Effect] {
        let written = WrittenTime(text, now: now)
        return written.time.map { snooze(rows, until: $0) } ?? [toast(written.problem ?? "")]
    }
}
