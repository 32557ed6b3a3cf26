import AgentInterface
import VisibleText

/// The output of `feedbell inbox --plain`: after each event, what has changed on the screen, in sentences.
///
/// A screen reader reads what a terminal appends. It would read a redrawn screen as a whole.
struct InboxSpeech: Equatable {
    private var last: [String] = []
    private var marked: Set<RowID> = []
    /// The new notifications that were said.
    private var said: Set<RowID> = []

    /// The sentences that say how the screen differs from the last one.
    mutating func lines(_ screen: InboxScreen) -> [String] {
        // The first row is not known before all lists are there.
        if screen.isTopDue, screen.shownNotice == .loading || screen.shownNotice == nil { return [] }
        let new = arrivals(screen) + marks(screen)
        let sentences = screen.spoken
        defer { last = sentences }
        return new + sentences.filter { !last.contains($0) }
    }

    /// The marks that were set or removed, of rows that do not say it themselves.
    private mutating func marks(_ screen: InboxScreen) -> [String] {
        let changed = marked.symmetricDifference(screen.marked)
        let (before, now) = (marked, screen.marked)
        marked = now
        // What was done with them says that.
        if changed.isEmpty || changed == [screen.selected] || now.isEmpty && screen.notice != nil { return [] }
        guard changed.count == 1, let row = changed.first, let title = screen.lists[row]?.title, !title.isEmpty else {
            return [translated("{count} marked", plural: "{count} marked", count: now.count)]
        }
        return [
            before.contains(row)
                ? translated("No longer marked: {title}", ["title": title.onOneLine])
                // Translators: The user has marked a notification, to act on several at once.
                : translated("Marked: {title}", ["title": title.onOneLine])
        ]
    }

    /// The new notifications that are listed now, and unread.
    private mutating func arrivals(_ screen: InboxScreen) -> [String] {
        said.formIntersection(screen.arrivals)
        let new = screen.arrivals.filter { !said.contains($0) && screen.lists.rows.contains($0) }
        said.formUnion(new)
        return new.compactMap { screen.lists[$0] }.filter { $0.read == 0 }.map {
            FollowedSentences.sentence($0, withAccount: screen.shownAccounts.count > 1).onOneLine
        }
    }
}

extension InboxScreen {
    /// The screen in sentences: the list, what is selected, and the last line.
    var spoken: [String] {
        var sentences: [String] = []
        switch mode {
        case .help: return help
        case .text: return textLines.filter { !$0.isEmpty }
        case .preferences(let table):
            sentences = [translatedList([translated("Preferences"), table.account.onOneLine])] + table.spoken
        case .search, .until: break
        case .list: sentences = spokenList
        }
        if let notice = shownNotice { return sentences + [notice.text.onOneLine] }
        return sentences.isEmpty ? [lastLine.replacing("▏", with: "")] : sentences
    }

    private var spokenList: [String] {
        let tab = tabs.first { $0.id == query.tab }?.label.onOneLine ?? query.tab.onOneLine
        let account = accounts.count > 1 ? [query.account?.onOneLine ?? translated("All accounts")] : []
        let heading = translatedList(account + [tab] + filterWords + (pause.isPaused ? [translated("paused")] : []))
        guard let selection, let position else {
            return [heading] + (isLoaded ? [notLoaded?.onOneLine ?? emptySentence] : [])
        }
        let state = [
            selection.read == 0 ? translated("unread") : "",
            marked.contains(RowID(selection)) ? translated("marked") : "",
            selection.isPinned ? translated("pinned") : "", selection.isMuted ? translated("muted") : "",
        ]
        let place = translatedList([position] + state.filter { !$0.isEmpty })
        let title = selection.title.isEmpty ? selection.body : selection.title
        let facts = [
            title, shownAccounts.count > 1 ? selection.account : "", LocalTime(selection.created).text(now: now),
            spokenButtons(selection),
        ]
        return [heading, "\(place): \(facts.filter { !$0.isEmpty }.joined(separator: ", ").onOneLine)"]
    }

    private func spokenButtons(_ notification: NotificationRecord) -> String {
        let labels = NotificationLink.all(of: notification).prefix(9).map(\.label.onOneLine)
        if labels.isEmpty { return "" }
        // Translators: What a screen reader says of the buttons of a notification, with their labels.
        return translated(
            "{count} button: {labels}",
            plural: "{count} buttons: {labels}",
            count: labels.count,
            ["labels": translatedList(labels)]
        )
    }
}

extension PreferenceTable {
    /// The selected cell in a sentence.
    fileprivate var spoken: [String] {
        guard categories.indices.contains(row), columns.indices.contains(column) else {
            return [failure?.onOneLine ?? ""].filter { !$0.isEmpty }
        }
        let category = categories[row]
        let name = translatedList([category.name.onOneLine] + [columns[column]?.onOneLine].compactMap(\.self))
        guard let cell = cell(category, columns[column]) else { return ["\(name): -"] }
        let state = cell.isOn ? translated("on") : translated("off")
        return [cell.isEditable ? "\(name): \(state)" : "\(name): \(state) \(PreferencesReport.fixed)"]
    }
}
