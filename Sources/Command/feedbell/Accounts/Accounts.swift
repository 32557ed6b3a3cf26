import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct Accounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List, add, edit, test or remove accounts",
        discussion: """
            Examples:
              $ feedbell accounts
              $ feedbell accounts add
            """,
        subcommands: [
            ListAccounts.self, AddAccount.self, EditAccount.self, TestAccount.self, SignIn.self, ReplaceToken.self,
            SignOutAccount.self, RemoveAccount.self,
        ],
        defaultSubcommand: ListAccounts.self
    )
}

struct ListAccounts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: Feedbell.name,
        abstract: "List accounts",
        discussion: """
            Lists the accounts of the running agent: name, service, user and state. In a pipe, separated by tab \
            characters.

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
                JSONText.object(Dictionary(uniqueKeysWithValues: row.map { ($0.0, JSONText.string($0.1)) }))
            }
            return Output.json(.array(objects))
        }
        let cells = rows.map { $0.map(\.1.onOneLine) }
        guard let terminal = Terminal.standardOutput else {
            for row in cells { Output.text(row.joined(separator: "\t")) }
            return
        }
        for line in Self.table(cells, terminal) { Output.text(line) }
    }

    /// Aligned columns: name, service, user and state. A line that is too long is cut.
    static func table(_ rows: [[String]], _ terminal: Terminal) -> [String] {
        let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(toColumns: $1) + "  " }
            let start = cells.joined().cut(toColumns: terminal.columns)
            let words = AccountText.state(row[3]).cut(toColumns: max(0, terminal.columns - start.columns))
            return start + terminal.text(words, StatusReport.style(state: row[3]))
        }
    }
}
