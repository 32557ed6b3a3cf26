import ClientKit

/// Requests of pages.
extension StoresState {
    /// Begins to load the first page, or the page after the loaded ones; nil: the list is complete. The store must
    /// exist and have no list request in flight.
    ///
    /// - Parameter size: The page size; nil: the client's.
    mutating func beginFetch(_ number: StoreNumber, size: Int? = nil) -> PageLoad? {
        guard let store = stores[number] else { return nil }
        let size = size ?? pageSize
        switch store.extent {
        case .unfetched: return begin(.first, cursor: nil, size: size, purpose: .fetch, of: number)
        case .partial(let next, _):
            let cursor = next.movedBack(rows: store.shrinkage, pageSize: pageSize).converted(from: pageSize, to: size)
            return begin(.next, cursor: cursor, size: size, purpose: .fetch, of: number)
        case .complete: return nil
        }
    }

    /// Begins to load the first page again. The store must exist and have no list request in flight.
    mutating func beginRefresh(_ number: StoreNumber, size: Int? = nil) -> PageLoad? {
        begin(.first, cursor: nil, size: size ?? pageSize, purpose: .refresh, of: number)
    }

    /// Shows what a previous run has kept, until the first page arrives.
    mutating func restore(_ contents: StoreContents, in number: StoreNumber) {
        change(number) { $0.restore(contents) }
    }

    mutating func begin(
        _ kind: PageLoad.Kind,
        cursor: InboxPageCursor?,
        size: Int,
        purpose: PageLoad.Purpose,
        of number: StoreNumber
    ) -> PageLoad? {
        guard let store = stores[number] else { return nil }
        let load = PageLoad(
            store: number,
            number: nextNumber(),
            kind: kind,
            predicate: store.predicate,
            cursor: cursor,
            size: size,
            purpose: purpose,
            version: store.version,
            position: journal.end,
            departures: store.departures,
            need: kind == .first ? store.need : .nothing
        )
        change(number) { store in
            store.load = load
            if kind == .first { store.clearNeed() }
        }
        return load
    }

    /// The answer to a list request arrived. Every request has to be finished, also a cancelled one.
    mutating func finish(
        _ load: PageLoad,
        _ answer: Result<StorePage, MagicBellError>,
        jitter: Double
    ) -> LoadOutcome {
        defer { trimJournal() }
        guard stores[load.store]?.load?.number == load.number else { return .discarded }
        var known: [InboxNotification] = []
        var outcome: LoadOutcome
        switch answer {
        case .failure(let error): outcome = .failed(error)
        case .success(let page):
            outcome = .outdated
            if let entries = journal.since(load.position) {
                // Which notifications an event about all concerned is a guess, which must not spread.
                let isGuess = entries.contains { if case .all = $0 { true } else { false } }
                if !isGuess { known = others(of: page.notifications, than: load.store) }
                change(load.store) { outcome = .loaded($0.apply(page, of: load, since: entries)) }
            }
        }
        end(load, outcome)
        if case .loaded = outcome {
            share(known, of: load.store)
            if load.kind == .next { settle(load.store, .list) }
        }
        if load.isRequested { scheduleReload() } else { scheduleNext(after: outcome, jitter: jitter) }
        return outcome
    }

    mutating func end(_ load: PageLoad, _ outcome: LoadOutcome) {
        change(load.store) { store in
            store.endLoad()
            switch outcome {
            case .loaded(let rows): store.lastLoad = (load.number, .success(rows))
            case .failed(let error):
                store.lastLoad = (load.number, .failure(error))
                store.require(load.need)
            case .outdated, .discarded:
                store.lastLoad = (load.number, .failure(.cancelled))
                store.require(load.need)
            }
        }
    }

    /// The rows that other stores contain of `notifications`.
    private func others(of notifications: [InboxNotification], than number: StoreNumber) -> [InboxNotification] {
        var ids = Set(notifications.map(\.id))
        var found: [InboxNotification] = []
        for (other, store) in stores where other != number && store.isFetched {
            for row in store.rows.all where ids.remove(row.id) != nil { found.append(row) }
        }
        return found
    }

    /// Every store shows the same state of a notification: the latest, which this store has just loaded.
    ///
    /// - Parameter known: Its state in other stores before.
    private mutating func share(_ known: [InboxNotification], of number: StoreNumber) {
        guard let rows = stores[number]?.rows else { return }
        for old in known {
            if let row = rows[old.id], row != old { update(row.id, from: old, to: row) }
        }
    }

    mutating func trimJournal() {
        let positions = stores.values.compactMap { $0.load?.position }
        journal.trim(before: positions.min() ?? journal.end)
    }
}
