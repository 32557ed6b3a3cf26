import Basics
import ClientKit

/// Actions. The service performs an action first; then every store shows its effect.
extension Stores {
    /// Changes one notification. Returns its state afterwards.
    func send(
        _ action: StateChange,
        on notification: InboxNotification,
        of store: StoreNumber
    ) async throws(MagicBellError) -> InboxNotification {
        let id = notification.id
        let number = try beginAction(of: store) { $0.beginAction(action, on: id) }
        do throws(MagicBellError) {
            try await waitForEarlierActions(than: number)
            let api = api
            try await scope.run { () throws(MagicBellError) in try await api.change(id, to: action) }
        } catch {
            throw fail(number, on: id, action, error)
        }
        let now = now
        let changed = finish { $0.finishAction(number, action, on: notification, now: now) }
        await saveUnlessRunning()
        return changed
    }

    func delete(_ id: String, of store: StoreNumber) async throws(MagicBellError) {
        let number = try beginAction(of: store) { $0.beginAction(nil, on: id) }
        do throws(MagicBellError) {
            try await waitForEarlierActions(than: number)
            let api = api
            try await scope.run { () throws(MagicBellError) in try await api.delete(id) }
        } catch {
            throw fail(number, on: id, nil, error)
        }
        let now = now
        finish { $0.finishDeletion(number, of: id, now: now) }
        await saveUnlessRunning()
    }

    /// Changes all notifications of a store.
    func send(_ action: StateChange, onAllOf store: NotificationStore) async throws(MagicBellError) {
        let number = try beginAction(of: store.number) { $0.beginActionOnAll(action) }
        do throws(MagicBellError) {
            try await waitForEarlierActions(than: number)
            let (api, predicate) = (api, store.predicate)
            try await scope.run { () throws(MagicBellError) in
                try await api.changeAll(predicate, to: action)
            }
        } catch {
            throw fail(number, on: nil, action, error)
        }
        let now = now
        finish { $0.finishActionOnAll(number, action, of: store.predicate, now: now) }
        await saveUnlessRunning()
    }

    private func beginAction(
        of store: StoreNumber,
        _ body: (inout StoresState) -> UInt64
    ) throws(MagicBellError) -> UInt64 {
        if Task.isCancelled { throw .cancelled }
        return try change { (shared) throws(MagicBellError) in
            try Self.check(store, in: shared)
            return body(&shared.state)
        }
    }

    private func waitForEarlierActions(than number: UInt64) async throws(MagicBellError) {
        while true {
            let wait: Completion? = try change { (shared) throws(MagicBellError) in
                if let end = shared.end { throw end }
                return shared.state.actions.isNext(number) ? nil : shared.waiters.add()
            }
            guard let wait else { return }
            await wait.wait()
            if Task.isCancelled { throw .cancelled }
        }
    }

    private func finish<Result: Sendable>(_ body: (inout StoresState) -> Result) -> Result {
        locked { shared in
            defer {
                shared.waiters.wakeAll()
                shared.flush()
            }
            return body(&shared.state)
        }
    }

    private func fail(
        _ number: UInt64,
        on id: String?,
        _ action: StateChange?,
        _ error: MagicBellError
    ) -> MagicBellError {
        finish { $0.failAction(number, on: id, action, error) }
        return error
    }
}
