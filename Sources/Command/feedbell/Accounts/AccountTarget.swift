import AgentInterface
import ArgumentParser

/// The configured account that a command is about.
struct AccountTarget: ParsableArguments {
    @ArgumentParser.Argument(help: "The account's name.", completion: .custom(ShellCompletion.accounts))
    var name: String
    @Option(help: "The configuration to read, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?

    /// The reply to a request about the account.
    @discardableResult func request(_ request: AgentRequest) async throws -> [String] {
        try await AgentProgram.request(request, config: config)
    }
}

/// Where an account has its token.
struct TokenPlaceOptions: ParsableArguments {
    @Flag(help: "Store the token in a file instead of the Secret Service.") var noSecretService = false
    @Option(help: ArgumentHelp("The file with the token in its first line.", valueName: "file"), completion: .file())
    var tokenFile: String?
    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "The command that prints the token in its first line. Must be the last option.",
            valueName: "word"
        )
    ) var tokenCommand: [String] = []

    /// Where the token is already; nil: the options do not name it.
    var place: NewToken? {
        tokenCommand.isEmpty ? tokenFile.map { .file(AgentProgram.absolute($0)) } : .command(tokenCommand)
    }

    /// The given options that name the source of the token.
    var sources: [String] {
        ["--token-file": tokenFile != nil, "--token-command": !tokenCommand.isEmpty].filter(\.value).keys.sorted()
    }
}
