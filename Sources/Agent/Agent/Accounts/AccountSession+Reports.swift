import AgentInterface
import Basics
import DBus
import Inbox
import Logging
import Synchronization

/// Handles the reports of the service: shows popups on the thread of the bus's loop, and changes the inbox on that of
/// the disk.
extension AccountSession {
    /// How many notifications are reported until what exceeds the limits is removed, which reads all that is kept: a
    /// tenth more than the limit may be kept meanwhile.
    private var trimInterval: Int { max(100, inboxes.assumeIsolated { $0.limits.count } / 10) }

    typealias FollowUp = @Sendable (isolated AccountSession) -> Void

    /// Handles what the service reports, in order, from any thread: for the popups at once on that of the loop, where
    /// nothing waits for the disk.
    nonisolated func report(_ event: ServiceEvent) {
        bus.loop.dispatch {
            guard !self.isOver.load(ordering: .relaxed) else { return }
            let new = self.showPopups(of: event)
            self.afterReports { $0.updateInbox(by: event, signalling: new) }
        }
    }

    /// Calls `body` after the reports of the service so far. Popups are sent before. What follows the reports of one
    /// turn of the loop wakes the thread of the disk once, and with its signals that of the bus once.
    private nonisolated func afterReports(_ body: @escaping FollowUp) {
        let isFirst = followUps.withLock { followUps in
            followUps.append(body)
            return followUps.count == 1
        }
        guard isFirst else { return }
        bus.loop.executeBeforeWaiting {
            let bodies = self.followUps.withLock { followUps in
                defer { followUps = [] }
                return followUps
            }
            self.inboxes.executor.execute { self.assumeIsolated { $0.run(bodies) } }
        }
    }

    private func run(_ followUps: [FollowUp]) {
        publication.collect()
        for followUp in followUps { followUp(self) }
        publication.endCollecting()
    }

    /// - Returns: The notifications whose arrival no run has signalled.
    private nonisolated func showPopups(of event: ServiceEvent) -> [Notification] {
        switch event {
        case .arrived(let notifications, let isCatchUp):
            let now = environment.now()
            popups.post(.arrived(account: identity.key, notifications, isCatchUp: isCatchUp, now: now))
            let created = Dictionary(notifications.map { ($0.id, $0.created) }) { $1 }
            // Recorded before it is signalled: if the agent is killed in between, the signal is lost, not repeated.
            var new = popups.record(arrivals: created, of: identity.key)
            return notifications.filter { new.remove($0.id) != nil }
        case .caughtUp(let newest): popups.post(.caughtUp(account: identity.key, newest: newest))
        // A removed notification may have a popup although it was not listed.
        case .contents(let update): for id in update.removed { popups.post(.withdrawn(reference(id))) }
        case .seen(let ids): for id in ids { popups.post(.seenElsewhere(reference(id))) }
        case .allRead: popups.post(.allRead(account: identity.key))
        case .connection, .updated, .delayed, .refused, .identified: break
        }
        return []
    }

    /// Returns when everything that the service has reported is handled, or at cancellation.
    func synchronize() async {
        let completion = Completion()
        bus.loop.execute { self.afterReports { _ in completion.finish() } }
        await completion.wait()
    }

    /// - Parameter new: The arrived notifications whose arrival no run has signalled.
    private func updateInbox(by event: ServiceEvent, signalling new: [Notification]) {
        guard !isEnded, stopReason == nil else { return }
        let now = environment.now()
        switch event {
        case .connection(let new):
            changed(to: new)
        case .contents(let update):
            if update.isCounted || inbox.record.lastEvent != nil { inbox.record.lastEvent = now }
            learn(of: update.changed)
            archivedElsewhere(update.removed)
            let trimInterval = trimInterval
            untrimmed += update.isComplete && !isComplete ? trimInterval : update.changed.count
            if update.isComplete { isComplete = true }
            if isComplete { setAsOf(connection.state == .online ? nil : now) }
            publish { (table) throws(StoreError) in try table.apply(update) }
            if untrimmed >= trimInterval { trim() }
            if inbox.isReported { firstReport.finish() }
        case .arrived(let notifications, _):
            learn(of: notifications)
            logger.debug("arrived", metadata: ["ids": "\(notifications.map(\.id))"])
            signal(new)
        case .caughtUp: break
        case .updated(let notification): updated(notification)
        case .seen(let ids): made(TimestampedChange(.seen(ids), at: now))
        case .allRead: made(TimestampedChange(.allRead, at: now))
        case .identified(let owner): identified(self, owner)
        case .refused(let failure):
            guard connection.state == .unauthorized, stopReason == nil else { return }
            var new = connection
            new.failure = failure
            changed(to: new)
        case .delayed(let failure):
            delay = failure
            if let failure { logger.warning("connection waits", metadata: ["reason": "\(failure.sentence)"]) }
            publication.publish(shownConnection)
        }
    }

