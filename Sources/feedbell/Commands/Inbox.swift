import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct Badge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Count notifications since the inbox was last opened",
        discussion: """
            Examples:
              $ feedbell badge
              $ feedbell badge reset
            """,
        subcommands: [BadgeReset.self]
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        Output.text("\(try await account.object().properties(AgentInbox.self).value(AgentInbox.badgeCount) ?? 0)")
    }
}

struct BadgeReset: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Restart the count, as opening the inbox does",
        discussion: """
            Example:
              $ feedbell badge reset
            """
    )
    static let method = AgentInbox.resetBadge
    @OptionGroup var target: AccountOptions
}

struct Stores: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores",
        abstract: "List the stores (tabs) of the inbox with their counts",
        discussion: """
            The configuration defines them: [[accounts.NAME.stores]]. Each line is id, label and count, separated by \
            tabs; "*" marks the active store.

            Examples:
              $ feedbell stores
              $ feedbell stores use archive
            """,
        subcommands: [StoresUse.self]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON array.") var json = false

    func run() async throws {
        let inbox = try await account.object().properties(AgentInbox.self)
        let stores = try inbox.value(AgentInbox.stores) ?? []
        let active = try inbox.value(AgentInbox.activeStore) ?? ""
        if json {
            let objects = stores.map { store in
                let (id, label, count) = store.elements
                return JSON.object([
                    "id": .string(id), "label": .string(label), "count": .number(count), "active": .bool(id == active),
                ])
            }
            return Output.json(.array(objects))
        }
        for store in stores {
            let (id, label, count) = store.elements
            Output.text("\(id == active ? "*" : " ") \(id.onOneLine)\t\(label.onOneLine)\t\(count)")
        }
    }
}

struct StoresUse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Make another store the active one, for all clients",
        discussion: """
            Example:
              $ feedbell stores use archive
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(help: "The store's id.", completion: .custom(ShellCompletion.stores)) var store: String

    func run() async throws {
        try await account.object().use(store: store)
    }
}

extension AgentObject {
    /// Activates a store unless it is active.
    func use(store: String) async throws {
        let inbox = try await properties(AgentInbox.self)
        if try inbox.value(AgentInbox.activeStore) == store { return }
        let known = (try inbox.value(AgentInbox.stores) ?? []).map(\.elements.0)
        guard known.contains(store) else {
            let stores = known.isEmpty ? "The configuration defines no stores." : Failure.list(known)
            throw Failure("There is no store \"\(store)\". \(stores)", .notFound)
        }
        try await call(AgentInbox.setActiveStore, store)
    }
}

struct More: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "more",
        abstract: "Load more notifications and print how many were added",
        discussion: """
            Prints 0 if there are no more.

            Example:
              $ feedbell more && feedbell list
            """
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        Output.text("\(try await account.object().call(AgentInbox.fetchMore))")
    }
}
