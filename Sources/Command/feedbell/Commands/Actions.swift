import AgentInterface
import ArgumentParser
import VisibleText

struct Read: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        _superCommandName: Feedbell.name,
        abstract: "Mark notifications as read",
        discussion: """
            \(SelectionOptions.explanation)

            Examples:
              $ feedbell read 01K1VN
              $ feedbell read --category builds
              $ feedbell read --before 7d --yes
              $ feedbell list --search "build main" | feedbell read -
            """
    )
    static let action = SelectionAction.read
    @OptionGroup var selection: SelectionOptions
}

struct Unread: NotificationActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        _superCommandName: Feedbell.name,
        abstract: "Mark notifications as unread",
        discussion: """
            Example:
              $ feedbell unread 01K1VN
            """
    )
    static let method = AgentInbox.markUnread
    @OptionGroup var notifications: NotificationOptions
}

struct Seen: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen",
        _superCommandName: Feedbell.name,
        abstract: "Mark notifications as seen",
        discussion: """
            Seen means displayed, but not yet read. \(SelectionOptions.explanation)

            Examples:
              $ feedbell seen 01K1VN 01K1VP
              $ feedbell seen --all
            """
    )
    static let action = SelectionAction.seen
    @OptionGroup var selection: SelectionOptions
}

struct Archive: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        _superCommandName: Feedbell.name,
        abstract: "Archive notifications",
        discussion: """
            \(SelectionOptions.explanation)

            Examples:
              $ feedbell archive 01K1VN
              $ feedbell archive --category builds --before 30d
              $ feedbell archive --read --yes
            """
    )
    static let action = SelectionAction.archive
    @OptionGroup var selection: SelectionOptions
}

struct Unarchive: NotificationActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive",
        _superCommandName: Feedbell.name,
        abstract: "Unarchive notifications (if the service supports it)",
        discussion: """
            Ids of archived notifications cannot be shortened: give them as "feedbell list --tab" prints them.

            Example:
              $ feedbell list --tab archive
              $ feedbell unarchive 01K1VNB0E0EXPRE00000000002
            """
    )
    static let method = AgentInbox.unarchive
    @OptionGroup var notifications: NotificationOptions
}

struct Delete: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        _superCommandName: Feedbell.name,
        abstract: "Delete notifications (if the service supports it)",
        discussion: """
            \(SelectionOptions.explanation)

            Examples:
              $ feedbell delete 01K1VN
              $ feedbell delete --tag preview --before 30d
            """
    )
    static let action = SelectionAction.delete
    @OptionGroup var selection: SelectionOptions
}

struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        _superCommandName: Feedbell.name,
        abstract: "Open a notification's link, as a click on its popup does",
        discussion: """
            If nothing opens, a sentence says why, and the exit code is 5. An address that cannot be opened, such as \
            one whose scheme is not allowed, leaves the notification as it is; if there is no link, no display or no \
            browser, it is marked all the same.

            Without an id, opens the newest unread notification; if nothing is unread, a sentence says so, and the \
            exit code is 5.

            Examples:
              $ feedbell open
              $ feedbell open 01K1VN
              $ feedbell show 01K1VN
              $ feedbell open 01K1VN --button first-button
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The notification's id or a unique prefix of it. Without it: the newest unread one.",
        completion: .custom(ShellCompletion.notifications)
    )
    var id: String?
    @Option(help: ArgumentHelp("Open this button, or the link of the subtext or avatar.", valueName: "id"))
    var button: String?

    func run() async throws {
        let data = DesktopApplication.platformData
        let found = if let id { try await account.notifications([id])[0] } else { try await account.newestUnread() }
        try await found.using { inbox, ids in
            if let button {
                try await inbox.call(AgentInbox.invoke, ids[0], button, data)
            } else {
                try await inbox.call(AgentInbox.open, ids[0], data)
            }
        }
    }
}

struct ReadAll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-all",
        _superCommandName: Feedbell.name,
        abstract: "Mark every notification as read, also those not listed yet",
        discussion: """
            Without --account, of all accounts. Asks on a terminal. At most 50 can be taken back with feedbell undo.

            Example:
              $ feedbell read-all --account work
            """
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Print a JSON object: the number of unread notifications.") var json = false

    func run() async throws {
        let inboxes = try await account.objects()
        if !yes { try await confirm(inboxes) }
        for inbox in inboxes { try await inbox.call(AgentInbox.markAllRead) }
        if json { Output.json(.object(["unread": .number(try await unreadCount(of: inboxes))])) }
    }

    private func unreadCount(of inboxes: [AgentObject]) async throws -> UInt32 {
        var unread: UInt32 = 0
        for inbox in inboxes { unread += try await inbox.get(AgentInbox.unreadCount) }
        return unread
    }

    private func confirm(_ inboxes: [AgentObject]) async throws {
        let dialogue = Dialogue()
        guard dialogue.isPossible else { return }
        let accounts = try await inboxes.properties(AgentAccount.self)
        let names = accounts.map { $0[AgentAccount.accountName]?.onOneLine ?? "" }
        if try await unreadCount(of: inboxes) > AgentInbox.maximumUnreadAgain {
            dialogue.say(translated("This cannot be taken back."))
        }
        let question = translated("Mark everything in {accounts} as read?", ["accounts": translatedList(names)])
        try dialogue.require(question)
    }
}
