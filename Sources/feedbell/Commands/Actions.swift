import AgentInterface
import ArgumentParser
import DBus
import Glibc

/// A command that does one thing to some notifications. It shows at once; the service is told in the background.
protocol ActionCommand: AsyncParsableCommand {
    static var method: InterfaceMethod<AgentInbox, ([String]), ()> { get }
    var notifications: NotificationOptions { get }
}

extension ActionCommand {
    func run() async throws {
        let inbox = try await notifications.account.object()
        try await inbox.call(Self.method, try await inbox.ids(notifications.ids))
    }
}

struct Read: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Marks notifications as read.",
        discussion: """
            Examples:
              $ feedbell read 01K1VN
              $ feedbell list --category builds --json | jq -r '.[].id' | xargs -r feedbell read
            """
    )
    static let method = AgentInbox.markRead
    @OptionGroup var notifications: NotificationOptions
}

struct Unread: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "Marks notifications as unread.",
        discussion: """
            Example:
              $ feedbell unread 01K1VN
            """
    )
    static let method = AgentInbox.markUnread
    @OptionGroup var notifications: NotificationOptions
}

struct Seen: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen",
        abstract: "Marks notifications as seen.",
        discussion: """
            Seen is less than read: they were shown to you.

            Example:
              $ feedbell seen 01K1VN 01K1VP
            """
    )
    static let method = AgentInbox.markSeen
    @OptionGroup var notifications: NotificationOptions
}

struct Archive: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Puts notifications into the archive.",
        discussion: """
            Example:
              $ feedbell archive 01K1VN
            """
    )
    static let method = AgentInbox.archive
    @OptionGroup var notifications: NotificationOptions
}

struct Unarchive: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive",
        abstract: "Takes notifications out of the archive, where the service can.",
        discussion: """
            Archived notifications are mostly not loaded. Show a store that has them first, or give their ids whole.

            Example:
              $ feedbell list --store archive
              $ feedbell unarchive 01K1VN
            """
    )
    static let method = AgentInbox.unarchive
    @OptionGroup var notifications: NotificationOptions
}

struct Delete: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes notifications, where the service can.",
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
        abstract: "Does what a click does: opens the notification's link and counts it as followed.",
        discussion: """
            Example:
              $ feedbell open 01K1VN
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The id, or a beginning that only one loaded notification has.",
        completion: .custom(Completion.notifications)
    )
    var id: String

    func run() async throws {
        let inbox = try await account.object()
        // What started the command, such as a launcher or a key, hands its right to the focus on.
        let token = getenv("XDG_ACTIVATION_TOKEN").map { Value.string(String(cString: $0)) }
        let data = token.map { ["activation-token": $0] } ?? [:]
        try await inbox.call(AgentInbox.open, try await inbox.ids([id])[0], data)
    }
}

struct ReadAll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-all",
        abstract: "Marks everything as read, loaded or not.",
        discussion: """
            Example:
              $ feedbell read-all --account work
            """
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        try await account.object().call(AgentInbox.markAllRead)
    }
}
