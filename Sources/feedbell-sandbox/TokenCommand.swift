import ArgumentParser
import Sandbox

/// `feedbell-sandbox token URL`.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a user token that a running sandbox accepts.",
        discussion: """
            For an account's token_command: token_command = ["feedbell-sandbox", "token", "http://127.0.0.1:8080"].
            """
    )

    @Argument(help: "The address that the sandbox printed, such as http://127.0.0.1:8080.")
    var url: String

    @Option(help: "The user's distinct_id; may be left out if the sandbox has only one.")
    var user: String?

    @Option(help: "The tenant that the token is for; may be left out for 'default', or if the sandbox has only one.")
    var tenant: String?

    func run() async throws {
        print(try await ControlClient.token(for: Recipient(user, tenant: tenant), at: url))
    }
}
