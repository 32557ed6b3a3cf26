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
            "q" to quit. Several accounts are one list; "c" shows each of them. Notifications that were on the screen \
            for a second are marked as seen, and opening the inbox resets its badge. In a pipe, prints what \
            "feedbell list" prints.

            Examples:
              $ feedbell inbox
              $ feedbell inbox --account work
            """
    )

    @OptionGroup var account: AccountOptions

    func run() async throws {
        guard TerminalScreen.isAvailable else {
            let inboxes = try await account.objects()
            let table = NotificationTable(
                notifications: try await MergedList(of: inboxes).notifications,
                now: Int64(time(nil)) * 1000,
                hasAccounts: inboxes.count > 1
            )
            return Output.text(Terminal.standardOutput.map(table.text) ?? table.lines, terminator: "")
        }
        try await InboxView(root: try await account.timeout.object(), account: account.account).run()
    }
}
