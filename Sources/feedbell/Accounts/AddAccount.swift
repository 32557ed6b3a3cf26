import AgentInterface
import ArgumentParser
import FoundationEssentials
import ServiceOptions
import VisibleText

struct AddAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: Feedbell.name,
        abstract: "Add an account and store its token",
        discussion: """
            On a terminal, prompts for missing values. Appends the account to the configuration and reloads the \
            running agent. The token is stored in the Secret Service (GNOME Keyring, KWallet, KeePassXC), or without \
            one in a file that only you can read. It is never passed as an argument, which other users of this \
            computer could see.

            Examples:
              $ feedbell accounts add
              $ feedbell accounts add work --token-command pass feedbell/work
              $ new-token | feedbell accounts add work --token-stdin \\
                  --provider SERVICE OPTION…

            Exit codes: 0 added (also if no agent is running), 64 invalid or missing options, or the name is in use, \
            65 standard input has no valid token, 73 cannot write a file, 77 the keyring stayed locked or failed, 78 \
            invalid configuration.
            """
    )

    @ArgumentParser.Argument(help: "A name of your choice for the account.") var name: String?
    @OptionGroup var service: ServiceOptions<KnownServices>
    @Option(help: "The configuration to change, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
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
            throw Failure("Cannot find \(AgentProgram.name) beside feedbell or in PATH. Install it.", .noAnswer)
        }
        guard service.service != nil else {
            let sentence =
                "\(program.path) does not list its services. Install the version that belongs to this command."
            throw Failure(sentence, .noAnswer)
        }
        try checkSources()
        var questions = AccountQuestions(program: program, options: options)
        try await questions.checkOptions()
        if name == nil {
            let question = "Name of the account, of your choice"
            try await questions.ask(question, for: "NAME", as: "--name", usual: "work")
        }
        let described = service.service?.options ?? []
        let given = service.values
        let isIncomplete = described.contains { $0.isNeeded(beside: given) && given[$0.name] == nil }
        for option in described where isIncomplete && given[option.name] == nil && !option.isReplaced(by: given) {
            guard let question = option.question else { continue }
            let name = "--\(option.name)"
            try await questions.ask(question, for: name, as: name, usual: option.usual)
        }
        let token = try await token(questions)
        var arguments = ["add-account"] + questions.options
        if token != nil { arguments.append("--token-stdin") }
        if !tokenCommand.isEmpty { arguments += ["--token-command"] + tokenCommand }
        Output.text(try await program.output(arguments, input: token ?? "").printable, terminator: "")
        Output.text(try await Connection.request(questions.name ?? "", isOwnFile: config == nil).sentence)
    }

    private var sources: [String] {
        [
            "--token-stdin": tokenStdin, "--no-token": noToken, "--token-file": tokenFile != nil,
            "--token-command": !tokenCommand.isEmpty,
        ].filter(\.value).keys.sorted()
    }

    private func checkSources() throws {
        guard sources.count > 1 else { return }
        throw Failure("These options exclude each other: \(sources.joined(separator: ", ")). Use one of them.", .usage)
    }

    /// The token to store; nil: none.
    private func token(_ questions: AccountQuestions) async throws -> String? {
        let dialogue = questions.dialogue
        if tokenStdin {
            return try await dialogue.isPossible ? questions.askToken(isNeeded: true) : dialogue.input()
        }
        guard sources.isEmpty else { return nil }
        try dialogue.requireTerminal("one of --token-stdin, --token-command, --token-file, --no-token")
        return try await questions.askToken(isNeeded: false)
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
    }

    /// The absolute path: the agent has another working directory.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
