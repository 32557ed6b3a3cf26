/// What earlier processes have left in their journals.
extension StateStore {
    /// Adds to the database what the previous run left in its journals, and removes them.
    ///
    /// The database names the journal of the previous run: with another environment it is at another path. What is then
    /// found at the path of this run is older than the database.
    func recoverJournals() {
        guard let journalPath else { return }
        let previous = try? value(of: Self.journalName)
        if let previous, previous != journalPath {
            recover(journalPath, isStale: true)
            recover(previous)
        } else {
            recover(journalPath)
        }
        guard previous != journalPath, refusedPopupChanges.isEmpty else { return }
        do { try setValue(journalPath, of: Self.journalName) } catch {
            state.report(.problem("Cannot record the place of the journal: \(error)."))
        }
    }

    private static let journalName = "journal"

    private func recover(_ path: String, isStale: Bool = false) {
        recoverPopups(path, isStale: isStale)
        recoverOutboxes(path)
    }

    private func recoverPopups(_ path: String, isStale: Bool) {
        let journal = PopupJournal(path: path)
        do {
            var changes = PopupJournal.changes(at: path)
            if isStale { changes = try marks(changes) }
            if try keep(changes) || changes.isEmpty { return journal.remove() }
            // They stay in this run's journal, without a last entry that is not complete.
            guard path != journalPath, let own = makeJournal() else { return try journal.replace(with: changes) }
            try own.append(changes)
            journal.remove()
        } catch {
            state.report(.problem("Cannot write the record of shown notifications: \(error)."))
        }
    }

    /// The arrivals and deliveries of a journal that is older than the database: the watermarks do not go back, and the
    /// popups and servers have changed since.
    private func marks(_ changes: [PopupChange]) throws(StoreError) -> [PopupChange] {
        let known = try deliveries()
        return changes.compactMap { change in
            switch change {
            case .arrived(var arrivals):
                let watermark = known[arrivals.owner]?.watermark ?? .min
                arrivals.created = arrivals.created.filter { $0.value > watermark }
                return .arrived(arrivals)
            case .delivered(let owner, var deliveries):
                let watermark = known[owner]?.watermark ?? .min
                deliveries.watermark = deliveries.watermark.flatMap { $0 > watermark ? $0 : nil }
                deliveries.shown = deliveries.shown.filter { $0.value > watermark }
                return .delivered(owner: owner, deliveries)
            case .kept, .forgotten, .onlyServer: return nil
            }
        }
    }

    private func recoverOutboxes(_ path: String) {
        guard let outboxJournal else { return }
        let journal = OutboxJournal(beside: path)
        let changes = journal.changes
        do {
            try write(changes)
            // Their numbers may be those of a run that could not be recorded in the file.
            if let last = changes.flatMap({ $0.kept.map(\.number) }).max() {
                try write(durably: false) { (database) throws(StoreError) in
                    try database.run("UPDATE runs SET last = max(last, ?)", .integer(last >> 32))
                }
            }
        } catch {
            state.report(.problem("Cannot write pending changes: \(error)."))
        }
        let areInFile = state.isInFile && refusedOutboxChanges.isEmpty
        if !areInFile, !changes.isEmpty {
            guard path != journalPath else { return outboxJournal.rewrite(changes) }
            for change in changes { record(change) }
        }
        journal.file.remove()
    }
}
