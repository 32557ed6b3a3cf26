import AgentInterface
import ArgumentParser
import FoundationEssentials
import ServiceOptions
import Translation
import VisibleText

struct AddAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: Feedbell.name,
        abstract: "Add an account and store its token",
        discussion: """
            On a terminal, prompts for missing values. Asks the service whether it accepts them, appends the account \
            to the configuration and reloads the running agent. The token is stored in the Secret Service (GNOME \
            Keyring, KWallet, KeePassXC), or without one in a file that only you can read. It is never passed as an \
            argument, which other users of this computer could see.

            Examples:
              $ feedbell accounts add
              $ feedbell accounts add work --token-command pass feedbell/work
              $ new-token | feedbell accounts add work --token-stdin \\
                  --provider SERVICE OPTION…

            Exit codes: 0 added (also if no agent is running), 64 invalid or missing options, or the name is in use, \
            65 standard input has no valid token, 69 the service did not answer, 73 cannot write a file, 77 the \
            service refused the credentials, or the keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @ArgumentParser.Argument(help: "A name of your choice for the account.") var name: String?
    @OptionGroup var service: ServiceOptions<KnownServices>
    @Option(help: "The configuration to change, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
    @Flag(help: "Log in with the token alone, which names project and user.") var tokenAlone = false
    @Flag(help: "Add the account without a request to the service.") var noVerify = false
    @Flag(help: "Store the token from standard input.") var tokenStdin = false
    @Flag(help: "Use no token, if the service needs none.") var noToken = false
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

    func run() async throws {
        guard let program = AgentProgram.find() else {
            throw Failure(
                translated(
                    "Cannot find {program} beside feedbell or in PATH. Install it.",
                    ["program": AgentProgram.name]
                ),
                .noAnswer
            )
        }
        guard var description = service.service else {
            let sentence = translated(
                "{program} does not list its services. Install the version that belongs to this command.",
                ["program": program.path]
            )
            throw Failure(sentence, .noAnswer)
        }
        try checkSources()
        var questions = AccountQuestions(program: program, options: options)
        try await questions.checkOptions()
        if name == nil {
            let question = translated("Name of the account, of your choice")
            try await questions.ask(question, for: "NAME", as: "--name", usual: "work")
        }
        let given = service.values
        if let alone = description.withTokenAlone, try questions.hasTokenAlone(description, given, tokenAlone) {
            description = alone
        }
        let isIncomplete = description.options.contains { $0.isNeeded(beside: given) && given[$0.name] == nil }
        for option in description.options
        where isIncomplete && given[option.name] == nil && !option.isReplaced(by: given) {
            guard let question = option.question else { continue }
            let name = "--\(option.name)"
            let isReplaceable = description.tokenLogin?.replaced.first == option.name
            let alternative = isReplaceable ? " or \(AccountQuestions.tokenAlone)" : ""
            try await questions.ask(question, for: name + alternative, as: name, usual: option.usual)
        }
        let token = try await token(questions, description)
        var arguments = ["add-account"] + questions.options + (noVerify ? ["--no-verify"] : [])
        if token != nil { arguments.append("--token-stdin") }
        if !tokenCommand.isEmpty { arguments += ["--token-command"] + tokenCommand }
        let account = questions.name ?? ""
        let hadOne = await Connection.exists(account)
        Output.text(try await program.output(arguments, input: token ?? "").printable, terminator: "")
        Output.text(try await Connection.request(account, hadOne: hadOne, isOwnFile: config == nil).sentence)
    }

    private var sources: [String] {
        [
            "--token-stdin": tokenStdin, "--no-token": noToken, "--token-file": tokenFile != nil,
            "--token-command": !tokenCommand.isEmpty,
        ].filter(\.value).keys.sorted()
    }

    private func checkSources() throws {
        if tokenAlone, noToken {
            throw Failure(Failure.exclusive(["--no-token", "--token-alone"]), .usage)
        }
        guard sources.count > 1 else { return }
        throw Failure(Failure.exclusive(sources), .usage)
    }

    /// The token to store; nil: none.
    private func token(_ questions: AccountQuestions, _ description: ServiceDescription) async throws -> String? {
        let (dialogue, name) = (questions.dialogue, description.tokenName)
        if tokenStdin {
            return try await dialogue.isPossible ? questions.askToken(name, isNeeded: true) : dialogue.input()
        }
        guard sources.isEmpty else { return nil }
        let isNeeded = questions.options.contains(AccountQuestions.tokenAlone)
        let sources = "--token-stdin, --token-command, --token-file\(isNeeded ? "" : ", --no-token")"
        try dialogue.requireTerminal("one of \(sources)")
        return try await questions.askToken(name, isNeeded: isNeeded)
    }

    /// The given options for `feedbell-agent add-account`, except `--token-command`.
    private var options: [String] {
        let given =
            [("name", name), ("provider", service.service?.name)]
            + service.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            + [("config", config.map(Self.absolute)), ("token-file", tokenFile.map(Self.absolute))]
        // With "=", a value may start with a dash, but not be empty.
        let words = given.flatMap { option, value in
            value.map { $0.isEmpty ? ["--\(option)", ""] : ["--\(option)=\($0)"] } ?? []
        }
        return words + (noSecretService ? ["--no-secret-service"] : [])
            + (tokenAlone ? [AccountQuestions.tokenAlone] : [])
    }

    /// The absolute path: the agent has another working directory.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
