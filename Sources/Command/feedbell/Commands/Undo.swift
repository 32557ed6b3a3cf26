import AgentInterface
import ArgumentParser
import Translation

struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        _superCommandName: Feedbell.name,
        abstract: "Take the last archive or delete back",
        discussion: """
            What waits to be sent, because the service is unreachable, is not sent. What was archived is taken out of \
            the archive if the service supports it; if it does not, and for what was deleted, a sentence says so, and \
            the exit code is 6. Called again, it takes the one before back. Prints the ids.

            Example:
              $ feedbell archive 01K1VN
              $ feedbell undo
            """
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON object: account, action and ids.") var json = false

    func run() async throws {
        let root = try await account.timeout.object()
        // A failure that names the configured accounts.
        if let name = account.account { _ = try await root.account(name).properties(AgentAccount.self) }
        let (name, action, ids) = try await Self.take(root, account.account ?? "")
        if json {
            let list = JSONText.array(ids.map(JSONText.string))
            return Output.json(.object(["account": .string(name), "action": .string(action), "ids": list]))
        }
        guard Terminal.standardOutput != nil else {
            return Output.text(ids.map { $0 + "\n" }.joined(), terminator: "")
        }
        let words =
            action == "Delete"
            ? translated(
                "{count} deleted notification is back.",
                plural: "{count} deleted notifications are back.",
                count: ids.count
            )
            : translated(
                "{count} archived notification is back.",
                plural: "{count} archived notifications are back.",
                count: ids.count
            )
        Output.text(words)
    }

    private static func take(_ root: AgentObject, _ account: String) async throws -> (String, String, [String]) {
        do { return try await root.call(AgentRoot.undo, account) } catch let failure as Failure {
            switch failure.code {
            case .notFound:
                throw Failure(translated("There is no archive or delete to take back."), .notFound)
            case .refused:
                throw Failure(
                    translated("It was sent to the service already, which cannot take it back."),
                    .refused
                )
            default: throw failure
            }
        }
    }
}
