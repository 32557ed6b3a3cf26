import AgentInterface
import ArgumentParser
import Glibc

struct Read: NotificationsCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        _superCommandName: Feedbell.name,
        abstract: "Mark notifications as read",
        discussion: """
            Examples:
              $ feedbell read 01K1VN
              $ feedbell list --category builds --json | jq -r '.[].id' \\
                  | xargs -r feedbell read
            """
    )
    static let method = AgentInbox.markRead
    @OptionGroup var notifications: NotificationOptions
}

struct Unread: NotificationsCommand {
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

struct Seen: NotificationsCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen",
        _superCommandName: Feedbell.name,
        abstract: "Mark notifications as seen",
        discussion: """
            Seen means displayed, but not yet read.

            Example:
              $ feedbell seen 01K1VN 01K1VP
            """
    )
    static let method = AgentInbox.markSeen
    @OptionGroup var notifications: NotificationOptions
}

struct Archive: NotificationsCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        _superCommandName: Feedbell.name,
        abstract: "Archive notifications",
        discussion: """
            Example:
              $ feedbell archive 01K1VN
            """
    )
    static let method = AgentInbox.archive
    @OptionGroup var notifications: NotificationOptions
}

struct Unarchive: NotificationsCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive",
        _superCommandName: Feedbell.name,
        abstract: "Unarchive notifications (if the service supports it)",
        discussion: """
            Only the ids of loaded notifications can be shortened. For others, give complete ids, as "feedbell list \
            --tab" prints them.

            Example:
              $ feedbell list --tab archive
              $ feedbell unarchive 01K1VNB0E0EXPRE00000000002
            """
    )
    static let method = AgentInbox.unarchive
    @OptionGroup var notifications: NotificationOptions
}

struct Delete: NotificationsCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        _superCommandName: Feedbell.name,
        abstract: "Delete notifications (if the service supports it)",
        discussion: """
            Example:
              $ feedbell delete 01K1VN
            """
    )
    static let method = AgentInbox.delete
    @OptionGroup var notifications: NotificationOptions
}

struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        _superCommandName: Feedbell.name,
        abstract: "Open a notification's link and mark it as interacted",
        discussion: """
            Examples:
              $ feedbell open 01K1VN
              $ feedbell list --json | jq '.[0].actions'
              $ feedbell open 01K1VN --button first-button
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The notification's id or a unique prefix of it.",
        completion: .custom(ShellCompletion.notifications)
    )
    var id: String
    @Option(help: ArgumentHelp("Do what this button of the notification does.", valueName: "id"))
    var button: String?

    func run() async throws {
        let inbox = try await account.object()
        // The launcher that started the command passes on its right to take the focus.
        var data = PlatformData()
        data.activationToken = getenv("XDG_ACTIVATION_TOKEN").map { String(cString: $0) }
        let notification = try await inbox.ids([id])[0]
        if let button {
            try await inbox.call(AgentInbox.invoke, notification, button, data.values)
        } else {
            try await inbox.call(AgentInbox.open, notification, data.values)
        }
    }
}

struct ReadAll: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-all",
        _superCommandName: Feedbell.name,
        abstract: "Mark all notifications as read, loaded or not",
        discussion: """
            Example:
              $ feedbell read-all --account work
            """
    )
    static let method = AgentInbox.markAllRead
    @OptionGroup var target: AccountOptions
}
