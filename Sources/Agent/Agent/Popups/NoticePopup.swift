import DBus
import Logging
import VisibleText

/// A popup about something else than a notification. The agent does not keep it, and a click on it does nothing.
struct NoticePopup: Sendable {
    let bus: Bus
    let logger: Logger

    /// Says why a click opened nothing.
    func show(_ failure: LinkFailure) async {
        await show(translated("Link not opened"), failure.words, isTransient: true)
    }

    /// Says why no browser was opened for a sign-in, and what to do about it.
    func show(_ failure: LinkFailure, signingInTo account: String) async {
        let way = translated(
            "To sign in, open Feedbell, press Sign In at {account}, then Copy Link, and paste it into a browser.",
            ["account": account.onOneLine]
        )
        await show(
            translated("The browser was not opened"),
            translatedParagraph([failure.words, way]),
            isTransient: false
        )
    }

    /// Says that accounts are not used because of their files; it stays in the desktop's list.
    ///
    /// - Parameter names: The names of the files.
    func show(unused names: [String]) async {
        let values = ["accounts": translatedList(names.map { VisibleText.line($0) })]
        // Without the reason, which a server would show as markup.
        // Translators: The accounts are their names, such as "work" or "home, work".
        let body = translated(
            "There is a mistake in the configuration of: {accounts}. To see it, open Feedbell and press Preferences, "
                + "Accounts, Find Other Problems.",
            values
        )
        await show(translated("Not all accounts are used"), body, isTransient: false)
    }

    /// Says that the button of a popup muted nothing.
    func showFailedMute() async {
        let body = translated(
            "The mute was not saved: there may be too many rules. Open Feedbell and press Preferences, then Settings, "
                + "to see them."
        )
        await show(translated("Not muted"), body, isTransient: true)
    }

    private func show(_ summary: String, _ body: String, isTransient: Bool) async {
        let notification = DesktopNotification(
            appName: "Feedbell",
            appIcon: DesktopNotification.desktopEntry,
            summary: summary,
            body: body,
            hints: ["desktop-entry": .string(DesktopNotification.desktopEntry), "transient": .bool(isTransient)]
        )
        do {
            guard let owner = try await bus.nameOwner(of: FreedesktopNotifications.busName) else { return }
            _ = try await NotificationServer(bus: bus, logger: logger).notify(notification, on: owner)
        } catch {
            logger.debug("popup not shown", metadata: ["error": "\(error)"])
        }
    }
}
