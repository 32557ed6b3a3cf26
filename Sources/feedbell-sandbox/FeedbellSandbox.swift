import ArgumentParser
import Sandbox

/// `feedbell-sandbox`: the local stand-in for the notification service.
@main
struct FeedbellSandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell-sandbox",
        abstract: "A stand-in for the notification service, for demonstrations and tests.",
        discussion: CommandHelp.text,
        subcommands: [ServeCommand.self, TokenCommand.self, ControlCommand.self, NotificationsCommand.self]
    )
}
