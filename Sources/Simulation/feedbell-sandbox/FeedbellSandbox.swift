import ArgumentParser
import Sandbox

/// `feedbell-sandbox`: a local replacement of the notification services.
@main
struct FeedbellSandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell-sandbox",
        abstract: "Simulate SuprSend or MagicBell for demos and tests",
        discussion: CommandHelp.text + "\n\nWith serve --service magicbell the commands are others; see its 'help'.",
        subcommands: [ServeCommand.self, TokenCommand.self, ControlCommand.self, NotificationsCommand.self]
    )
}
