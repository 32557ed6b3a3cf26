import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        _superCommandName: Feedbell.name,
        abstract: "Take the last archive, delete, read-all or snooze back",
        discussion: """
            Also one of the window or of the terminal inbox. What the service cannot reverse is sent about ten seconds \
            after the action, and can be taken back until then. What was sent is reversed if the service can: \
            notifications are taken out of the archive, and marked as unread again, at most 50. If it cannot, a \
            sentence says so, and the exit code is 6. Called again, it takes the one before back. Prints the ids.

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
        let undone = try await root.undo(of: account.account ?? "")
        if json {
            let list = JSONText.array(undone.ids.map(JSONText.string))
            let account = JSONText.string(undone.account)
            return Output.json(.object(["account": account, "action": .string(undone.action), "ids": list]))
        }
        guard Terminal.standardOutput != nil else {
            return Output.text(undone.ids.map { $0 + "\n" }.joined(), terminator: "")
        }
        let accounts = try await root.get(AgentRoot.accounts)
        var report = UndoReport()
        report.add(undone, amongSeveral: accounts.count > 1)
        Output.text(report.text.onOneLine)
    }
}

extension AgentObject {
    /// Takes the last step back.
    ///
    /// - Parameter account: The account's name; empty: any.
    func undo(of account: String) async throws -> Undone {
        do throws(DBusError) { return try await Undone(on: proxy, account: account) } catch {
            guard let sentence = Undone.sentence(error.name) else { throw Failure(error) }
            throw Failure(sentence, error.name == AgentErrors.notFound ? .notFound : .refused)
        }
    }
}
