import AgentInterface
import ArgumentParser
import DBus
import Glibc

struct Badge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Count what has arrived since the inbox was last opened",
        discussion: """
            Before the service has reported the count, it ends with a sentence and the exit code 7, or 4 if the \
            account needs your attention.

            Examples:
              $ feedbell badge
              $ feedbell badge reset
            """,
        subcommands: [BadgeReset.self]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let inbox = try await account.object().countedInbox(now: Int64(time(nil)) * 1000)
        let badge = try inbox.value(AgentInbox.badgeCount) ?? 0
        json ? Output.json(.object(["badge": .number(badge)])) : Output.text("\(badge)")
    }
}

struct BadgeReset: OneCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        _superCommandName: Feedbell.name,
        abstract: "Restart the count, as opening the inbox does",
        discussion: """
            Example:
              $ feedbell badge reset
            """
    )
    static let method = AgentInbox.resetBadge
    @OptionGroup var target: AccountOptions
}
