import AgentInterface
import ArgumentParser
import DBus

/// A command that does one thing to some notifications. It shows at once; the service is told in the background.
protocol ActionCommand: AsyncParsableCommand {
    static var method: InterfaceMethod<AgentInbox, ([String]), ()> { get }
    var account: AccountOptions { get }
    var ids: [String] { get }
}

extension ActionCommand {
    func run() async throws {
        let agent = try await AgentConnection.open()
        let proxy = try await account.proxy(agent)
        let ids = try await proxy.ids(ids, agent)
        try await agent.ask { try await proxy.call(Self.method, ids, autoStart: false) }
    }
}

struct Read: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Marks notifications as read.")
    static let method = AgentInbox.markRead
    @OptionGroup var account: AccountOptions
    @Argument(help: "Ids, or beginnings that only one has.") var ids: [String]
}

struct Unread: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Marks notifications as unread.")
    static let method = AgentInbox.markUnread
    @OptionGroup var account: AccountOptions
    @Argument(help: "Ids, or beginnings that only one has.") var ids: [String]
}

struct Seen: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Marks notifications as seen.")
    static let method = AgentInbox.markSeen
    @OptionGroup var account: AccountOptions
    @Argument(help: "Ids, or beginnings that only one has.") var ids: [String]
}

struct Archive: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Puts notifications into the archive.")
    static let method = AgentInbox.archive
    @OptionGroup var account: AccountOptions
    @Argument(help: "Ids, or beginnings that only one has.") var ids: [String]
}

struct Unarchive: ActionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes notifications out of the archive, where the service can."
    )
    static let method = AgentInbox.unarchive
    @OptionGroup var account: AccountOptions
    @Argument(help: "Ids: archived notifications are not loaded, so give them whole.") var ids: [String]
}

struct Delete: ActionCommand {
    static let configuration = CommandConfiguration(abstract: "Deletes notifications, where the service can.")
    static let method = AgentInbox.delete
    @OptionGroup var account: AccountOptions
    @Argument(help: "Ids, or beginnings that only one has.") var ids: [String]
}

struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Does what a click does: opens the notification's link and counts it as followed."
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The id, or a beginning that only one has.") var id: String

    func run() async throws {
        let agent = try await AgentConnection.open()
        let proxy = try await account.proxy(agent)
        let id = try await proxy.ids([id], agent)[0]
        try await agent.ask { try await proxy.call(AgentInbox.open, id, [:], autoStart: false) }
    }
}

struct ReadAll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Marks everything as read, loaded or not.")
    @OptionGroup var account: AccountOptions

    func run() async throws {
        let agent = try await AgentConnection.open()
        let proxy = try await account.proxy(agent)
        try await agent.ask { try await proxy.call(AgentInbox.markAllRead, autoStart: false) }
    }
}
