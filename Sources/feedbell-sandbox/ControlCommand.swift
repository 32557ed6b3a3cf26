import ArgumentParser
import Sandbox

/// `feedbell-sandbox control URL COMMAND [JSON]`.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Send one command to a running sandbox and print its answer."
    )

    @Argument(help: "The address that the sandbox printed, such as http://127.0.0.1:8080.")
    var url: String

    @Argument(help: "The command; 'help' lists them.")
    var command: String

    @Argument(help: "The command's JSON object.")
    var json: String = ""

    func run() async throws {
        print(try await ControlClient.send(command, json, to: url))
    }
}
