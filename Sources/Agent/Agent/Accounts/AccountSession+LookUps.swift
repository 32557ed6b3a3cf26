import AgentInterface
import Basics
import DBus
package import Inbox
import Logging

/// Questions to the service about notifications that are not loaded.
extension AccountSession {
    /// The maximum number of notifications outside the newest page that are requested one by one.
    private static let lookUpLimit = 20
    /// The timeout of a check: a caller waits for it, also while the service asks for a pause.
    private static let checkTimeout = Duration.seconds(1)

    /// Withdraws the popups of those notifications that are now read, archived or deleted.
    package func revalidate(_ ids: [NotificationID]) async {
        do throws(ServiceFailure) {
            let page = try await service.newest()
            let listed = Dictionary(page.notifications.map { ($0.id, $0) }) { first, _ in first }
            for id in ids {
                guard let notification = listed[id] ?? inbox[id] else { continue }
                withdrawPopup(of: notification)
            }
            let unlisted = ids.filter { listed[$0] == nil && inbox[$0] == nil }
            if page.isAll { return unlisted.forEach { post(.withdrawn(reference($0))) } }
            for id in unlisted.prefix(Self.lookUpLimit) { await lookUp(id) }
        } catch {
            logger.debug("cannot compare open popups with the inbox", metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// Withdraws the popup of a notification if the service says that it has to be.
    private func lookUp(_ id: NotificationID) async {
        do throws(ServiceFailure) {
            withdrawPopup(of: try await service.notification(id))
        } catch {
            if error.kind == .notFound { post(.withdrawn(reference(id))) }
        }
    }

    /// Throws `NotFound` for an id without the form of the service's ids, such as the beginning of one; while nothing
    /// is known about the inbox, ``notLoaded``.
    func checkForm(of ids: [NotificationID]) throws(DBusError) {
        guard let id = ids.first(where: { !service.isID($0) }) else { return }
        throw inbox.isKnown ? Self.unknown(id) : notLoaded
    }

    private static func unknown(_ id: NotificationID) -> DBusError {
        DBusError(AgentErrors.notFound, "There is no notification \"\(id)\". List returns the ids.")
    }

    /// Throws `NotFound` if the service reports that a notification does not exist. Does not check loaded ones, nor,
    /// except for the form of their ids, any while the account is offline, if more than ``lookUpLimit`` are unknown, or
    /// beyond ``checkTimeout``.
    func checkExistence(of ids: [NotificationID]) async throws(DBusError) {
        let unknown = ids.filter { inbox[$0] == nil }
        try checkForm(of: unknown)
        if let missing = await firstMissing(of: unknown) { throw Self.unknown(missing) }
    }

    /// The first of these notifications that the service reports as absent, which is then removed. Under the conditions
    /// of ``checkExistence(of:)``.
    func firstMissing(of ids: [NotificationID]) async -> NotificationID? {
        guard connection.state == .online, !ids.isEmpty, ids.count <= Self.lookUpLimit else { return nil }
        let (service, clock) = (service, environment.clock)
        let missing = await withTaskGroup(of: NotificationID?.self) { group in
            defer { group.cancelAll() }
            group.addTask { await Self.firstMissing(of: ids, at: service) }
            group.addTask {
                try? await clock.sleep(for: Self.checkTimeout)
                return nil
            }
            return await group.next() ?? nil
        }
        if let missing { publish { (table) throws(StoreError) in try table.remove(missing) } }
        return missing
    }

    /// The first notification that the service reports as absent. After another failure the rest is not checked.
    private static func firstMissing(of ids: [NotificationID], at service: any InboxService) async -> NotificationID? {
        for id in ids {
            do throws(ServiceFailure) { _ = try await service.notification(id) } catch {
                return error.kind == .notFound ? id : nil
            }
        }
        return nil
    }
}
