import DBus
import Desktop
import Logging
import Translation

/// A popup about what the user has just done. It is not kept, and a click on it does nothing.
struct NoticePopup: Sendable {
    let bus: Bus
    let logger: Logger

    /// Says why a click opened nothing.
    func show(_ failure: LinkFailure) async {
        await show(translated("Link not opened"), failure.words)
    }

    private func show(_ summary: String, _ body: String) async {
        let notification = DesktopNotification(
            appName: "Feedbell",
            appIcon: DesktopNotification.desktopEntry,
            summary: summary,
            body: body,
            hints: ["desktop-entry": .string(DesktopNotification.desktopEntry), "transient": .bool(true)]
        )
        do {
            guard let owner = try await bus.nameOwner(of: FreedesktopNotifications.busName) else { return }
            _ = try await NotificationServer(bus: bus, logger: logger).notify(notification, on: owner)
        } catch {
            logger.debug("popup not shown", metadata: ["error": "\(error)"])
        }
    }
}
