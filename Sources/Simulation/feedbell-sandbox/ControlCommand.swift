import ArgumentParser
import Sandbox

/// `feedbell-sandbox control URL COMMAND [JSON]`.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Send a command to a running sandbox"
    )

    @Argument(help: "The base URL of the sandbox, such as http://127.0.0.1:8080.")
    var url: String

    @Argument(help: "The command; 'help' lists all commands.")
    var command: String

    @Argument(help: "The arguments of the command, a JSON object.")
    var json: String = ""

    func run() async throws {
        print(try await ControlClient.send(command, json, to: url))
    }
}
