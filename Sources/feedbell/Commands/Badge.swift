import AgentInterface
import ArgumentParser
import DBus

struct Badge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Count what has arrived since the inbox was last opened",
        discussion: """
            Examples:
              $ feedbell badge
              $ feedbell badge reset
            """,
        subcommands: [BadgeReset.self]
    )
    @OptionGroup var account: AccountOptions
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let badge = try await account.object().properties(AgentInbox.self).value(AgentInbox.badgeCount) ?? 0
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
