import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Badge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        _superCommandName: Feedbell.name,
        abstract: "Count what has arrived since the inbox was last opened",
        discussion: """
            Before the service has reported the count, it ends with a sentence and the exit code 7, or 4 if the \
            account needs your attention. Without --account, counts in all accounts that have reported it.

            Examples:
              $ feedbell badge
              $ feedbell badge reset
            """,
        subcommands: [BadgeReset.self]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let badge = try await sum(of: try await account.objects())
        json ? Output.json(.object(["badge": .number(badge)])) : Output.text("\(badge)")
    }

    /// The sum of the counts that are reported; throws if none is.
    private func sum(of inboxes: [AgentObject]) async throws -> UInt32 {
        let accounts = try await inboxes.properties(AgentAccount.self)
        let counted = zip(accounts, try await inboxes.properties(AgentInbox.self)).filter { $0.0.isCounted }
        if counted.isEmpty, let account = accounts.first {
            let sentence = AccountText.notLoaded(account, now: Int64(time(nil)) * 1000)
            throw Failure(sentence, ExitCode.ofMissing(in: account[AgentAccount.state]))
        }
        return try counted.reduce(0) { $0 + (try $1.1.value(AgentInbox.badgeCount) ?? 0) }
    }
}

struct BadgeReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        _superCommandName: Feedbell.name,
        abstract: "Restart the count, as opening the inbox does",
        discussion: """
            Example:
              $ feedbell badge reset
            """
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        for inbox in try await account.objects() { try await inbox.call(AgentInbox.resetBadge) }
    }
}
