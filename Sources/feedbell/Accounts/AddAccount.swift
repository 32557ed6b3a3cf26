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

    /// The services there are.
    enum Provider: String, ExpressibleByArgument, CaseIterable {
        case suprsend
    }

    @ArgumentParser.Argument(help: "A name of your choice for the account.") var name: String?
    @Option(help: "The service.") var provider: Provider = .suprsend
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
        let (arguments, token) = try answers()
        let outcome: AgentProgram.Outcome
        do {
            outcome = try await program.run(arguments, input: token ?? "")
        } catch {
            throw Failure(error.description, .noAnswer)
        }
        guard outcome.status == 0 else {
            throw Failure(
                String(outcome.errors.split(separator: "\n").joined(separator: " ")),
                ExitCode(outcome.status)
            )
        }
        print(outcome.output.printable, terminator: "")
        do {
            try await AgentObject.root().call(AgentRoot.reload)
            print("The agent connects it now. How it goes: feedbell status")
        } catch let failure as Failure where failure.code == .noAgent {
            print("No agent is running. It starts with your session, or with: systemctl --user start feedbell")
        }
    }

    /// What the agent's program is told, and the token for its standard input. Asks for what is not given.
    private func answers() throws -> (arguments: [String], token: String?) {
        let sources = [
            "--token-stdin": tokenStdin, "--no-token": noToken, "--token-file": tokenFile != nil,
            "--token-command": !tokenCommand.isEmpty,
        ].filter(\.value).keys.sorted()
        guard sources.count < 2 else {
            throw Failure("The token has one source. Give one of \(sources.joined(separator: ", ")).", .usage)
        }
        let dialogue = Dialogue()
        let name = try name ?? dialogue.ask("Name of the account, yours to choose", for: "NAME", usual: "work")
        let publicKey = try publicKey ?? dialogue.ask("Public key of the workspace (SS.PUBK.…)", for: "--public-key")
        let distinctID = try distinctId ?? dialogue.ask("Who you are there (distinct id)", for: "--distinct-id")
        var tenantID = tenantId
        if tenantID == nil, self.publicKey == nil || distinctId == nil {
            tenantID = try dialogue.ask("Tenant", for: "--tenant-id", usual: "default")
        }
        var token: String?
        if tokenStdin {
            token =
                try dialogue.isPossible ? dialogue.askSecret("Your token (it is not shown)") ?? "" : dialogue.input()
        } else if sources.isEmpty {
            try dialogue.requireTerminal("one of --token-stdin, --token-command, --token-file, --no-token")
            token = try dialogue.askSecret("Your token (it is not shown; nothing: use none)")
        }
        // With "=", a value that begins with a dash is still a value.
        var arguments = ["add-account", "--name=\(name)", "--public-key=\(publicKey)", "--distinct-id=\(distinctID)"]
        let optional = [
            ("tenant-id", tenantID), ("hub-url", hubUrl), ("api-url", apiUrl), ("socket-url", socketUrl),
            ("config", config.map(Self.absolute)), ("token-file", tokenFile.map(Self.absolute)),
        ]
        for case (let option, let value?) in optional { arguments.append("--\(option)=\(value)") }
        if token != nil { arguments.append("--token-stdin") }
        if noSecretService { arguments.append("--no-secret-service") }
        if !tokenCommand.isEmpty { arguments += ["--token-command"] + tokenCommand }
        return (arguments, token)
    }

    /// The agent's working directory is another one.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
