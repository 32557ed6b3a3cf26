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
            Also one of the window or of the terminal inbox. What one command or click did to several accounts is \
            taken back in all of them; --account takes only the last action of that account back. What the service \
            cannot reverse is sent about ten seconds after the action, and can be taken back until then. What was \
            sent is reversed if the service can: notifications are taken out of the archive, and marked as unread \
            again, at most 50. If it cannot, a sentence says so, and the exit code is 6. Called again, it takes the \
            one before back. Prints the ids.

            Example:
              $ feedbell archive 01K1VN
              $ feedbell undo
            """
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON object for each account: account, action and ids.") var json = false

    func run() async throws {
        let root = try await account.timeout.object()
        // A failure that names the configured accounts.
        if let name = account.account { _ = try await root.account(name).properties(AgentAccount.self) }
        let undone = try await root.undo(of: account.account)
        let back = undone.filter { !$0.hasFailed }
        if json {
            for undone in back {
                let list = JSONText.array(undone.ids.map(JSONText.string))
                let account = JSONText.string(undone.account)
                Output.json(.object(["account": account, "action": .string(undone.action), "ids": list]))
            }
        } else if Terminal.standardOutput == nil {
            Output.text(back.flatMap(\.ids).map { $0 + "\n" }.joined(), terminator: "")
        } else {
            let accounts = try await root.get(AgentRoot.accounts)
            var report = UndoReport()
            for undone in back { report.add(undone, amongSeveral: accounts.count > 1) }
            Output.text(report.text.onOneLine)
        }
        if let failed = undone.first(where: \.hasFailed) {
            throw Failure("\(failed.account): \(failed.sentence)", .refused)
        }
    }
}

extension AgentObject {
    /// Takes the last step of an account back; without a name the newest act, in all accounts that it concerned.
    func undo(of account: String?) async throws -> [Undone] {
        do throws(DBusError) {
            guard let account else { return try await Undone.all(on: proxy) }
            return [try await Undone(on: proxy, account: account)]
        } catch {
            guard let sentence = Undone.sentence(error.name) else { throw Failure(error) }
            throw Failure(sentence, error.name == AgentErrors.notFound ? .notFound : .refused)
        }
    }
}
