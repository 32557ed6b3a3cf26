import AgentInterface
import ArgumentParser
import FoundationEssentials
import ServiceOptions

struct AddAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds an account to the configuration, stores its token, and has the agent connect it.",
        discussion: """
            On a terminal it asks for what is not given. The configuration keeps everything that is in it. The token goes to the \
            Secret Service (GNOME Keyring, KWallet, KeePassXC) if there is one, else into a file that only you may read; it is \
            never an argument, which others on this machine could see.

            Examples:
              $ feedbell accounts add
              $ feedbell accounts add work --token-command pass feedbell/work
              $ new-token | feedbell accounts add work --token-stdin \\
                  --provider SERVICE OPTION…

            Exit codes: 0 added (whether or not an agent runs), 64 something is missing, wrong or there already, 65 no token \
            came, 73 a file cannot be written, 77 the keyring stayed locked, 78 the configuration has a mistake.
            """
    )

    @ArgumentParser.Argument(help: "A name of your choice for the account.") var name: String?
    @OptionGroup var service: ServiceOptions<KnownServices>
    @Option(help: "The configuration to add it to, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
    @Flag(help: "Store the token that comes on standard input.") var tokenStdin = false
    @Flag(help: "Use no token, where the service needs none.") var noToken = false
    @Flag(help: "Store the token in a file, even if there is a Secret Service.") var noSecretService = false
    @Option(help: ArgumentHelp("A file whose first line is the token.", valueName: "file"), completion: .file())
    var tokenFile: String?
    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "A command whose first line of output is the token. Comes last: all that follows belongs to it.",
            valueName: "word"
        )
    ) var tokenCommand: [String] = []

    func run() async throws {
        guard let program = AgentProgram.find() else {
            throw Failure("The program \(AgentProgram.name) is not installed beside this one or in PATH.", .noAnswer)
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
            let question = "Name of the account, yours to choose"
            try await questions.ask(question, for: "NAME", as: "--name", usual: "work")
        }
        let described = service.service?.options ?? []
        let isIncomplete = described.contains { $0.isNeeded && service.values[$0.name] == nil }
        for option in described where service.values[option.name] == nil && (option.isNeeded || isIncomplete) {
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
        throw Failure("The token has one source. Give one of \(sources.joined(separator: ", ")).", .usage)
    }

    /// The token for the agent's program, if it is to store one.
    private func token(_ questions: AccountQuestions) async throws -> String? {
        let dialogue = questions.dialogue
        if tokenStdin {
            return try await dialogue.isPossible ? questions.askToken(isNeeded: true) : dialogue.input()
        }
        guard sources.isEmpty else { return nil }
        try dialogue.requireTerminal("one of --token-stdin, --token-command, --token-file, --no-token")
        return try await questions.askToken(isNeeded: false)
    }

    /// What was given, for the agent's program, without a command for the token.
    private var options: [String] {
        let given =
            [("name", name), ("provider", service.service?.name)]
            + service.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            + [("config", config.map(Self.absolute)), ("token-file", tokenFile.map(Self.absolute))]
        // With "=", a value that begins with a dash is still a value; an empty one is none.
        let words = given.flatMap { option, value in
            value.map { $0.isEmpty ? ["--\(option)", ""] : ["--\(option)=\($0)"] } ?? []
        }
        return words + (noSecretService ? ["--no-secret-service"] : [])
    }

    /// The agent's working directory is another one.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
