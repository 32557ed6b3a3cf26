import ArgumentParser

/// The configured account that a command is about.
struct AccountTarget: ParsableArguments {
    @ArgumentParser.Argument(help: "The account's name.", completion: .custom(ShellCompletion.accounts))
    var name: String
    @Option(help: "The configuration to read, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?

    /// The arguments for the agent's program.
    var arguments: [String] { AddAccount.options(config: config) + ["--", name] }
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

    /// Whether the options name the source of the token.
    var hasSource: Bool { tokenFile != nil || !tokenCommand.isEmpty }

    /// The options for the agent's program.
    var arguments: [String] {
        (tokenFile.map { ["--token-file=\(AddAccount.absolute($0))"] } ?? [])
            + (noSecretService ? ["--no-secret-service"] : [])
    }

    /// The given options that name the source of the token.
    var sources: [String] {
        ["--token-file": tokenFile != nil, "--token-command": !tokenCommand.isEmpty].filter(\.value).keys.sorted()
    }
}
