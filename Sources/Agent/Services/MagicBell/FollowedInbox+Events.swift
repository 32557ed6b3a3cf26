import Basics
import Inbox
import MagicBell

/// The service's events, and single notifications.
extension FollowedInbox {
    /// An event of the service.
    mutating func receive(_ event: InboxEvent, now: Timestamp) {
        let number = nextNumber()
        switch event {
        case .created(let id): created(id, number, now)
        case .changed(let id, let change): changed(id, change, number, now)
        case .deleted(let id):
            let isLoaded = rows[id] != nil
            let isOwn = takeOwnEvent(id, nil) || echoes.take(id, nil, now: now) != .none
            witnesses[id] = nil
            delete(id, number, now)
            if !isLoaded, !isOwn { becomeStale(at: now.advanced(milliseconds: Self.countDelay)) }
        // They may concern one category only: the event does not say.
        case .allRead:
            witnesses = [:]
            unreadBefore = Set(rows.all.lazy.filter { !$0.isRead }.map(\.id)).union(unreadBefore ?? [])
            becomeStale(at: now)
        case .allSeen:
            witnesses = [:]
            becomeStale(at: now)
        }
    }

    private mutating func created(_ id: String, _ number: UInt64, _ now: Timestamp) {
        guard !arrivals.isKnown(id) else { return }
        if let row = rows[id] {
            arrivals.add(row, isCurrent: phase == .current, now: now)
            return report(.arrived([Notification(row)]))
        }
        arrivals.announce(id, number: number)
        if !singles.add(id, isNew: true, now: now) { becomeStale(at: now) }
    }

    private mutating func changed(_ id: String, _ change: StateChange, _ number: UInt64, _ now: Timestamp) {
        // Its effect is known with its answer.
        if takeOwnEvent(id, change), rows[id] == nil { return }
        let echo = echoes.take(id, change, now: now)
        if rows[id] != nil {
            guard echo == .superseded else { return apply(change, to: id, number, now) }
            // It may also be another client's change, if the echo was lost.
            return becomeStale(at: now.advanced(milliseconds: Self.countDelay))
        }
        if echo != .none { return }
        witnesses[id] = nil
        if change == .unarchived { arrivals.addUnarchived(id, isCurrent: phase == .current) }
        // Also for the response of a request in flight.
        apply(change, to: id, number, now)
        if singles.isNew(id) { return }
        _ = singles.add(id, isNew: false, now: now)
        becomeStale(at: now.advanced(milliseconds: Self.countDelay))
    }

    private mutating func apply(_ change: StateChange, to id: String, _ number: UInt64, _ now: Timestamp) {
        let old = rows[id]
        rows.apply(change, to: id, number: number, at: now, keepsLog: !requests.isEmpty)
        if let old {
            witnesses[id] = nil
            var new = old
            new.apply(change, at: now)
            counts.adjust(from: old, to: new)
            if new != old { countsChanged(number, now) }
        }
        prune()
    }

    private mutating func delete(_ id: String, _ number: UInt64, _ now: Timestamp) {
        if let old = rows[id] {
            counts.adjust(from: old, to: nil)
            countsChanged(number, now)
        }
        rows.delete(id, number: number, keepsLog: !requests.isEmpty)
        prune()
    }

    // MARK: Own changes

    /// A request for a notification begins, after which its state is known. Returns its number.
    mutating func beginCheck() -> UInt64 {
        let number = nextNumber()
        requests.insert(number)
        return number
    }

    /// The response to a request of ``beginCheck()``; nil: there is none.
    mutating func finishCheck(_ number: UInt64, _ row: InboxNotification?) {
        // Not after the connection was closed.
        guard requests.remove(number) != nil else { return }
        guard let row, rows[row.id] == nil, let row = rows.updated(row, since: number), !rows.contains(row),
            witnesses.count < Self.maximumWitnesses
        else { return }
        witnesses[row.id] = row
    }

    /// The request for a change of the user begins; nil: of a deletion.
    mutating func begin(_ change: StateChange?, on id: String) { ownChanges.append(OwnChange(id: id, change: change)) }

    /// The request for a change of the user failed.
    mutating func failed(_ change: StateChange?, on id: String, now: Timestamp) {
        // The event was another client's, or the answer was lost.
        guard let own = takeOwnChange(id, change), own.hasEvent, rows[id] == nil else { return }
        receive(change.map { .changed(id: id, $0) } ?? .deleted(id: id), now: now)
    }