    private func learn(of notifications: [Notification]) {
        for notification in notifications { newestKnown = max(newestKnown, notification.created) }
    }

    /// Handles a change that was made elsewhere, of notifications that may not be loaded.
    private func made(_ change: TimestampedChange) {
        publish { (table) throws(StoreError) in try table.apply(change) }
    }

    /// Removes what is kept beyond the limits.
    private func trim() {
        untrimmed = 0
        let limits = inboxes.assumeIsolated { $0.limits }
        do throws(StoreError) { try inbox.trim(to: limits) } catch { report(error) }
    }

    /// The time in which details arrive that were requested before a change.
    private static let requestTime = Duration.seconds(60)

    /// Handles a change of a notification that may not be loaded.
    private func updated(_ notification: Notification) {
        let isOutdated =
            !notification.isArchived
            && history.removed(notification.id, since: environment.uptime() - Self.requestTime)
            && !outbox.heldArchives.contains(notification.id)
        if isOutdated { return }
        if notification.isArchived { archivedElsewhere([notification.id]) }
        let wasListed = inbox.isListed(notification.id)
        publish { (table) throws(StoreError) in try table.apply(changed: notification) }
        guard !wasListed, !inbox.isListed(notification.id) else { return }
        withdrawPopup(of: notification)
        // An archived one is no longer in the inbox; if it was listed, NotificationRemoved was emitted.
        guard !notification.isArchived else { return }
        publication.emit(AgentInbox.notificationChanged, notification)
    }

    func changed(to new: Connection) {
        let old = connection
        var new = new
        if new.state == old.state { new.since = old.since }
        // The reason stays until the account is online again.
        if new.state == .connecting, new.failure == nil { new.failure = old.failure }
        if new.failure?.missingToken == .signedOut {
            let command = signIn == nil ? TokenSource.command(account:) : TokenBackend.command(account:)
            new.failure?.sentence = "Signed out. Sign in: \(command(identity.name))"
        }
        connection = new
        if new.state != old.state {
            logger.notice("connection", metadata: ["state": "\(new.state.rawValue)"])
        }
        if let failure = new.failure, failure != old.failure {
            logger.warning("connection failed", metadata: ["reason": "\(failure.sentence)"])
        }
        publication.publish(shownConnection)
        if new.state == .online {
            if isComplete { setAsOf(nil) }
        } else if old.state == .online {
            // Until now.
            if isComplete { setAsOf(environment.now()) }
            isComplete = false
            inbox.disconnected()
        }
        publish()
        let isBack = new.state == .online && old.state != .online
        if isBack {
            // Their changes during the gap are unknown.
            publish { (table) throws(StoreError) in try table.connected() }
            post(.accountOnline(identity.key))
        }
        connectionStates.send((new.state, isBack: isBack))
    }

    func setAsOf(_ new: Timestamp?) {
        guard inbox.record.asOf != new else { return }
        inbox.record.asOf = new
        publication.publish(asOf: new)
    }

    /// The connection as clients see it: what it waits for is its last error, unless it is online or the user must act.
    var shownConnection: Connection {
        var shown = connection
        if let delay, connection.state != .online, connection.state != .unauthorized { shown.failure = delay }
        return shown
    }

    /// Sends what waits for the connection.
    func followConnection() async {
        for await (state, isBack) in connectionStates.messages {
            if isBack { await process(.reachable) }
            await preferences?.connectionChanged(to: state)
        }
    }

    nonisolated func reference(_ id: NotificationID) -> NotificationReference {
        NotificationReference(account: identity.key, id: id)
    }
}
