import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// Notifications that the user has put off. No service has that: it is recorded on this computer only.
extension AccountSession {
    /// The wait before another attempt to load a notification whose time has come.
    private static let retryInterval: Int64 = 60_000

    func addSnoozing(to object: inout ExportedObject) {
        object.handleCall(AgentInbox.snooze) { arguments, context in
            let end = Timestamp(milliseconds: arguments.1)
            try await self.snooze(Self.checked(arguments.0), until: end, by: context.sender?.text)
        }
        object.handle(AgentInbox.unsnooze) { ids in try await self.unsnooze(Self.checked(ids)) }
    }

    private func unsnooze(_ ids: [NotificationID]) async throws(DBusError) {
        try await untilRestored()
        await replaceSnoozes(ids.filter { snoozes[$0] != nil }, by: [:])
    }

    /// - Parameter caller: See ``UndoHistory/Step/caller``.
    func snooze(_ ids: [NotificationID], until: Timestamp, by caller: String? = nil) async throws(DBusError) {
        guard until > environment.now() else {
            throw DBusError(
                .invalidArgs,
                "The time is in the past. Choose a later one."
            )
        }
        try await untilRestored()
        try await checkExistence(of: ids)
        let new = Set(ids).filter { snoozes[$0] == nil }.count
        guard snoozes.count + new <= Snoozes.limit else {
            throw DBusError(
                .limitsExceeded,
                "\(snoozes.count) notifications are snoozed, no more are accepted. "
                    + "End some with: feedbell unsnooze"
            )
        }
        var begun: [NotificationID: Snoozes.Snooze] = [:]
        for id in ids {
            let wasRead = snoozes[id]?.wasRead ?? (inbox[id]?.read != nil)
            begun[id] = Snoozes.Snooze(until: until, wasRead: wasRead)
        }
        let snoozings = begun.map { UndoHistory.Snoozing(id: $0, earlier: snoozes[$0], new: $1) }
        history.add(snoozings.sorted { $0.id.rawValue < $1.id.rawValue }, by: caller, at: environment.uptime())
        await replaceSnoozes([], by: begun)
        for id in ids { post(.withdrawn(reference(id))) }
    }

    /// The user takes back that notifications were snoozed.
    func restore(_ snoozings: [UndoHistory.Snoozing]) async {
        let earlier = snoozings.compactMap { snoozing in snoozing.earlier.map { (snoozing.id, $0) } }
        await replaceSnoozes(
            snoozings.filter { $0.earlier == nil }.map(\.id),
            by: Dictionary(earlier) { $1 }
        )
    }

    /// Everything is marked as read, which ends no snooze.
    func keepSnoozesOfRead() async {
        await replaceSnoozes([], by: snoozes.changed(wasRead: true, of: snoozes.ids))
    }

    /// That everything was marked as read is taken back: reading one of these notifications ends its snooze again.
    func endedByReading(_ ids: [NotificationID]) async {
        await replaceSnoozes([], by: snoozes.changed(wasRead: false, of: ids))
    }

    /// On disk first: what was published is not forgotten.
    private func replaceSnoozes(_ ended: [NotificationID], by begun: [NotificationID: Snoozes.Snooze]) async {
        if ended.isEmpty, begun.isEmpty { return }
        do throws(StoreError) {
            try await store.replaceSnoozes(ended, by: begun, of: identity.key)
        } catch {
            logger.error("cannot write what is snoozed", metadata: ["reason": "\(error)"])
        }
        var changes = begun.mapValues(Optional.some)
        for id in ended { changes[id] = .some(nil) }
        set(changes)
        updateSnoozeTimer()
    }

    /// Begins and ends (nil) snoozes.
    private func set(_ changes: [NotificationID: Snoozes.Snooze?]) {
        for (id, snooze) in changes { snoozes[id] = snooze }
        publish { (table) throws(StoreError) in try table.snooze(changes) }
    }

    /// Continues what the previous run has recorded.
    func restoreSnoozes() async {
        do throws(StoreError) {
            let stored = try await store.snoozes(of: identity.key)
            var changes = stored.mapValues(Optional.some)
            // Ended in a run that did not end in an orderly way.
            for id in try inbox.snoozedIDs where stored[id] == nil { changes[id] = .some(nil) }
            set(changes)
        } catch {
            logger.error("cannot read what is snoozed", metadata: ["reason": "\(error)"])
        }
        updateSnoozeTimer()
    }

    /// Checks the time again, after the wall clock was set or the host was suspended.
    func updateSnoozeTimer() {
        let now = environment.now()
        snoozeTimer.set(after: snoozes.next.map { max(.zero, now.duration(to: $0)) })
    }

    /// Shows those again whose time has come.
    func endSnoozes() async {
        for id in snoozes.due(at: environment.now()) {
            guard let snooze = snoozes[id] else { continue }
            do throws(DBusError) {
                let notification = try await notification(id)
                guard snoozes[id] == snooze else { continue }
                guard !snooze.isHandled(notification) else {
                    await replaceSnoozes([id], by: [:])
                    continue
                }
                set([id: nil])
                // On disk it ends when it is shown, which may be after a pause, in another run.
                post(.snoozeEnded(account: identity.key, notification, now: environment.now()))
            } catch {
                guard error.name != AgentErrors.notFound else {
                    await replaceSnoozes([id], by: [:])
                    continue
                }
                let later = environment.now().advanced(milliseconds: Self.retryInterval)
                set([id: Snoozes.Snooze(until: later, wasRead: snooze.wasRead)])
            }
        }
        updateSnoozeTimer()
    }

    /// Ends the snoozes of notifications that were handled, here or elsewhere.
    func endSnoozes(after differences: [InboxTable.Difference]) {
        if snoozes.isEmpty { return }
        let handled = differences.compactMap { difference -> NotificationID? in
            switch difference {
            case .removed(let id): snoozes[id].map { _ in id }
            case .changed(let notification), .added(let notification):
                snoozes[notification.id]?.isHandled(notification) == true ? notification.id : nil
            case .unloaded: nil
            }
        }
        for id in handled { endedSnoozes.send(id) }
    }

    /// Runs the timer of the snoozed notifications, and ends those that were handled.
    func runSnoozes() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.snoozeTimer.run(clock: self.environment.clock) { await self.endSnoozes() } }
            group.addTask {
                for await id in self.endedSnoozes.messages { await self.replaceSnoozes([id], by: [:]) }
            }
        }
    }
}
