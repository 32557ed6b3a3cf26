import Basics
import ClientKit

/// Events of the realtime feed, and actions.
extension StoresState {
    // MARK: Events

    /// The realtime feed is connected. Without continuity, every fetched store is loaded again.
    mutating func connected(isContinuous: Bool) {
        guard !isContinuous else { return }
        // Their answers may be older than the lists.
        abandonItems()
        echoes = Echoes()
        echoesOfAll = [:]
        requireLists()
    }

    /// An event arrived.
    mutating func receive(_ event: InboxEvent, now: Timestamp) {
        switch event {
        case .created(let id):
            if let row = certain(id) { update(id, from: nil, to: row) } else { requestItem(id) }
        case .changed(let id, let change): receive(change, of: id, now: now)
        case .deleted(let id):
            _ = echoes.take(id, nil, now: now)
            actions.note(event, about: id)
            update(id, from: known(id), to: nil)
        case .allRead: receiveAll(.read, now: now)
        case .allSeen: receiveAll(.seen, now: now)
        }
    }

    private mutating func receive(_ change: StateChange, of id: String, now: Timestamp) {
        let echo = echoes.take(id, change, now: now)
        // Applied now, it would show for a moment what the user has changed since.
        if echo == .superseded { return }
        if echo == .none { actions.note(.changed(id: id, change), about: id) }
        guard var row = certain(id) else {
            // The end of an own change requests the row, or has done so.
            if echo != .current, !actions.make(change, to: id) { requestItem(id) }
            return
        }
        let old = row
        row.apply(change, at: now)
        if row != old {
            update(id, from: old, to: row)
        } else if echo == .current {
            confirm(id, row)
        } else {
            // An answer brought it before its event. Stores without the notification have the counts from before.
            update(id, from: nil, to: row)
        }
    }

    /// The event does not name notifications: it concerns all, unless it answers an action of this client, whose effect
    /// is applied with its result. The lists are loaded again in both cases.
    private mutating func receiveAll(_ change: StateChange, now: Timestamp) {
        if let count = echoesOfAll[change], count > 0 {
            echoesOfAll[change] = count - 1
        } else {
            actions.noteAll(change == .read ? .allRead : .allSeen)
            updateAll(change, of: nil, at: now)
        }
        requireLists()
    }

    // MARK: Actions

    /// An action on one notification begins; it waits for ``ActionsInFlight/isNext(_:)``.
    ///
    /// - Parameter change: nil: it deletes the notification.
    mutating func beginAction(_ change: StateChange?, on id: String) -> UInt64 {
        let number = nextNumber()
        actions.begin(number, change, on: id)
        return number
    }

    /// An action on all notifications begins, as above.
    mutating func beginActionOnAll(_ change: StateChange) -> UInt64 {
        let number = nextNumber()
        actions.begin(number, change, on: nil)
        if reloads.phase != .stopped { echoesOfAll[change, default: 0] += 1 }
        return number
    }

    /// The service changed a notification.
    ///
    /// - Parameter given: The notification as the app has it.
    /// - Returns: Its present state.
    mutating func finishAction(
        _ number: UInt64,
        _ change: StateChange,
        on given: InboxNotification,
        now: Timestamp
    ) -> InboxNotification {
        let event = actions.end(number)
        let certain = certain(given.id)
        let old = certain ?? known(given.id)
        var new = old ?? given
        new.apply(change, at: now)
        // An event that contradicts the action: which of them the service performed last is unknown.
        if let event, event != .changed(id: given.id, change) {
            if event != .deleted(id: given.id) { requestItem(given.id) }
            return new
        }
        // Unless its echo came before the answer.
        if event == nil, reloads.phase != .stopped { echoes.add(given.id, change, now: now) }
        if certain == nil, reloads.phase != .stopped {
            // An answer that is on its way may have a later state than `new`.
            requestItem(given.id)
            changeAll { $0.update(given.id, from: old, to: new) }
            scheduleReload()
        } else if new != old {
            update(given.id, from: old, to: new)
        } else {
            confirm(given.id, new)
        }
        return new
    }

    /// The service deleted a notification, or does not know it.
    mutating func finishDeletion(_ number: UInt64, of id: String, now: Timestamp) {
        let event = actions.end(number)
        if event == nil, reloads.phase != .stopped { echoes.add(id, nil, now: now) }
        update(id, from: known(id), to: nil)
    }

    /// The service changed all notifications of `predicate`. Notifications that came after that cannot be
    /// distinguished, and other stores may have gained notifications, so the lists are loaded again.
    mutating func finishActionOnAll(
        _ number: UInt64,
        _ change: StateChange,
        of predicate: StorePredicate,
        now: Timestamp
    ) {
        _ = actions.end(number)
        updateAll(change, of: predicate, at: now)
        requireLists()
    }

    /// An action failed, or was cancelled before it was sent.
    mutating func failAction(_ number: UInt64, on id: String?, _ change: StateChange?, _ error: MagicBellError) {
        let event = actions.end(number)
        switch (id, error.kind) {
        case (let id?, .notFound): update(id, from: known(id), to: nil)
        case (let id?, .serverFailure), (let id?, .unreachable), (let id?, .unexpectedAnswer), (let id?, .cancelled):
            requestItem(id)
        case (nil, .serverFailure), (nil, .unreachable), (nil, .unexpectedAnswer), (nil, .cancelled):
            // The service may have performed it: its event counts as the answer.
            requireLists()
        case (nil, _):
            if let change, let count = echoesOfAll[change] { echoesOfAll[change] = max(0, count - 1) }
        case (let id?, _):
            // Another client has made the change, and nothing has requested the row.
            if let change, event == .changed(id: id, change), certain(id) == nil { requestItem(id) }
        }
    }
}
