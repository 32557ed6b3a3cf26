import Basics
import ClientKit
import Inbox
import MagicBell

/// The service's events, and single notifications.
extension InboxMirror {
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
        if !addSingle(id, isNew: true, number, now) { becomeStale(at: now) }
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
        _ = addSingle(id, isNew: false, number, now)
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
    mutating func beginAction(_ change: StateChange?, on id: String) {
        ownChanges.append(OwnChange(id: id, change: change, number: nextNumber()))
    }

    /// The request for a change of the user failed.
    mutating func failAction(_ change: StateChange?, on id: String, now: Timestamp) {
        // The event was another client's, or the answer was lost.
        guard let own = takeOwnChange(id, change), own.hasEvent, rows[id] == nil else { return }
        receive(change.map { .changed(id: id, $0) } ?? .deleted(id: id), now: now)
    }

    /// The service performed a change of the user. Returns a request for the notification if nothing is known about it:
    /// its state is known only then.
    mutating func finishAction(_ change: StateChange, on id: String, now: Timestamp) -> SingleRequest? {
        let isLoaded = rows[id] != nil
        let number = nextNumber()
        apply(change, to: id, number, now)
        let own = takeOwnChange(id, change)
        if own?.hasEvent != true { echoes.add(id, change, now: now) }
        guard !isLoaded else { return nil }
        // One that leaves the archive may belong to the newest part.
        if change != .unarchived, let old = witnesses[id] {
            var new = old
            new.apply(change, at: now)
            witnesses[id] = new
            if let own, own.number < lastPage {
                // The counts of a page that came meanwhile may contain it.
                becomeStale(at: now.advanced(milliseconds: Self.countDelay))
            } else {
                counts.adjust(from: old, to: new)
                if new != old { countsChanged(number, now) }
            }
            arrivals.add(new, isCurrent: false, now: now)
            report(.updated(Notification(new)))
            return nil
        }
        witnesses[id] = nil
        becomeStale(at: now.advanced(milliseconds: Self.countDelay))
        let request = SingleRequest(id: id, number: nextNumber())
        requests.insert(request.number)
        return request
    }

    /// The response to a request of ``finishAction(_:on:now:)``; nil: there is none.
    mutating func finish(own request: SingleRequest, _ row: InboxNotification?, now: Timestamp) {
        requests.remove(request.number)
        // The user knows it.
        if let row { arrivals.add(row, isCurrent: false, now: now) }
        if let row { merge(row, asked: request.number, isNew: false, now) }
        prune()
    }

    /// The service deleted a notification for the user.
    mutating func finishDeletion(of id: String, now: Timestamp) {
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

    /// The service marked all notifications of the inbox as read or seen for the user. Those that were sent after
    /// `last`, when the user made the change, may have come after it, too: the next page says it.
    mutating func finishActionOnAll(_ change: StateChange, upTo last: Timestamp, now: Timestamp) {
        let number = nextNumber()
        witnesses = [:]
        rows.apply(change, to: nil, upTo: last, number: number, at: now, keepsLog: !requests.isEmpty)
        counts.clear(change)
        countsChanged(number, now)
        prune()
        becomeStale(at: now.advanced(milliseconds: Self.countDelay))
    }

    // MARK: Single notifications

    typealias SingleRequest = RowRequests<InboxNotification>.Ticket

    /// Adds an event. False: there are too many.
    private mutating func addSingle(_ id: String, isNew: Bool, _ number: UInt64, _ now: Timestamp) -> Bool {
        let isCovered = singles.covers(id, isNew: isNew)
        let window = Self.singleWindow
        recentSingles.removeAll { $0.advanced(milliseconds: window.length) <= now || $0 > now }
        guard isCovered || recentSingles.count < window.requests, singles.add(id, isNew: isNew, at: number) else {
            return false
        }
        if !isCovered { recentSingles.append(now) }
        return true
    }

    /// Begins the next request for a notification, if there is one.
    mutating func beginSingle() -> SingleRequest? {
        guard let request = singles.begin(nextNumber()) else { return nil }
        requests.insert(request.number)
        return request
    }

    /// A notification is requested again: the answer includes what happened since the first request. nil: it is not
    /// needed any more.
    mutating func beginAgain(_ request: SingleRequest) -> SingleRequest? {
        guard let next = singles.again(request, nextNumber()) else { return nil }
        requests.remove(request.number)
        requests.insert(next.number)
        return next
    }

    /// A notification is loaded.
    mutating func finish(_ request: SingleRequest, _ row: InboxNotification, now: Timestamp) {
        requests.remove(request.number)
        merge(singles.finish(request, row), isAbsent: false, now)
    }

    /// A notification could not be loaded.
    ///
    /// - Returns: After which time to request it again, ``beginAgain(_:)``; nil: not any more.
    mutating func fail(_ request: SingleRequest, _ error: MagicBellError, now: Timestamp) -> Duration? {
        let isAbsent = error.kind == .notFound
        // The service announces a notification before its API returns it.
        let mayRepeat = error.isRetryable || isAbsent && singles.isNew(request.id)
        let (delay, ready) = singles.fail(request, mayRepeat: mayRepeat)
        if delay == nil { requests.remove(request.number) }
        merge(ready, isAbsent: isAbsent, now)
        return delay
    }

    /// - Parameter isAbsent: Whether the service does not have the notification without a row.
    private mutating func merge(
        _ outcomes: [RowRequests<InboxNotification>.Outcome],
        isAbsent: Bool,
        _ now: Timestamp
    ) {
        for outcome in outcomes {
            if let row = outcome.row {
                merge(row, asked: outcome.asked, isNew: outcome.isNew, now)
            } else {
                if outcome.isNew { arrivals.announce(outcome.id, number: nextNumber()) }
                // Also if it is absent: the service may list a notification later than it announces it.
                if outcome.isNew || !isAbsent { becomeStale(at: now) }
            }
        }
        prune()
    }

    private mutating func merge(_ row: InboxNotification, asked: UInt64, isNew: Bool, _ now: Timestamp) {
        let old = rows[row.id]
        guard let row = rows.merge(row, requestNumber: asked) else { return }
        let isLoaded = rows[row.id] != nil
        if old != nil || isLoaded { counts.adjust(from: old, to: row) }
        if old != row { countsChanged(nextNumber(), now) }
        rows.trim()
        prune()
        guard isNew else {
            if !isLoaded { report(.updated(Notification(row))) }
            return
        }
        // It is older than the newest part: the counts lack it.
        if !isLoaded { becomeStale(at: now.advanced(milliseconds: Self.countDelay)) }
        guard !arrivals.isKnown(row.id) else { return }
        arrivals.add(row, isCurrent: phase == .current, now: now)
        if !row.isArchived { report(.arrived([Notification(row)])) }
    }
}
