import AgentInterface
import Basics
import DBus
package import Inbox
import Logging

/// The user's changes: applied at once, sent to the service in the background.
extension AccountSession {
    /// How long the computer may still deliver a request whose program has ended (`TCP_USER_TIMEOUT` of the transport),
    /// and how long after its beginning: it may have waited for a connection.
    private static let deliveryLimit = (afterEnd: Duration.seconds(20), afterBeginning: Duration.seconds(40))

    /// In milliseconds: the creation time of a notification is wrong if it is later than the service's time by more.
    private static let clockTolerance: Int64 = 60_000

    private var actionStorage: OutboxStorage<TimestampedChange> {
        OutboxStorage(store: store, owner: identity.key, logger: logger)
    }

    /// Applies changes at once and sends them in the background. Throws `NotSupported` if the service does not support
    /// one, `NotFound` for an unknown notification, and `LimitsExceeded` if too many changes are pending.
    ///
    /// - Parameters:
    ///   - isChecked: Whether to check that notifications exist that are not loaded.
    ///   - caller: See ``UndoHistory/Step/caller``.
    func submit(
        _ changes: [Change],
        isChecked: Bool = true,
        by caller: String? = nil
    ) async throws(DBusError) {
        for change in changes where !service.capabilities.contains(change.requirement) {
            throw DBusError(
                AgentErrors.notSupported,
                "The service of the account \"\(identity.name)\" (\(identity.provider)) cannot \(change.verb)."
            )
        }
        try await untilRestored()
        if isChecked { try await checkExistence(of: changes.flatMap(\.ids)) }
        guard outbox.hasRoom(for: changes.count) else {
            throw DBusError(
                .limitsExceeded,
                "\(outbox.count) actions are pending, no more are accepted. Try again when the account is online."
            )
        }
        if changes.contains(.allRead) { await keepSnoozesOfRead() }
        let (now, serviceTime) = (environment.now(), await service.serviceTime)
        let isOnline = connection.state == .online
        let made = changes.map { change in
            let isAboutAll = change == .allRead || change == .badgeReset
            let time =
                isAboutAll
                ? max(serviceTime, min(newestKnown, serviceTime.advanced(milliseconds: Self.clockTolerance))) : now
            return TimestampedChange(change, at: time)
        }
        let (immediate, held) = (made.filter(canReverse), made.filter { !canReverse($0) })
        let unread = changes.contains(.allRead) ? (try? inbox.allUnread) ?? nil : nil
        history.add(changes, unread: unread, by: caller, at: environment.uptime())
        var effects = immediate.flatMap { outbox.receive(.submitted($0, isOnline: isOnline)) }
        if !held.isEmpty { effects += outbox.receive(.held(held, for: Self.holdTime)) }
        await save(effects)
        // A notification that is not loaded may have a popup, in any tab.
        for change in changes { withdrawPopups(after: change) }
    }

    private func canReverse(_ made: TimestampedChange) -> Bool { made.change.isReversible(service.capabilities) }

    /// Marks notifications as seen: their popups were dismissed.
    package func seen(_ ids: [NotificationID]) async {
        // Popups are dismissed whether the service records it or not.
        guard service.capabilities.contains(.seen) else { return }
        for change in Change.seen(ids, atOnce: service.rules.seenAtOnce) { await submitLoggingErrors(change) }
    }

    /// The user opened the inbox: its badge restarts.
    func inboxOpened() async {
        guard service.capabilities.contains(.serverBadge) else { return }
        // Before the inbox is loaded, its badge is unknown.
        if inbox.isReported, shownCounts.badge == 0 { return }
        await submitLoggingErrors(.badgeReset)
    }

    func submitLoggingErrors(_ change: Change) async {
        do { try await submit([change], isChecked: false) } catch {
            logger.error("action rejected", metadata: ["action": "\(change.name)", "reason": "\(error.message)"])
        }
    }

    private func withdrawPopups(after change: Change) {
        switch change {
        case .read, .interacted: for id in change.ids { post(.read(reference(id))) }
        case .archive, .delete: for id in change.ids { post(.withdrawn(reference(id))) }
        case .allRead: post(.allRead(account: identity.key))
        case .seen, .unread, .unarchive, .badgeReset: break
        }
    }

    /// Applies an event to the outbox, saves and shows what it changes, and has its effects performed.
    func process(_ event: Outbox.Event) async {
        let answered = outbox.sent
        switch event {
        case .confirmed: await save(outbox.receive(event), confirmed: answered?.change)
        case .failed: await save(outbox.receive(event), failed: answered)
        default: await save(outbox.receive(event))
        }
        answerWaiters.wakeAll()
    }

    /// Notifications have left the inbox at the service.
    func archivedElsewhere(_ ids: [NotificationID]) {
        let held = outbox.heldArchives.intersection(ids)
        guard !held.isEmpty else { return }
        history.forget(held.map(Change.archive))
        archivedIDs.send(held)
    }

