/// Changes of outboxes that the state file does not have yet, in a ``JournalFile``.
struct OutboxJournal {
    /// What ``StateStore/replace(_:by:in:of:)`` does.
    struct Change: Equatable {
        var table: StateStore.OutboxTable
        var owner: String
        var forgotten: [Int64]
        var kept: [StateStore.OutboxRow]
    }

    let file: JournalFile

    /// - Parameter popups: The path of the journal of popups.
    init(beside popups: String) { file = JournalFile(path: popups + "-actions") }

    /// Adds a change at the end.
    func append(_ change: Change) throws(JournalFailure) {
        try file.append(Self.entries([change]))
    }

    /// Writes the changes of the file anew, without a last entry that is not complete.
    func rewrite(_ changes: [Change]) {
        // If that fails, they are still there.
        try? file.replace(with: Self.entries(changes))
    }

    private static func entries(_ changes: [Change]) -> TextList {
        var list = TextList()
        for change in changes { list.append(change.entry) }
        return list
    }

    /// The changes in the file, up to the first that is not complete.
    var changes: [Change] { JournalFile.entries(at: file.path).compactMap(Change.init) }
}

extension OutboxJournal.Change {
    fileprivate var entry: String {
        let rows = kept.map { row in
            TextList.encode([
                "\(row.number)", row.method, TextList.encode(row.arguments), row.made.map(String.init) ?? "",
            ])
        }
        return TextList.encode([table.name, owner, TextList.encode(forgotten.map(String.init))] + rows)
    }

    /// nil: it is not one of a journal.
    fileprivate init?(entry: String) {
        let texts = TextList.decode(entry)
        guard texts.count >= 3, let table = StateStore.OutboxTable.allCases.first(where: { $0.name == texts[0] }) else {
            return nil
        }
        self.init(
            table: table,
            owner: texts[1],
            forgotten: TextList.decode(texts[2]).compactMap { Int64($0) },
            kept: texts.dropFirst(3).compactMap { row in
                let values = TextList.decode(row)
                guard values.count == 4, let number = Int64(values[0]) else { return nil }
                let arguments = TextList.decode(values[2])
                return .init(number: number, method: values[1], arguments: arguments, made: Int64(values[3]))
            }
        )
    }
}
