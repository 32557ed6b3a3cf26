import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

struct InboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        _superCommandName: Feedbell.name,
        abstract: "Read the inbox in the terminal",
        discussion: """
            Move with the arrow keys, press Enter to show a notification, "o" to open its link, "?" for all keys and \
            "q" to quit. Space marks a notification: the next key acts on all marked ones. "U" takes the last archive, \
            delete or "mark all as read" back, for ten seconds or as long as the service can reverse it; quitting \
            sends what waits. Several accounts are one list; "c" shows each of them. Notifications that were on the \
            screen for a second are marked as seen, and opening the inbox resets its badge. Keys are chosen in the \
            table [inbox.keys] of the configuration, see feedbell.toml(5). With --plain, the keys are the same, and \
            each says in a sentence what it did. In a pipe, prints what "feedbell list" prints. With --window, opens \
            the window instead, where it is installed. With --show, a notification is shown in the window, where it is \
            installed, otherwise here.

            Examples:
              $ feedbell inbox
              $ feedbell inbox --window
              $ feedbell inbox --show 01K1VN
              $ feedbell inbox --plain
              $ feedbell inbox --account work
            """
    )

    @Flag(name: .customLong("window"), help: "Open the window.")
    var inWindow = false
    @Option(
        help: ArgumentHelp("Show the notification with this id, or a unique prefix of it.", valueName: "id"),
        completion: .custom(ShellCompletion.notifications)
    )
    var show: String?
    @Flag(help: "Print what changes in sentences, for a screen reader, instead of drawing a screen.")
    var plain = false
    @OptionGroup var account: AccountOptions

    func run() async throws {
        if let show { return try await showNotification(show) }
        if inWindow {
            guard try await Self.openWindow() else { throw Self.noWindow }
            return
        }
        guard plain ? TerminalScreen.isTerminal : TerminalScreen.isAvailable else {
            let inboxes = try await account.objects()
            var options = ListOptions()
            (options.snoozed, options.takesKept) = (false, true)
            let table = NotificationTable(
                notifications: try await MergedList(of: inboxes, options).notifications,
                now: Int64(time(nil)) * 1000,
                hasAccounts: inboxes.count > 1
            )
            Output.text(Terminal.standardOutput.map(table.text) ?? table.lines, terminator: "")
            await List.reportUnkept(inboxes, options)
            if table.notifications.isEmpty { Output.note(translated("No notifications.")) }
            return
        }
        let root = try await account.timeout.object()
        let view = InboxView(root: root, account: account.account, timeout: account.timeout.duration, isPlain: plain)
        try await view.run()
    }

    private func showNotification(_ text: String) async throws {
        let found = try await account.notifications([text])[0]
        let name = try await found.inbox.get(AgentAccount.accountName)
        if try await Self.openWindow(.show(account: name, id: found.ids[0])) { return }
        if inWindow { throw Self.noWindow }
        guard plain ? TerminalScreen.isTerminal : TerminalScreen.isAvailable else {
            let sentence = translated("There is neither the window nor a terminal.")
            throw Failure(translatedParagraph([sentence, translated("Use: feedbell show")]), .notFound)
        }
        let root = try await account.timeout.object()
        let view = InboxView(
            root: root,
            account: name,
            shown: found.ids[0],
            timeout: account.timeout.duration,
            isPlain: plain
        )
        try await view.run()
    }

    private static var noWindow: Failure {
        Failure(translated("The window is not installed. Install the package feedbell-window."), .notFound)
    }

    /// Opens the window, which starts the agent itself, or brings it to the front.
    ///
    /// - Parameter action: What it shows; nil: its list as it is.
    /// - Returns: Whether it is installed.
    private static func openWindow(_ action: WindowAction? = nil) async throws -> Bool {
        let window = Proxy(try await AgentObject.sessionBus(), AgentNames.windowName, AgentNames.windowPath)
        let data = DesktopApplication.platformData
        do throws(DBusError) {
            if let action {
                try await window.call(DesktopApplication.activateAction, action.name, [action.parameter], data)
            } else {
                try await window.call(DesktopApplication.activate, data)
            }
            return true
        } catch {
            if error.name == .serviceUnknown { return false }
            throw Failure(translated("Cannot open the window: {reason}", ["reason": error.message]), .noAnswer)
        }
    }
}
