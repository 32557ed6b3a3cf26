/// Requests of single notifications.
extension StoresState {
    /// Requests a notification that no store has loaded, or whose state is unknown.
    mutating func requestItem(_ id: String) {
        let active = stores.values.filter(\.isActive)
        // A list request that has not begun will contain it.
        guard reloads.phase != .stopped, !active.allSatisfy({ $0.need == .list }) else { return }
        if items.hasBegun(id) {
            outdatedItems.insert(id)
        } else if items.add(id, isNew: false, at: nextNumber()) {
            beginItems()
        } else {
            items.removeWaiting()
            requireLists()
        }
    }

    private mutating func beginItems() {
        while let request = items.begin(nextNumber()) { add(.item(request)) }
    }

    /// Sends a request again, if it is still needed.
    mutating func repeatItem(_ request: ItemRequest) {
        outdatedItems.remove(request.id)
        if let next = items.again(request, nextNumber()) { add(.item(next)) }
    }

    mutating func abandonItems() {
        _ = items.abandon()
        outdatedItems = []
    }

    /// The answer to a request of one notification arrived.
    mutating func finishItem(_ request: ItemRequest, _ answer: Result<InboxNotification, MagicBellError>) {
        let id = request.id
        guard items.contains(request) else { return }
        defer { beginItems() }
        switch answer {
        case .success(let row) where row.id == id:
            if outdatedItems.contains(id) { return repeatItem(request) }
            _ = items.finish(request, row)
            let old = certain(id)
            // The change that it was requested for may be part of a page, unlike the counts of other stores.
            update(id, from: row.hasSameState(as: old) ? nil : old, to: row)
        case .success: failItem(request, isTransient: true)
        case .failure(let error):
            // The service may announce a notification before its API returns it.
            let isEarly = error.kind == .notFound && known(id) == nil
            if error.isRetryable || isEarly { return failItem(request, isTransient: true) }
            if outdatedItems.contains(id) { return repeatItem(request) }
            if error.kind == .notFound { return update(id, from: known(id), to: nil) }
            failItem(request, isTransient: false)
        }
    }

    private mutating func failItem(_ request: ItemRequest, isTransient: Bool) {
        if let delay = items.fail(request, mayRepeat: isTransient).delay {
            add(.startTimer(.item(request), after: delay))
        } else {
            outdatedItems.remove(request.id)
            requireLists()
        }
    }
}
