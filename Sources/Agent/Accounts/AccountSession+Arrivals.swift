import AgentInterface
import Basics
import DBus
package import Inbox
import Logging
import Store

/// Arrivals, and changes of notifications that are not loaded.
extension AccountSession {
    /// Emits `NotificationArrived` once for each notification, also across runs of the agent. The arrival is recorded
    /// first: if the agent is killed in between, the signal is lost, not repeated.
    func signalArrival(of notifications: [Notification]) async {
        newestKnown = max(newestKnown, notifications.map(\.created).max() ?? newestKnown)
        var new = Set(notifications.map(\.id.rawValue))
        do throws(StoreError) {
            let created = notifications.map { ($0.id.rawValue, $0.created.milliseconds) }
            new = try await store.recordArrivals(Dictionary(created) { $1 }, of: identity.key)
        } catch {
            logger.error("cannot record an arrival", metadata: ["reason": "\(error)"])
        }
        guard !isEnded else { return }
        for notification in notifications where new.contains(notification.id.rawValue) {
            await emit(AgentInbox.notificationArrived, notification)
        }
    }

    /// Handles a change of a notification that may not be loaded.
    func updated(_ notification: Notification) async {
        guard contents[notification.id] == nil, reported[notification.id] == nil else { return }
        if notification.isDismissable(at: environment.now()) { popups.post(.withdrawn(reference(notification.id))) }
        // An archived one is no longer in the inbox; if it was loaded, NotificationRemoved was emitted.
        if !notification.isArchived { await emit(AgentInbox.notificationChanged, notification) }
    }

    private func emit(_ signal: InterfaceSignal<AgentInbox, (String, [String: Value])>, _ notification: Notification)
        async
    {
        let dictionary = notification.dictionary(account: identity.name, PlainText(notification))
        do { try await bus.emit(signal, (notification.id.rawValue, dictionary), from: path) } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    /// The maximum number of notifications outside the newest page that are requested one by one.
    private static let lookUpLimit = 20

    /// Withdraws the popups of those notifications that are now read, archived or deleted.
    package func revalidate(_ ids: [NotificationID]) async {
        do throws(ProviderFailure) {
            let page = try await provider.newest()
            let listed = Dictionary(page.notifications.map { ($0.id, $0) }) { first, _ in first }
            for id in ids {
                guard let notification = listed[id] ?? contents[id] else { continue }
                if notification.isDismissable(at: environment.now()) { popups.post(.withdrawn(reference(id))) }
            }
            let unlisted = ids.filter { listed[$0] == nil && contents[$0] == nil }
            if page.isAll { return unlisted.forEach { popups.post(.withdrawn(reference($0))) } }
            for id in unlisted.prefix(Self.lookUpLimit) where await isGone(id) {
                popups.post(.withdrawn(reference(id)))
            }
        } catch {
            logger.debug("cannot compare open popups with the inbox", metadata: ["reason": "\(error.sentence)"])
        }
    }

    private func isGone(_ id: NotificationID) async -> Bool {
        do throws(ProviderFailure) {
            return try await provider.notification(id).isDismissable(at: environment.now())
        } catch {
            return error.kind == .notFound
        }
    }

    /// Throws `NotFound` if the service reports that a notification does not exist. Does not check loaded ones, nor any
    /// while the account is offline or if more than ``lookUpLimit`` are unknown.
    func checkExistence(of ids: [NotificationID]) async throws(DBusError) {
        let unknown = ids.filter { contents[$0] == nil }
        guard connection.state == .online, unknown.count <= Self.lookUpLimit else { return }
        for id in unknown {
            do throws(ProviderFailure) { _ = try await provider.notification(id) } catch {
                if error.kind == .notFound {
                    throw DBusError(
                        AgentErrors.notFound,
                        "There is no notification \"\(id)\". Call List for the loaded ones."
                    )
                }
                return
            }
        }
    }
}