    /// Writes to disk before D-Bus and the service: a change that was confirmed, published or sent is never lost.
    private func save(
        _ effects: [Outbox.Effect],
        confirmed: TimestampedChange? = nil,
        failed: Outbox.Entry? = nil
    ) async {
        var begun: [Int64: Timestamp] = [:]
        if let failed, outbox.isPending(failed.number) { begun[failed.number] = 0 }
        for case .send in effects {
            if let entry = outbox.sent { begun[entry.number] = environment.now() }
        }
        await actionStorage.save(effects, begun: begun)
        // It cannot be taken out of the archive any more.
        if case .delete(let id)? = confirmed?.change { history.forget([.archive(id)]) }
        // It may have been superseded while it was written.
        let added = effects.compactMap(\.kept).filter { outbox.isPending($0.number) }
        let ended = effects.compactMap(\.forgotten)
        publish { (table) throws(StoreError) in try table.change(adding: added, ending: ended, confirmed: confirmed) }
        for effect in effects { outboxEffects.send(effect) }
    }

    /// Restores the pending changes of the previous run.
    func restore() async {
        if let (changes, last, begun) = await actionStorage.load() {
            let now = environment.now()
            var holds: [Int64: Duration] = [:]
            publish { (table) throws(StoreError) in try table.restore(changes) }
            for entry in changes {
                guard !canReverse(entry.change) else { continue }
                let rest = Self.holdTime - entry.change.time.duration(to: now)
                if rest > .zero { holds[entry.number] = min(rest, Self.holdTime) }
            }
            // Changes of the same time were made with one request.
            let times = Dictionary(grouping: changes.map(\.change), by: \.time)
            for (time, made) in times.sorted(by: { $0.key < $1.key }) {
                // If the wall clock was set back meanwhile, they are no later than now.
                let age = max(.zero, time.duration(to: now))
                history.add(made.map(\.change), unread: nil, by: "", at: environment.uptime() - age)
            }
            let (limit, longest) = Self.deliveryLimit
            let rests = begun.mapValues { min(limit, longest - $0.duration(to: now)) }.filter { $0.value > .zero }
            await process(.restored(changes, last: last, holds: holds, begun: rests))
        }
        isRestored = true
        restorationWaiters.wakeAll()
    }

    /// Throws `Cancelled` if the task is cancelled before, and `Unauthorized` if the account is stopped.
    func untilRestored() async throws(DBusError) {
        while stopReason != nil || !isRestored {
            if let stopReason { throw DBusError(stopReason.errorName, stopReason.sentence) }
            if isEnded || Task.isCancelled { throw DBusError(.cancelled, "The account was stopped.") }
            await restorationWaiters.add().wait()
        }
    }

    /// Reports a change that the service rejected. It was reverted already.
    private func reportRejection(of change: Change, _ failure: ServiceFailure) {
        history.forget([change])
        let ids = change.ids.map(\.rawValue)
        logger.warning(
            "the service rejected an action",
            metadata: ["action": "\(change.name)", "ids": "\(ids)", "reason": "\(failure.sentence)"]
        )
        publication.emit { (bus, path) throws(DBusError) in
            let error = failure.errorName.text
            try bus.emit(AgentInbox.actionFailed, change.name, ids, error, failure.sentence, from: path)
        }
    }

    /// Why the oldest failed change is pending, and until when all wait if the service asks for a pause; nil: none has
    /// failed.
    var pendingFailure: ServiceFailure? {
        var failure = outbox.obstacle?.failure
        if let end = outbox.pausedUntil { failure?.sentence += " The next attempt is at \(clockTime(end))." }
        return failure
    }

    private func clockTime(_ time: Timestamp) -> String { WeeklyHours.text(environment.localTime(time).minute) }

    /// The error of a request to connect during a pause that the service asks for; nil: there is no pause.
    private var pauseProblem: DBusError? {
        let account = "the account \"\(identity.name)\""
        if let failure = connection.failure, failure.retryAfter != nil, connection.state == .offline,
            let next = connection.nextAttempt
        {
            let sentence = "\(failure.sentence) The next attempt to connect \(account) is at \(clockTime(next))."
            return DBusError(AgentErrors.offline, sentence)
        }
        guard outbox.pausedUntil != nil, let failure = pendingFailure else { return nil }
        return DBusError(AgentErrors.offline, "The actions of \(account) wait: \(failure.sentence)")
    }

    /// Connects at the user's request.
    ///
    /// - Throws: `Offline` with the time if the service asks for a pause.
    func reconnectOnRequest() async throws(DBusError) {
        let problem = pauseProblem
        await reconnect()
        if let problem { throw problem }
    }

    func runOutbox() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await ids in self.archivedIDs.messages { await self.process(.archivedElsewhere(ids)) }
            }
            for await effect in outboxEffects.messages {
                group.addTask { await self.perform(effect) }
            }
        }
    }

    private func perform(_ effect: Outbox.Effect) async {
        switch effect {
        case .send(let made, let isDelayed):
            do throws(ServiceFailure) {
                try await service.apply(made, isDelayed: isDelayed)
                // Its effect is reported before it is no longer pending.
                await synchronize()
                await process(.confirmed)
            } catch {
                // The account ends. Whether the request arrives is not known.
                guard !Task.isCancelled else { return }
                logger.info(
                    "an action failed",
                    metadata: ["action": "\(made.change.name)", "reason": "\(error.sentence)"]
                )
                await process(.failed(error, now: environment.now(), jitter: environment.jitter()))
            }
        case .startTimer(let timer, let delay):
            guard (try? await environment.clock.sleep(for: delay)) != nil else { return }
            await process(.timerFired(timer))
        case .rejected(let made, let failure): reportRejection(of: made.change, failure)
        case .keep, .forget: break
        }
    }
}
