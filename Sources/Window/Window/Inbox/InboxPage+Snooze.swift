import InboxPresentation
import Translation

/// Letting notifications pop up again.
extension InboxPage {
    /// - Parameter until: Milliseconds since the Unix epoch.
    mutating func snooze(_ rows: [RowID], until: Int64) -> [Effect] {
        let text = translated("Snoozed until {time}.", ["time": LocalTime(until).text(now: now)])
        return performUndoable(grouped(rows) { .snooze($0, until: until) }, text)
    }

    /// - Parameter text: A time, as the user wrote it.
    mutating func snooze(_ rows: [RowID], until text: String) -> [Effect] {
        let check = Self.checkSnoozeTime(text, now: now)
        return check.time.map { snooze(rows, until: $0) } ?? [toast(check.sentence)]
    }

    /// Reads the time that the user writes.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    /// - Returns: The time in the same, nil if it is none that is to come, and a sentence.
    package static func checkSnoozeTime(_ text: String, now: Int64) -> (time: Int64?, sentence: String) {
        let words = UntilTime.words(text)
        if let time = UntilTime.parse(words, now: now) {
            return (time, translated("Until {time}", ["time": LocalTime(time).text(now: now)]))
        }
        return (nil, UntilTime.problem(words, now: now) ?? "")
    }
}
