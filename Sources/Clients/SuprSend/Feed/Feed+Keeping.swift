import Basics
import ClientKit

/// A feed that is kept in the app's storage: ``Feeds/initialize(_:keptIn:)``.
extension Feed {
    /// Begins with what the last run has kept.
    func restore() async {
        guard let kept = await storage?.load() else { return }
        lastKept = kept
        state.restore(kept, now: now)
        perform([.updated])
    }

    /// Saves changes while the feed runs, until the task is cancelled.
    func keepSaved() async { await saving.saveChanges(clock: environment.clock) { await save() } }

    /// Saves what has changed since the last time.
    func save() async {
        guard let storage, !isSaving else { return }
        isSaving = true
        defer { isSaving = false }
        while isUnsaved, !isRemoved {
            isUnsaved = false
            var kept = state.kept(by: storage.owner, after: lastKept)
            kept.caughtUp = lastCaughtUp?.milliseconds ?? kept.caughtUp
            guard kept != lastKept else { continue }
            lastKept = kept
            await storage.save(kept)
        }
    }

    /// Saves at once what a call has changed, unless ``run()`` does.
    func saveUnlessRunning() async { if jobs == nil { await save() } }
}

extension FeedState {
    /// The contents to keep.
    ///
    /// - Parameter last: What was kept last. Its rows stay while another store than the first one is active: a feed
    ///   begins with the first one.
    func kept(by owner: [String], after last: FeedSnapshot?) -> FeedSnapshot {
        let meta = counts.meta
        let first = stores?.first ?? .default
        var kept = FeedSnapshot(
            owner: owner,
            store: first.id,
            rows: last?.store == first.id ? last?.rows ?? [] : [],
            total: last?.store == first.id ? last?.total ?? 0 : 0,
            badge: meta.badge,
            counts: meta.stores,
            caughtUp: last?.caughtUp
        )
        // Before the first page, the rows may be only those of events.
        if rows.store == first, hasFirstPage || isRestored {
            kept.rows = Array(rows.visible.prefix(FeedSnapshot.maximumRows))
            kept.total = rows.hasMore ? rows.total : rows.count
        }
        return kept
    }

    /// Shows what a previous run has kept, until the service answers.
    mutating func restore(_ kept: FeedSnapshot, now: Timestamp) {
        guard !hasFirstPage else { return }
        counts.restore(badge: kept.badge, stores: kept.counts)
        resume(after: kept.caughtUp.map(Timestamp.init(milliseconds:)), announced: kept.rows.map(\.id))
        guard kept.store == rows.store.id else { return }
        isRestored = true
        rows.restore(kept.rows, total: kept.total, now: now)
    }
}
