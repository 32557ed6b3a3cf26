/// Requests of single notifications.
extension StoresState {
    /// Requests a notification that no store has loaded, or whose state is unknown.
    mutating func requestItem(_ id: String) {
        let active = stores.values.filter(\.isActive)
        // A list request that has not begun will contain it.
        guard reloads.phase != .stopped, !active.allSatisfy({ $0.need == .list }) else { return }
        items.add(id)
        if items.isOverflowing {
            items.removeWaiting()
            return requireLists()
        }
        beginItems()
    }

    mutating func beginItems() {
        let number = nextNumber()
        while let id = items.begin(number) { add(.item(id: id, number: number)) }
    }

    /// The answer to a request of one notification arrived.
    mutating func finishItem(_ id: String, _ number: UInt64, _ answer: Result<InboxNotification, MagicBellError>) {
        guard items.isInFlight(id, number) else { return }
        defer { beginItems() }
        switch answer {
        case .success(let notification) where notification.id == id:
            guard items.finish(id) else { break }
            let old = certain(id)
            // The change that it was requested for may be part of a page, unlike the counts of other stores.
            update(id, from: notification.hasSameState(as: old) ? nil : old, to: notification)
        case .failure(let error) where error.kind == .notFound && known(id) != nil:
            if items.finish(id) { update(id, from: known(id), to: nil) }
        // The service may announce a notification before its API returns it, so one that no store has loaded is
        // requested again.
        case .failure(let error) where !error.isRetryable && error.kind != .notFound:
            if items.finish(id) { requireLists() }
        case .success, .failure:
            guard let failures = items.fail(id) else { return requireLists() }
            let delays: [Duration] = [.milliseconds(300), .seconds(1), .seconds(3)]
            add(.startTimer(.item(id: id, number: number), after: delays[min(failures, delays.count) - 1]))
        }
    }
}
