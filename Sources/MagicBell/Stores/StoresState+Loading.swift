import ClientKit

/// Requests of pages.
extension StoresState {
    /// Begins to load the first page, or the page after the loaded ones; nil: the list is complete. The store must
    /// exist and have no list request in flight.
    mutating func beginFetch(_ number: StoreNumber) -> PageLoad? {
        guard let store = stores[number] else { return nil }
        switch store.extent {
        case .unfetched: return begin(.first, cursor: nil, size: pageSize, purpose: .fetch, of: number)
        case .partial(let next, _):
            let cursor = next.movedBack(rows: store.shrinkage, pageSize: pageSize)
            return begin(.next, cursor: cursor, size: pageSize, purpose: .fetch, of: number)
        case .complete: return nil
        }
    }

    /// Begins to load the first page again. The store must exist and have no list request in flight.
    mutating func beginRefresh(_ number: StoreNumber) -> PageLoad? {
        begin(.first, cursor: nil, size: pageSize, purpose: .refresh, of: number)
    }

    mutating func begin(
        _ kind: PageLoad.Kind,
        cursor: PageCursor?,
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
        var shared: [String] = []
        var outcome: LoadOutcome
        switch answer {
        case .failure(let error): outcome = .failed(error)
        case .success(let page):
            outcome = .outdated
            if let entries = journal.since(load.position) {
                // Which notifications an event about all concerned is a guess, which must not spread.
                let isGuess = entries.contains { if case .all = $0 { true } else { false } }
                shared = isGuess ? [] : page.notifications.map(\.id)
                change(load.store) { outcome = .loaded($0.receive(page, for: load, since: entries)) }
            }
        }
        end(load, outcome)
        if case .loaded = outcome {
            share(Set(shared), of: load.store)
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

    /// Every store shows the same state of a notification: the latest, which this store has just loaded. A store whose
    /// list is being loaded again gets a later one.
    private mutating func share(_ ids: Set<String>, of number: StoreNumber) {
        guard let rows = stores[number]?.rows.all.filter({ ids.contains($0.id) }) else { return }
        for (other, store) in stores where other != number && store.isFetched && store.load?.kind != .first {
            for row in rows {
                guard let old = store.rows[row.id], old != row else { continue }
                change(other) { $0.update(row.id, from: old, to: row) }
            }
        }
    }

    mutating func trimJournal() {
        let positions = stores.values.compactMap { $0.load?.position }
        journal.trim(before: positions.min() ?? journal.end)
    }
}
