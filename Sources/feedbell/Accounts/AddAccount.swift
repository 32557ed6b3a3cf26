import AgentInterface
import ArgumentParser
import FoundationEssentials

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
              $ feedbell accounts add work --public-key SS.PUBK.abc \\
                  --distinct-id anna@example.com --token-command pass suprsend/work
              $ new-token | feedbell accounts add work --token-stdin \\
                  --public-key SS.PUBK.abc --distinct-id anna@example.com

            Exit codes: 0 added (whether or not an agent runs), 64 something is missing, wrong or there already, 65 no token \
            came, 73 a file cannot be written, 77 the keyring stayed locked, 78 the configuration has a mistake.
            """
    )

    @ArgumentParser.Argument(help: "A name of your choice for the account.") var name: String?
    @Option(help: "The service.") var provider: ServiceName = .suprsend
    @Option(help: "The public key of the workspace.") var publicKey: String?
    @Option(help: "Who you are in the workspace.") var distinctId: String?
    @Option(help: "The tenant, if you are a user of one.") var tenantId: String?
    @Option(help: ArgumentHelp("Another host than the service's own.", valueName: "url")) var hubUrl: String?
    @Option(help: ArgumentHelp("Another host than the service's own.", valueName: "url")) var apiUrl: String?
    @Option(help: ArgumentHelp("Another host than the service's own.", valueName: "url")) var socketUrl: String?
    @Option(help: "The configuration to add it to, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
    @Flag(help: "Store the token that comes on standard input.") var tokenStdin = false
    @Flag(help: "Use no token: requests carry the public key alone.") var noToken = false
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
        try checkSources()
        var questions = AccountQuestions(program: program, options: options)
        try await questions.checkOptions()
        if name == nil {
            let question = "Name of the account, yours to choose"
            try await questions.ask(question, for: "NAME", as: "--name", usual: "work")
        }
        if publicKey == nil {
            let question = "Public key of the workspace (SS.PUBK.…)"
            try await questions.ask(question, for: "--public-key", as: "--public-key")
        }
        if distinctId == nil {
            let question = "Who you are there (distinct id)"
            try await questions.ask(question, for: "--distinct-id", as: "--distinct-id")
        }
        if tenantId == nil, publicKey == nil || distinctId == nil {
            try await questions.ask("Tenant", for: "--tenant-id", as: "--tenant-id", usual: "default")
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
        let given = [
            ("name", name), ("provider", provider.rawValue), ("public-key", publicKey), ("distinct-id", distinctId),
            ("tenant-id", tenantId), ("hub-url", hubUrl), ("api-url", apiUrl), ("socket-url", socketUrl),
            ("config", config.map(Self.absolute)), ("token-file", tokenFile.map(Self.absolute)),
        ]
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

extension ServiceName: ExpressibleByArgument {}
