import AgentInterface
import Basics
import DBus
package import Inbox
import Logging
import Store

/// The user's changes: applied at once, sent to the service in the background.
extension AccountSession {
    /// In milliseconds: the creation time of a notification is wrong if it is later than the service's time by more.
    private static let clockTolerance: Int64 = 60_000

    /// Applies changes at once and sends them in the background. Throws `NotSupported` if the service does not support
    /// one, `NotFound` for an unknown notification, and `LimitsExceeded` if too many changes are pending.
    ///
    /// - Parameter isChecked: Whether to check that notifications exist that are not loaded.
    func submit(_ changes: [Change], isChecked: Bool = true) async throws(DBusError) {
        for change in changes where !provider.capabilities.contains(change.requirement) {
            throw DBusError(
                AgentErrors.notSupported,
                "\(identity.provider) does not support \(change.name). See the account's Capabilities."
            )
        }
        await untilRestored()
        if isChecked { try await checkExistence(of: changes.flatMap(\.ids)) }
        guard outbox.hasRoom(for: changes.count) else {
            throw DBusError(
                .limitsExceeded,
                "\(outbox.count) actions are pending, no more are accepted. Try again when the account is online."
            )
        }
        let (now, serviceTime) = (environment.now(), await provider.serviceTime)
        let isOnline = connection.state == .online
        let effects = changes.flatMap { change in
            let isAboutAll = change == .allRead || change == .badgeReset
            let time =
                isAboutAll
                ? max(serviceTime, min(newestKnown, serviceTime.advanced(milliseconds: Self.clockTolerance))) : now
            return outbox.receive(.submitted(TimestampedChange(change, at: time), isOnline: isOnline))
        }
        await perform(effects)
        // Also of notifications that are not loaded, in any tab.
        for change in changes { withdrawPopups(after: change) }
    }

    /// Marks a notification as interacted: its popup was clicked.
    package func interacted(_ id: NotificationID) async { await submitLoggingErrors(.interacted(id)) }

    /// Marks notifications as seen: their popups were dismissed.
    package func seen(_ ids: [NotificationID]) async {
        for change in Change.seen(ids, atOnce: provider.rules.seenAtOnce) { await submitLoggingErrors(change) }
    }

    private func submitLoggingErrors(_ change: Change) async {
        do { try await submit([change], isChecked: false) } catch {
            logger.error("action rejected", metadata: ["action": "\(change.name)", "reason": "\(error.message)"])
        }
    }

    private func withdrawPopups(after change: Change) {
        switch change {
        case .read, .interacted, .archive, .delete: for id in change.ids { popups.post(.withdrawn(reference(id))) }
        case .allRead: popups.post(.allWithdrawn(account: identity.key))
        case .seen, .unread, .unarchive, .badgeReset: break
        }
    }

    /// Applies an event to the outbox, and performs its effects.
    func process(_ event: Outbox.Event) async {
        if event == .confirmed, let confirmed = outbox.inFlight { unsyncedConfirmations.append(confirmed) }
        await perform(outbox.receive(event))
    }

    /// Writes to disk before D-Bus and the service: a change that was confirmed, published or sent is never lost.
    private func perform(_ effects: [Outbox.Effect]) async {
        let removed = effects.compactMap { if case .forget(let number) = $0 { number } else { nil } }
        let kept = effects.compactMap { if case .keep(let entry) = $0 { StateStore.OutboxRow(entry) } else { nil } }
        if !removed.isEmpty || !kept.isEmpty {
            do throws(StoreError) {
                try await store.replace(removed, by: kept, of: identity.key)
            } catch {
                logger.error("cannot write pending actions", metadata: ["reason": "\(error)"])
            }
        }
        await publishContents()
        for effect in effects { outboxEffectInput.yield(effect) }
    }

    /// Restores the pending changes of the previous run.
    func restore() async {
        do throws(StoreError) {
            let rows = try await store.outbox(of: identity.key)
            let entries = rows.compactMap(Outbox.Entry.init)
            if entries.count < rows.count {
                logger.warning("some pending actions are unknown to this version of Feedbell")
            }
            await process(.restored(entries, last: try await store.reserveNumbers()))
        } catch {
            logger.error("cannot read pending actions", metadata: ["reason": "\(error)"])
        }
        isRestored = true
        for waiter in awaitingRestoration { waiter.resume() }
        awaitingRestoration = []
    }

    func untilRestored() async {
        if isRestored { return }
        await withCheckedContinuation { awaitingRestoration.append($0) }
    }

    /// Reports a change that the service rejected. It was reverted already.
    private func reportRejection(of change: Change, _ failure: ProviderFailure) async {
        let ids = change.ids.map(\.rawValue)
        logger.warning(
            "the service rejected an action",
            metadata: ["action": "\(change.name)", "ids": "\(ids)", "reason": "\(failure.sentence)"]
        )
        do {
            let error = failure.errorName.text
            try await bus.emit(AgentInbox.actionFailed, (change.name, ids, error, failure.sentence), from: path)
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    func runOutbox(_ effects: AsyncStream<Outbox.Effect>) async {
        await withDiscardingTaskGroup { group in
            for await effect in effects {
                group.addTask { await self.perform(effect) }
            }
        }
    }

    private func perform(_ effect: Outbox.Effect) async {
        switch effect {
        case .send(let made, let isDelayed):
            do throws(ProviderFailure) {
                try await provider.apply(made, isDelayed: isDelayed)
                await process(.confirmed)
            } catch {
                logger.info(
                    "an action failed",
                    metadata: ["action": "\(made.change.name)", "reason": "\(error.sentence)"]
                )
                await process(.failed(error, now: environment.now(), jitter: environment.jitter()))
            }
        case .wait(let wait, let delay):
            guard (try? await environment.clock.sleep(for: delay)) != nil else { return }
            await process(.fired(wait))
        case .rejected(let made, let failure): await reportRejection(of: made.change, failure)
        case .keep, .forget: break
        }
    }
}

extension StateStore.OutboxRow {
    fileprivate init(_ entry: Outbox.Entry) {
        let made = entry.made
        self.init(
            number: entry.number,
            action: made.change.name,
            ids: made.change.ids.map(\.rawValue),
            made: made.time.milliseconds
        )
    }
}

extension Outbox.Entry {
    /// nil: a later version of Feedbell wrote the row.
    fileprivate init?(_ row: StateStore.OutboxRow) {
        guard let change = Change(name: row.action, ids: row.ids.map { NotificationID($0) }) else { return nil }
        self.init(number: row.number, made: TimestampedChange(change, at: Timestamp(milliseconds: row.made)))
    }
}
