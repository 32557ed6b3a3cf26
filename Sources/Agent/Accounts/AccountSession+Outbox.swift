import AgentInterface
import DBus
package import Inbox
import Logging
import Store

/// The person's changes on their way to the service.
extension AccountSession {
    /// In milliseconds: a notification that is newer than the present time of the service by more than this has a wrong time.
    private static let clockTolerance: Int64 = 60_000

    /// Makes changes: they show at once, and the service is told in the background. Throws `NotSupported` for what the service cannot
    /// do, `NotFound` for a notification that does not exist, and `LimitsExceeded` when too many wait already.
    ///
    /// - Parameter isChecked: The ids come from outside: those that are not loaded are looked up.
    func make(_ changes: [Change], isChecked: Bool = true) async throws(DBusError) {
        for change in changes where !provider.capabilities.contains(change.requirement) {
            throw DBusError(
                AgentErrors.notSupported,
                "\(change.name) is nothing that \(identity.provider) offers; see the account's Capabilities."
            )
        }
        await untilRestored()
        if isChecked { try await checkExistence(of: changes.flatMap(\.ids)) }
        guard outbox.hasRoom(for: changes.count) else {
            throw DBusError(
                .limitsExceeded,
                "\(outbox.count) actions wait for the service already. Try again when the account is online."
            )
        }
        let (now, serviceTime) = (surroundings.now(), await provider.serviceTime)
        let isOnline = connection.state == .online
        let effects = changes.flatMap { change in
            let isAboutAll = change == .allRead || change == .badgeReset
            let time =
                isAboutAll
                ? max(serviceTime, min(newestKnown, serviceTime.advanced(milliseconds: Self.clockTolerance))) : now
            return outbox.receive(.submitted(TimestampedChange(change, at: time), isOnline: isOnline))
        }
        await perform(effects)
        // Loaded or not, in whatever tab.
        for change in changes { withdrawPopups(after: change) }
    }

    /// Counts a notification as interacted: its popup was clicked.
    package func interacted(_ id: ItemID) async { await submitLoggingErrors(.interacted(id)) }

    /// Marks notifications as seen: their popups were dismissed.
    package func seen(_ ids: [ItemID]) async {
        for change in Change.seen(ids, atOnce: provider.rules.seenAtOnce) { await submitLoggingErrors(change) }
    }

    private func submitLoggingErrors(_ change: Change) async {
        do { try await make([change], isChecked: false) } catch {
            logger.error("action not accepted", metadata: ["action": "\(change.name)", "reason": "\(error.message)"])
        }
    }

    private func withdrawPopups(after change: Change) {
        switch change {
        case .read, .interacted, .archive, .delete: for id in change.ids { popups.post(.withdrawn(subject(id))) }
        case .allRead: popups.post(.allWithdrawn(account: identity.key))
        case .seen, .unread, .unarchive, .badgeReset: break
        }
    }

    /// Takes in what became of a change.
    func process(_ event: Outbox.Event) async {
        if event == .confirmed, let confirmed = outbox.inFlight { unsyncedConfirmations.append(confirmed) }
        await perform(outbox.receive(event))
    }

    /// First to the disk, then to the bus, then to the service: what was answered, shown or sent is never lost.
    private func perform(_ effects: [Outbox.Effect]) async {
        let void = effects.compactMap { if case .forget(let number) = $0 { number } else { nil } }
        let kept = effects.compactMap { if case .keep(let entry) = $0 { StateStore.OutboxRow(entry) } else { nil } }
        if !void.isEmpty || !kept.isEmpty {
            do throws(StoreError) {
                try await store.replace(void, by: kept, of: identity.key)
            } catch {
                logger.error("what waits for the service is not kept on disk", metadata: ["reason": "\(error)"])
            }
        }
        await show()
        for effect in effects { workInput.yield(effect) }
    }

    /// Takes up what an earlier life of the agent has left.
    func restore() async {
        do throws(StoreError) {
            let rows = try await store.outbox(of: identity.key)
            let entries = rows.compactMap(Outbox.Entry.init)
            if entries.count < rows.count {
                logger.warning("some of what waits for the service is unknown to this version of Feedbell")
            }
            await process(.restored(entries, last: try await store.reserveNumbers()))
        } catch {
            logger.error("what waited for the service cannot be read", metadata: ["reason": "\(error)"])
        }
        isRestored = true
        for waiter in awaitingRestoration { waiter.resume() }
        awaitingRestoration = []
    }

    func untilRestored() async {
        if isRestored { return }
        await withCheckedContinuation { awaitingRestoration.append($0) }
    }

    /// The service refused a change for good; what shows is already as it was.
    private func tell(_ change: Change, _ failure: ProviderFailure) async {
        let ids = change.ids.map(\.rawValue)
        logger.warning(
            "the service refused an action",
            metadata: ["action": "\(change.name)", "ids": "\(ids)", "reason": "\(failure.sentence)"]
        )
        do {
            let error = failure.errorName.text
            try await bus.emit(AgentInbox.actionFailed, (change.name, ids, error, failure.sentence), from: path)
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    func runOutbox(_ work: AsyncStream<Outbox.Effect>) async {
        await withDiscardingTaskGroup { group in
            for await work in work {
                group.addTask { await self.perform(work) }
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
                await process(.failed(error, now: surroundings.now(), jitter: surroundings.jitter()))
            }
        case .wait(let wait, let delay):
            guard (try? await surroundings.clock.sleep(for: delay)) != nil else { return }
            await process(.fired(wait))
        case .rejected(let made, let failure): await tell(made.change, failure)
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
    /// nil: a later version of Feedbell has written it.
    fileprivate init?(_ row: StateStore.OutboxRow) {
        guard let change = Change(name: row.action, ids: row.ids.map { ItemID($0) }) else { return nil }
        self.init(number: row.number, made: TimestampedChange(change, at: Timestamp(milliseconds: row.made)))
    }
}
