import AgentInterface
import InboxPresentation

/// Changes of single notifications: a list of thousands is not loaded again for each of them.
extension InboxScreen {
    enum RowChange: Equatable, Sendable {
        /// It is in the agent's list now, or is different there.
        case added(NotificationRecord)
        /// It is different. It may not be listed.
        case changed(NotificationRecord)
        case removed(id: String)
    }

    /// Whether the list has all that the agent has loaded, so that its signals are enough to keep it.
    private var followsRows: Bool {
        place.limit == nil && place.isWhole && isLoaded && notLoaded == nil && afterGrowth == nil
    }

    /// - Parameter changes: nil: anything may have changed.
    mutating func changed(_ changes: [RowChange]?) -> [Effect] {
        guard let changes, followsRows else { return [.load(place)] + reloadPreferences() }
        for change in changes { apply(change) }
        showPending()
        return [.loadAccounts(place)] + reloadPreferences()
    }

    /// The load that follows a request that has succeeded.
    mutating func load(after request: Request, of account: String) -> Effect {
        guard followsRows else { return .load(place) }
        switch request {
        case .inbox(.archive(let ids)), .inbox(.delete(let ids)):
            let removed = Set(ids)
            loaded.removeAll { removed.contains($0.id) }
        case .inbox(.markAllRead):
            for index in loaded.indices where loaded[index].account == account && loaded[index].read == 0 {
                loaded[index].read = now
            }
        // The next page is complete with its reply, and not with its first signal.
        case .more, .inbox(.refresh): return .load(place)
        default: break
        }
        return .loadAccounts(place)
    }

    private mutating func apply(_ change: RowChange) {
        switch change {
        case .removed(let id): loaded.removeAll { $0.id == id }
        case .changed(let record): if let index = index(record.id) { update(at: index, to: record) }
        case .added(let record):
            if let index = index(record.id) { return update(at: index, to: record) }
            // One beyond the end belongs to another client's list.
            guard belongs(record), loaded.last.map(record.comesBefore) ?? true else { return }
            insert(record)
        }
    }

    private func index(_ id: String) -> Int? { loaded.firstIndex { $0.id == id } }

    private func belongs(_ record: NotificationRecord) -> Bool {
        !record.isArchived && record.snoozed == 0 && (place.account ?? record.account) == record.account
    }

    private mutating func update(at index: Int, to record: NotificationRecord) {
        if belongs(record), record.hasPlace(of: loaded[index]) {
            loaded[index] = record
            return
        }
        loaded.remove(at: index)
        if belongs(record) { insert(record) }
    }

    private mutating func insert(_ record: NotificationRecord) {
        loaded.insert(record, at: loaded.firstIndex(where: record.comesBefore) ?? loaded.count)
    }
}
