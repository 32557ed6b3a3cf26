import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notifications, pinned first, then newest",
        discussion: """
            On a terminal, "●" marks unread and "^" pinned notifications. Elsewhere each line is id, "unread" or \
            "read", milliseconds since the Unix epoch and title, separated by tabs. Only loaded notifications are \
            listed; "feedbell more" loads the next page.

            One store is active at a time, for all clients. --store makes another one active, like "feedbell stores \
            use", and lists it.

            Examples:
              $ feedbell list --unread --limit 5
              $ feedbell list --store archive
              $ feedbell list --json | jq -r '.[].title'
            """
    )

    @OptionGroup var account: AccountOptions
    @Option(help: "List at most this many.") var limit: UInt32?
    @Option(help: "Skip this many first.") var offset: UInt32?
    @Option(help: "Make this store active and list it.", completion: .custom(Completion.stores)) var store: String?
    @Option(help: "List only this category.", completion: .custom(Completion.inboxCategories)) var category: String?
    @Flag(name: .customLong("unread"), help: "List only unread notifications.") var isUnread = false
    @Flag(name: .customLong("read"), help: "List only read notifications.") var isRead = false
    @Flag(help: "List only archived notifications.") var archived = false
    @Flag(help: "Print a JSON array.") var json = false

    func validate() throws {
        if isUnread, isRead { throw ValidationError("--unread and --read exclude each other.") }
    }

    func run() async throws {
        var options: [String: Value] = [:]
        if let limit { options["limit"] = .uint32(limit) }
        if let offset { options["offset"] = .uint32(offset) }
        if archived { options["archived"] = .bool(true) }
        if let category { options["category"] = .string(category) }
        if isUnread || isRead { options["unread"] = .bool(isUnread) }
        let inbox = try await account.object()
        if let store { try await inbox.use(store: store) }
        let notifications = try await inbox.call(AgentInbox.list, options)
        if json { return Output.json("[\(notifications.map(\.json).joined(separator: ","))]") }
        let table = NotificationTable(notifications: notifications, now: Int64(time(nil)) * 1000)
        Output.text(Terminal.standardOutput.map(table.text) ?? table.lines, terminator: "")
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a notification",
        discussion: """
            Example:
              $ feedbell show 01K1
            """
    )

    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The notification's id or a unique prefix of it.",
        completion: .custom(Completion.notifications)
    )
    var id: String
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let inbox = try await account.object()
        let loaded = try await inbox.call(AgentInbox.list, [:])
        let id = try IDResolver(loaded).resolve(id)
        let known = loaded.first { $0.text("id") == id }
        let notification = if let known { known } else { try await inbox.call(AgentInbox.get, id) }
        json ? Output.json(notification.json) : Output.text(Self.text(notification))
    }

    static func text(_ notification: [String: Value]) -> String {
        let now = Int64(time(nil)) * 1000
        var lines: [String] = []
        for key in ["title", "body", "subtext", "url"] {
            if let text = notification.text(key), !text.isEmpty { lines.append(text) }
        }
        var facts = ["created \(LocalTime(notification.time("created")).text(now: now))"]
        for key in ["seen", "read", "interacted", "expires"] where notification.time(key) != 0 {
            facts.append("\(key) \(LocalTime(notification.time(key)).text(now: now))")
        }
        if notification.time("read") == 0 { facts.append("unread") }
        for key in ["pinned", "archived"] where notification.flag(key) { facts.append(key) }
        if let category = notification.text("category"), !category.isEmpty { facts.append("category \(category)") }
        lines.append(facts.joined(separator: ", "))
        lines.append(notification.text("id") ?? "")
        return lines.map(\.printable).joined(separator: "\n")
    }
}
