import ArgumentParser
import Sandbox

/// `feedbell-sandbox`: a local replacement of the notification service.
@main
struct FeedbellSandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell-sandbox",
        abstract: "Simulate the notification service for demos and tests",
        discussion: CommandHelp.text,
        subcommands: [ServeCommand.self, TokenCommand.self, ControlCommand.self, NotificationsCommand.self]
    )
}
