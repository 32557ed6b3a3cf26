import AgentInterface
import VisibleText

/// The keys and what they do.
extension InboxScreen {
    /// Without functions that no account has.
    private var groups: [(functions: [InboxFunction], meaning: String)] {
        [
            ([.up, .down], translated("Select a notification")),
            ([.pageUp, .pageDown], translated("Move by a page")),
            ([.first, .last], translated("Go to the first or last one")),
            ([.show], translated("Show its text; again: open its link")),
            ([.open], translated("Open its link")),
            ([.read, .unread], translated("Mark as read or unread")),
            ([.archive], translated("Archive, or unarchive")),
            ([.delete], translated("Delete")),
            ([.snooze], translated("Let it pop up again later; snoozed: end that")),
            ([.mute], translated("Mute its category or topic; muted: end that")),
            ([.undo], translated("Take the last archive, delete, read-all or snooze back")),
            ([.mark, .markAll], translated("Mark one or all, to act on several")),
            ([.readAll], translated("Mark all as read")),
            ([.search], translated("Search all that is kept")),
            ([.onlyUnread, .nextCategory], translated("Only unread ones; next category")),
            ([.onlySnoozed], translated("Only snoozed ones, with the times when they pop up")),
            ([.back], translated("Show all again")),
            ([.nextTab, .previousTab], translated("Next or previous tab")),
            ([.nextAccount], translated("Next account, or all")),
            ([.pause], translated("Pause popups, or resume them")),
            ([.preferences], translated("Preferences")),
            ([.refresh], translated("Refresh")),
            ([.quit], translated("Back; in the list: quit")),
        ].filter { functions, _ in functions.contains(where: isOffered) }
    }

    /// A line for each group of functions that have keys, and the way to hear the inbox.
    var help: [String] { helpEntries.map(\.text) }

    /// The help in lines that fit the terminal.
    var helpLines: [String] {
        helpEntries.flatMap { entry in
            entry.text.wrapped(toColumns: columns, hanging: min(entry.hanging, columns / 2)).split(separator: "\n")
        }.map { String($0).cut(toColumns: columns) }
    }

    private var helpEntries: [(text: String, hanging: Int)] {
        var lines: [(keys: String, meaning: String)] = groups.compactMap { functions, meaning in
            let names = functions.flatMap { keys.keys[$0] ?? [] }.map(\.name)
            return names.isEmpty ? nil : (names.joined(separator: ", "), meaning)
        }
        lines.insert((translated("1 to 9"), translated("Press its button with this number")), at: min(5, lines.count))
        let limit = max(8, columns / 2 - 2)
        let width = min(limit, lines.map(\.keys.columns).max() ?? 0)
        let plain = translated("For a screen reader: {command}", ["command": "feedbell inbox --plain"])
        return lines.flatMap { line in
            line.keys.columns <= width
                ? [(line.keys.padded(toColumns: width + 2) + line.meaning, width + 2)]
                : [(line.keys, 2), ("  " + line.meaning, 2)]
        } + [(plain, 2)]
    }
}