    /// The service performed a change of the user. Returns a request for the notification if nothing is known about it:
    /// its state is known only then.
    mutating func performed(_ change: StateChange, on id: String, now: Timestamp) -> SingleRequests.Request? {
        let isLoaded = rows[id] != nil
        let number = nextNumber()
        apply(change, to: id, number, now)
        if takeOwnChange(id, change)?.hasEvent != true { echoes.add(id, change, now: now) }
        guard !isLoaded else { return nil }
        // One that leaves the archive may belong to the newest part.
        if change != .unarchived, let old = witnesses[id] {
            var new = old
            new.apply(change, at: now)
            witnesses[id] = new
            counts.adjust(from: old, to: new)
            if new != old { countsChanged(number, now) }
            arrivals.add(new, isCurrent: false, now: now)
            report(.updated(Notification(new)))
            return nil
        }
        witnesses[id] = nil
        becomeStale(at: now.advanced(milliseconds: Self.countDelay))
        let request = SingleRequests.Request(id: id, number: nextNumber(), isNew: false)
        requests.insert(request.number)
        return request
    }

    /// The response to a request of ``performed(_:on:now:)``; nil: there is none.
    mutating func finish(own request: SingleRequests.Request, _ row: InboxNotification?, now: Timestamp) {
        requests.remove(request.number)
        // The user knows it.
        if let row { arrivals.add(row, isCurrent: false, now: now) }
        merge(row.map { [SingleRequests.Result(request: request, row: $0)] } ?? [], now)
    }

    /// The service deleted a notification for the user.
    mutating func performedDelete(of id: String, now: Timestamp) {
        let isLoaded = rows[id] != nil
        if takeOwnChange(id, nil)?.hasEvent != true { echoes.add(id, nil, now: now) }
        witnesses[id] = nil
        delete(id, nextNumber(), now)
        if !isLoaded { becomeStale(at: now.advanced(milliseconds: Self.countDelay)) }
    }

    /// Notes that an event is that of an own change without an answer; false: there is no such change.
    private mutating func takeOwnEvent(_ id: String, _ change: StateChange?) -> Bool {
        let index = ownChanges.firstIndex { $0.id == id && $0.change == change && !$0.hasEvent }
        if let index { ownChanges[index].hasEvent = true }
        return index != nil
    }

    private mutating func takeOwnChange(_ id: String, _ change: StateChange?) -> OwnChange? {
        ownChanges.firstIndex { $0.id == id && $0.change == change }.map { ownChanges.remove(at: $0) }
    }

    /// The service marked all notifications of the inbox as read or seen for the user.
    mutating func performedAll(_ change: StateChange, now: Timestamp) {
        let number = nextNumber()
        witnesses = [:]
        rows.apply(change, to: nil, number: number, at: now, keepsLog: !requests.isEmpty)
        counts.clear(change)
        countsChanged(number, now)
        prune()
        if change == .read { report(.allRead) }
        becomeStale(at: now.advanced(milliseconds: Self.countDelay))
    }

    // MARK: Single notifications

    /// Begins the next request for a notification, if there is one.
    mutating func beginSingle() -> SingleRequests.Request? {
        guard let request = singles.begin(nextNumber()) else { return nil }
        requests.insert(request.number)
        return request
    }

    /// A notification could not be loaded, and is requested again later: others do not wait for it.
    mutating func retry(_ request: SingleRequests.Request, now: Timestamp) {
        merge(singles.retry(request), now)
    }

    /// A notification is requested again: the answer includes what happened since the first request. nil: it is not
    /// needed any more.
    mutating func beginAgain(_ request: SingleRequests.Request) -> SingleRequests.Request? {
        guard let next = singles.again(request, nextNumber()) else { return nil }
        requests.remove(request.number)
        requests.insert(next.number)
        return next
    }

    /// A notification is loaded.
    mutating func finish(_ request: SingleRequests.Request, _ row: InboxNotification, now: Timestamp) {
        requests.remove(request.number)
        merge(singles.finish(request, row), now)
    }

    /// A notification could not be loaded. `isAbsent`: the service does not have it.
    mutating func fail(_ request: SingleRequests.Request, isAbsent: Bool, now: Timestamp) {
        requests.remove(request.number)
        if request.isNew { arrivals.announce(request.id, number: nextNumber()) }
        merge(singles.finish(request, nil), now)
        // Also if it is absent: the service may list a notification later than it announces it.
        if request.isNew || !isAbsent { becomeStale(at: now) }
    }

    private mutating func merge(_ results: [SingleRequests.Result], _ now: Timestamp) {
        for result in results {
            let old = rows[result.row.id]
            guard let row = rows.merge(result.row, requestNumber: result.request.number) else { continue }
            let isLoaded = rows[row.id] != nil
            if old != nil || isLoaded { counts.adjust(from: old, to: row) }
            if old != row { countsChanged(nextNumber(), now) }
            rows.trim()
            prune()
            guard result.request.isNew else {
                if !isLoaded { report(.updated(Notification(row))) }
                continue
            }
            // It is older than the newest part: the counts lack it.
            if !isLoaded { becomeStale(at: now.advanced(milliseconds: Self.countDelay)) }
            guard !arrivals.isKnown(row.id) else { continue }
            arrivals.add(row, isCurrent: phase == .current, now: now)
            if !row.isArchived { report(.arrived([Notification(row)])) }
        }
        prune()
    }
}
