import AgentInterface
import ArgumentParser
import Basics
import VisibleText

struct AddAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: Feedbell.name,
        abstract: "Add an account and store its token",
        discussion: """
            On a terminal, asks for what is missing. The account is added after the service has accepted it, and the \
            running agent connects it at once. The token is stored in the Secret Service (GNOME Keyring, KWallet, \
            KeePassXC), or without one in a file that only you can read. It is never an argument, which other users \
            of this computer could see. With --token-url there is none to store: you sign in with the browser.

            Examples:
              $ feedbell accounts add
              $ feedbell accounts add work --token-command pass feedbell/work
              $ new-token | feedbell accounts add work --token-stdin \\
                  --provider SERVICE OPTION…
              $ feedbell accounts add work --token-url https://app.example.com/token \\
                  --issuer https://login.example.com --client-id feedbell

            Exit codes: 0 added (also if no agent is running), 64 invalid or missing options, or the name is in use, \
            65 standard input has no valid token, 69 the service did not answer, 73 cannot write a file, 77 the \
            service refused the credentials, or the keyring stayed locked or failed, 78 invalid configuration, \
            130 interrupted. Unless it is 0, nothing was added.
            """
    )

    @ArgumentParser.Argument(help: "A name for this account.") var name: String?
    @OptionGroup var service: ServiceOptions<KnownServices>
    @Option(
        help: ArgumentHelp("A link or a file of your company, which has values.", valueName: "link"),
        completion: .file(extensions: ["feedbell"])
    )
    var link: String?
    @Option(help: "The configuration to change, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
    @Flag(help: "Log in with the token alone, which names project and user.") var tokenAlone = false
    @Flag(help: "Add the account without a request to the service.") var noVerify = false
    @Flag(help: "Store the token from standard input.") var tokenStdin = false
    @Flag(help: "Use no token, if the service needs none.") var noToken = false
    @OptionGroup var token: TokenPlaceOptions

    func run() async throws {
        try KnownServices.require()
        var proposal: AccountDetails?
        if let link { proposal = try await AgentProgram.request(.link(link), config: nil) }
        try checkSources()
        Interruption.watch()
        let given = account(proposal)
        var questions = AccountQuestions(account: given, config: config, isVerified: !noVerify)
        try await questions.checkOptions()
        if proposal == nil { try questions.askService(candidates) } else { try questions.askAboutProposal() }
        if name == nil { try await questions.askName() }
        try questions.askTokenAlone()
        try await questions.askMissing()
        try await askToken(&questions)
        let account = questions.account.name ?? ""
        let hadOne = await AccountConnection.exists(account)
        Output.sentences(try await questions.add())
        let connection = try await AccountConnection.request(account, hadOne: hadOne, isOwnFile: config == nil)
        Output.sentences([connection.sentence])
        if questions.account.signsInWithBrowser, connection == .connects { Output.text(Self.signInAdvice(account)) }
    }

    /// The sentence that names the command to sign in.
    static func signInAdvice(_ account: String) -> String {
        translated("Sign in: {command}", ["command": "feedbell accounts sign-in \(account.shellQuoted)"])
    }

    /// Whether the options say that the token comes from a sign-in with the browser.
    private var signsInWithBrowser: Bool { service.service?.hasSignIn(service.values) ?? false }

    /// The services that the options may be for.
    private var candidates: [ServiceDescription] {
        let alone = service.candidates.filter { $0.tokenLogin != nil }
        return tokenAlone && !alone.isEmpty ? alone : service.candidates
    }

    /// - Parameter proposal: The values of a link, instead of which the options have others.
    private func account(_ proposal: AccountDetails?) -> NewAccount {
        let description = proposal.map { KnownServices.named($0.provider) } ?? candidates.first
        let values = (proposal?.values ?? [:]).merging(service.values) { $1 }
        let signsIn = description?.hasSignIn(values) ?? false
        return NewAccount(
            name: name ?? proposal?.name,
            service: description,
            values: values,
            hasTokenAlone: tokenAlone || proposal?.hasTokenAlone == true,
            signsInWithBrowser: signsIn,
            isTokenInFile: token.noSecretService,
            tokenPlace: token.place,
            hasTokenSource: noToken || token.place != nil || signsIn
        )
    }

    private var sources: [String] {
        let others = ["--token-stdin": tokenStdin, "--no-token": noToken, "--token-url": signsInWithBrowser]
        return (token.sources + others.filter(\.value).keys).sorted()
    }

    private func checkSources() throws {
        if tokenAlone, noToken {
            throw Failure(Failure.exclusive(["--no-token", "--token-alone"]), .usage)
        }
        guard sources.count > 1 else { return }
        throw Failure(Failure.exclusive(sources), .usage)
    }

    /// Asks for the token, unless the options name its source.
    private func askToken(_ questions: inout AccountQuestions) async throws {
        if tokenStdin, !questions.dialogue.isPossible { return questions.setToken(try questions.dialogue.input()) }
        if questions.account.hasTokenSource { return }
        let isNeeded = tokenStdin || questions.account.hasTokenAlone
        let sources = "--token-stdin, --token-command, --token-file"
        let others = questions.account.hasTokenAlone ? "" : ", --no-token"
        try questions.dialogue.requireTerminal("one of \(sources)\(others)")
        try await questions.askToken(isNeeded: isNeeded)
    }
}
