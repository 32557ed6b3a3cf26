import AgentInterface
import Basics
import DBus
package import Inbox
import Logging
import Store

/// Questions to the service about notifications that are not loaded.
extension AccountSession {
    /// The maximum number of notifications outside the newest page that are requested one by one.
    private static let lookUpLimit = 20

    /// Withdraws the popups of those notifications that are now read, archived or deleted.
    package func revalidate(_ ids: [NotificationID]) async {
        do throws(ProviderFailure) {
            let page = try await provider.newest()
            let listed = Dictionary(page.notifications.map { ($0.id, $0) }) { first, _ in first }
            for id in ids {
                guard let notification = listed[id] ?? inbox[id] else { continue }
                withdrawPopup(of: notification)
            }
            let unlisted = ids.filter { listed[$0] == nil && inbox[$0] == nil }
            if page.isAll { return unlisted.forEach { popups.post(.withdrawn(reference($0))) } }
            for id in unlisted.prefix(Self.lookUpLimit) { await lookUp(id) }
        } catch {
            logger.debug("cannot compare open popups with the inbox", metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// Withdraws the popup of a notification if the service says that it has to be.
    private func lookUp(_ id: NotificationID) async {
        do throws(ProviderFailure) {
            withdrawPopup(of: try await provider.notification(id))
        } catch {
            if error.kind == .notFound { popups.post(.withdrawn(reference(id))) }
        }
    }

    /// Throws `NotFound` if the service reports that a notification does not exist. Does not check loaded ones, nor any
    /// while the account is offline or if more than ``lookUpLimit`` are unknown.
    func checkExistence(of ids: [NotificationID]) async throws(DBusError) {
        let unknown = ids.filter { inbox[$0] == nil }
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
