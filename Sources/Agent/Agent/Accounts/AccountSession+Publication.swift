import AgentInterface
import Basics
import DBus
import Inbox

/// Publication on D-Bus after changes of the inbox, and withdrawal of popups that are no longer needed.
extension AccountSession {
    /// Changes to publish after the popups.
    struct Unpublished {
        var differences: [InboxState.Difference] = []
        var arrived: [Notification] = []
    }

    /// Publishes the counts, and a signal for each difference.
    func publish(_ differences: [InboxState.Difference] = []) {
        withdrawPopups(after: differences)
        var all = unpublished ?? Unpublished()
        all.differences += differences
        send(all)
    }

    /// Publishes at the end of the loop's turn, or before anything else is published: a popup of what has arrived with
    /// these differences does not wait for their signals.
    func publishAfterPopups(_ differences: [InboxState.Difference] = [], arrived: [Notification] = []) {
        withdrawPopups(after: differences)
        if unpublished == nil {
            unpublished = Unpublished()
            bus.loop.executeBeforeWaiting { [weak self] in self?.assumeIsolated { $0.publishDue() } }
        }
        unpublished?.differences += differences
        unpublished?.arrived += arrived
    }

    /// Publishes the changes that ``publishAfterPopups(_:arrived:)`` has collected. Call it before a client learns of
    /// the inbox in another way.
    func publishDue() {
        if let unpublished { send(unpublished) }
    }

    private func send(_ changes: Unpublished) {
        unpublished = nil
        environment.loaded.set(inbox.size, of: self)
        guard !isEnded else { return }
        for difference in changes.differences { publication.emit(difference) }
        let counts = inbox.shownCounts
        publication.publish(
            AccountPublication.Figures(
                counts: counts,
                lastEvent: lastEvent,
                pendingActions: outbox.dueCount,
                pendingError: pendingFailure
            )
        )
        summarize(counts)
        signal(changes.arrived)
    }

    /// Emits `NotificationArrived` once for each notification, also across runs of the agent. The arrival is recorded
    /// first: if the agent is killed in between, the signal is lost, not repeated.
    private func signal(_ arrived: [Notification]) {
        guard !arrived.isEmpty else { return }
        let created = Dictionary(arrived.map { ($0.id, $0.created) }) { $1 }
        var new = popups.record(arrivals: created, of: identity.key)
        readByRules(arrived.filter { new.contains($0.id) })
        for notification in arrived where new.remove(notification.id) != nil {
            // It may have changed meanwhile.
            publication.emit(
                AgentInbox.notificationArrived,
                inbox[notification.id]?.with(notification.extra) ?? notification,
                isLoaded: inbox.isLoaded(notification.id)
            )
        }
    }

    private func withdrawPopups(after differences: [InboxState.Difference]) {
        guard !isEnded else { return }
        endSnoozes(after: differences)
        for difference in differences {
            switch difference {
            case .removed(let id): popups.post(.withdrawn(reference(id)))
            case .changed(let notification): withdrawPopup(of: notification)
            case .added, .unloaded: break
            }
        }
    }

    func summarize(_ counts: ShownCounts) {
        let isOnline = connection.state == .online
        summarized(
            self,
            Summary(
                unread: counts.unread,
                hiddenUnread: counts.hiddenUnread[nil] ?? 0,
                needsAttention: connection.needsAttention,
                mustSignIn: connection.needsAttention && stopReason == nil,
                needsNewToken: connection.failure?.needsNewToken ?? false,
                canSignIn: canSignIn,
                isNew: connection.failure?.missingToken == .notSignedIn,
                isOnline: isOnline
            )
        )
    }

    /// Closes the popup of a notification that was handled or seen elsewhere.
    func withdrawPopup(of notification: Notification) {
        let reference = reference(notification.id)
        if notification.isArchived || notification.isExpired(at: environment.now()) {
            popups.post(.withdrawn(reference))
        } else if notification.read != nil {
            popups.post(.read(reference))
        } else if notification.seen != nil {
            popups.post(.seenElsewhere(reference))
        }
    }
}
