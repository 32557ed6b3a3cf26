import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// Publication on D-Bus after changes of the inbox, and withdrawal of popups that are no longer needed.
extension AccountSession {
    /// Changes the inbox. If it cannot be changed, it stays as it is.
    ///
    /// - Returns: What the user sees of it.
    func change(
        _ body: (inout InboxTable) throws(StoreError) -> [InboxTable.Difference]
    ) -> [InboxTable.Difference] {
        guard !isEnded else { return [] }
        do throws(StoreError) { return try body(&inbox) } catch {
            report(error)
            return []
        }
    }

    /// Changes the inbox, and publishes what the user sees of it.
    func publish(_ body: (inout InboxTable) throws(StoreError) -> [InboxTable.Difference]) {
        publish(change(body))
    }

    /// Logs why the inbox cannot be read or changed, once.
    func report(_ error: StoreError) {
        guard error != lastStoreError else { return }
        lastStoreError = error
        logger.error("cannot use the list of notifications", metadata: ["reason": "\(error)"])
    }

    /// Publishes the counts, and a signal for each difference.
    func publish(_ differences: [InboxTable.Difference] = []) {
        guard !isEnded else { return }
        endSnoozes(after: differences)
        // What the service reports as removed, and what the user removes, has no popup any more. What only a comparison
        // with a page misses may still be there: services sort by times that not everyone can read.
        for case .changed(let notification) in differences { withdrawPopup(of: notification) }
        do throws(StoreError) { shownCounts = try inbox.shownCounts() } catch { report(error) }
        let figures = AccountPublication.Figures(
            counts: shownCounts,
            lastEvent: inbox.record.lastEvent,
            pendingActions: outbox.dueCount,
            pendingError: pendingFailure
        )
        publication.together { [summary] publication in
            for difference in differences { publication.emit(difference) }
            publication.publish(figures)
            publication.emit { [self] _, _ in summarized(self, summary) }
        }
    }

    /// Emits `NotificationArrived` for notifications whose arrival was not signalled before, not even in another run of
    /// the agent.
    func signal(_ new: [Notification]) {
        readByRules(new)
        // They may have changed meanwhile.
        let arrived = new.map { publication.lastSignalled($0.id) ?? inbox[$0.id] ?? $0 }
        publication.together { publication in
            for notification in arrived { publication.emit(AgentInbox.notificationArrived, notification) }
        }
    }

    /// Passes an event to the popups, after those that were passed before.
    func post(_ event: Popups.Event) { bus.loop.execute { [popups] in popups.post(event) } }

    private var summary: Summary {
        Summary(
            unread: shownCounts.unread,
            hiddenUnread: shownCounts.hiddenUnread[nil] ?? 0,
            needsAttention: connection.needsAttention,
            mustSignIn: connection.needsAttention && stopReason == nil,
            needsNewToken: connection.failure?.needsNewToken ?? false,
            canSignIn: canSignIn,
            isNew: connection.failure?.missingToken == .notSignedIn,
            isOnline: connection.state == .online
        )
    }

    /// Closes the popup of a notification that was handled or seen elsewhere.
    func withdrawPopup(of notification: Notification) {
        let reference = reference(notification.id)
        if notification.isArchived || notification.isExpired(at: environment.now()) {
            post(.withdrawn(reference))
        } else if notification.read != nil {
            post(.read(reference))
        } else if notification.seen != nil {
            post(.seenElsewhere(reference))
        }
    }
}
