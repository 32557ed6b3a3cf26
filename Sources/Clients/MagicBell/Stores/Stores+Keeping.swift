import Basics
import ClientKit

/// Stores that survive the program.
extension Stores {
    /// The store of `predicate`, which survives the program: it begins with the newest notifications and the counts of
    /// the last run, before anything is requested, and keeps those of this run.
    ///
    /// ``NotificationStore/fetch()`` then loads the first page, which replaces them. At most 100 notifications are
    /// kept, as they are: if others may read the storage, it must be encrypted. What is kept stays when the user is
    /// disconnected; ``NotificationStore/discardKept()`` removes it.
    ///
    /// ```swift
    /// let storage = FileStorage(directory: applicationSupport)
    /// let unread = try await user.store.build(predicate: StorePredicate(read: false), keptIn: storage)
    /// show(unread.contents)
    /// try await unread.fetch()
    /// ```
    ///
    /// - Throws: As ``build(predicate:)``. What cannot be read is left out.
    public func build(
        predicate: StorePredicate,
        keptIn storage: any MagicBellStorage
    ) async throws(MagicBellError) -> NotificationStore {
        let store = try build(predicate: predicate)
        let place = SnapshotStorage<StoreSnapshot>(
            in: storage,
            prefix: "store_",
            owner: owner + predicate.parts,
            logger: logger
        )
        let kept = await place.load()
        return try change { (shared) throws(MagicBellError) in
            try Self.check(store.number, in: shared)
            shared.places[store.number] = place
            if let kept { shared.state.restore(kept.contents, in: store.number) }
            return store
        }
    }

    /// Saves changes while the user's realtime feed runs, until the task is cancelled.
    func keepSaved() async { await saving.saveChanges(clock: environment.clock) { await save() } }

    /// Saves what has changed since the last time.
    func save() async {
        let isFirst = locked { shared in
            defer { shared.isSaving = true }
            return !shared.isSaving
        }
        guard isFirst else { return }
        while let (place, kept) = locked({ $0.takeUnsaved() }) { await place.save(kept) }
        locked { $0.isSaving = false }
    }

    /// Saves at once what a call has changed, unless the realtime feed runs.
    func saveUnlessRunning() async { if locked({ $0.jobs == nil && !$0.unsaved.isEmpty }) { await save() } }

    func discardKept(_ number: StoreNumber) async {
        let place = locked { shared in
            shared.unsaved.remove(number)
            return shared.places.removeValue(forKey: number)
        }
        await place?.discard()
    }
}

extension Stores.Shared {
    /// A store to save. Only what the service has returned is saved.
    fileprivate mutating func takeUnsaved() -> (SnapshotStorage<StoreSnapshot>, StoreSnapshot)? {
        while let number = unsaved.popFirst() {
            if let place = places[number], let store = state.stores[number], store.isFetched {
                return (place, StoreSnapshot(store.contents, of: place.owner))
            }
        }
        return nil
    }
}

extension NotificationStore {
    /// Removes what ``Stores/build(predicate:keptIn:)`` has kept of the store, and keeps nothing more: when the user
    /// signs out.
    public func discardKept() async { await stores.discardKept(number) }
}

extension StorePredicate {
    /// A text for each condition, different for different predicates.
    var parts: [String] {
        func text(_ value: Bool?) -> String { value.map { "\($0)" } ?? "" }
        return [text(read), text(seen), text(archived), "\(categories.count)"] + categories + topics
    }
}
