import ArgumentParser
import Sandbox

/// `feedbell-sandbox token URL`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a user token for a running sandbox",
        discussion: """
            For an account's token_command: token_command = ["feedbell-sandbox", "token", "http://127.0.0.1:8080"].
            """
    )

    @Argument(help: "The base URL of the sandbox, such as http://127.0.0.1:8080.")
    var url: String

    @Option(help: "The user (default: the only user).")
    var user: String?

    @Option(help: "SuprSend's tenant (default: the only tenant, or 'default').")
    var tenant: String?

    func run() async throws {
        print(try await ControlClient.token(for: Recipient(user, tenant: tenant), at: url))
    }
}
