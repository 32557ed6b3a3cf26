import AgentInterface
import VisibleText

/// The output of `feedbell inbox --plain`: after each event, what has changed on the screen, in sentences.
///
/// A screen reader reads what a terminal appends. It would read a redrawn screen as a whole.
struct InboxSpeech: Equatable {
    private var last: [String] = []
    /// The new notifications that were said.
    private var said: Set<RowID> = []

    /// The sentences that say how the screen differs from the last one.
    mutating func lines(_ screen: InboxScreen) -> [String] {
        // Nothing is known yet.
        if last.isEmpty, screen.notice == .loading { return [] }
        let new = arrivals(screen)
        let sentences = screen.spoken
        defer { last = sentences }
        return new + sentences.filter { !last.contains($0) }
    }

    /// The new notifications that are listed now, and unread.
    private mutating func arrivals(_ screen: InboxScreen) -> [String] {
        said.formIntersection(screen.arrivals)
        let new = screen.arrivals.filter { !said.contains($0) && screen.lists.rows.contains($0) }
        said.formUnion(new)
        return new.compactMap { screen.lists[$0] }.filter { $0.read == 0 }.map {
            FollowedSentences.sentence($0, withAccount: screen.chosenAccounts.count > 1).onOneLine
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
        let heading = translatedList([tab] + filterWords + (pause.isPaused ? [translated("paused")] : []))
        guard let selection, let position else {
            return [heading] + (isLoaded ? [notLoaded?.onOneLine ?? emptySentence] : [])
        }
        let state = [
            selection.read == 0 ? translated("unread") : "",
            marked.contains(RowID(selection)) ? translated("marked") : "",
        ]
        let facts = translatedList([position] + state.filter { !$0.isEmpty })
        let title = selection.title.isEmpty ? selection.body : selection.title
        return [heading, "\(facts): \(title.onOneLine), \(LocalTime(selection.created).text(now: now))"]
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
