import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List or add accounts",
        discussion: """
            Example:
              $ feedbell accounts
              work	echo	anna@example.com	online
            """,
        subcommands: [ListAccounts.self, AddAccount.self],
        defaultSubcommand: ListAccounts.self
    )
}

struct ListAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: Feedbell.name,
        abstract: "List accounts",
        discussion: """
            Prints a line for each account of the running agent: name, service, user and state, separated by tabs.

            Example:
              $ feedbell accounts list --json | jq -r '.[].name'
            """
    )

    @Flag(help: "Print a JSON array.") var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        let root = try await timeout.object()
        let objects = try await root.accounts()
        // In the order of the configuration.
        let paths = try await root.properties(AgentRoot.self).value(AgentRoot.accounts) ?? []
        let rows = try paths.compactMap { objects[$0] }.map { interfaces in
            let account = PropertyValues<AgentAccount>(in: interfaces)
            return [
                ("name", try account.value(AgentAccount.accountName) ?? ""),
                ("provider", try account.value(AgentAccount.provider) ?? ""),
                ("user", try account.value(AgentAccount.user) ?? ""),
                ("state", try account.value(AgentAccount.state) ?? ""),
            ]
        }
        if json {
            let objects = rows.map { row in
                JSON.object(Dictionary(uniqueKeysWithValues: row.map { ($0.0, JSON.string($0.1)) }))
            }
            return Output.json(.array(objects))
        }
        for row in rows { Output.text(row.map(\.1.onOneLine).joined(separator: "\t")) }
    }
}
