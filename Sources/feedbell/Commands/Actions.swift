import AgentInterface
import ArgumentParser
import DBus

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
    static let configuration = CommandConfiguration(abstract: "Marks notifications as read.")
    static let method = AgentInbox.markRead
    @OptionGroup var notifications: NotificationOptions
}

struct Unread: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Marks notifications as unread.")
    static let method = AgentInbox.markUnread
    @OptionGroup var notifications: NotificationOptions
}

struct Seen: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Marks notifications as seen.")
    static let method = AgentInbox.markSeen
    @OptionGroup var notifications: NotificationOptions
}

struct Archive: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Puts notifications into the archive.")
    static let method = AgentInbox.archive
    @OptionGroup var notifications: NotificationOptions
}

struct Unarchive: ActionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes notifications out of the archive, where the service can.",
        discussion: "Archived notifications are mostly not loaded: give their ids whole, or first: feedbell stores use."
    )
    static let method = AgentInbox.unarchive
    @OptionGroup var notifications: NotificationOptions
}

struct Delete: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Deletes notifications, where the service can.")
    static let method = AgentInbox.delete
    @OptionGroup var notifications: NotificationOptions
}

struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does what a click does: opens the notification's link and counts it as followed."
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The id, or a beginning that only one has.") var id: String

    func run() async throws {
        let inbox = try await account.object()
        try await inbox.call(AgentInbox.open, try await inbox.ids([id])[0], [:])
    }
}

struct ReadAll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Marks everything as read, loaded or not.")
    @OptionGroup var account: AccountOptions

    func run() async throws {
        try await account.object().call(AgentInbox.markAllRead)
    }
}
