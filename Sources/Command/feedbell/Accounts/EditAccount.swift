import AgentInterface
import ArgumentParser
import VisibleText

struct EditAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        _superCommandName: Feedbell.name,
        abstract: "Change an account's values or its token",
        discussion: """
            With options, changes what they name. Without options, asks on a terminal for each value, with the present \
            one as the answer. Nothing changes unless the service accepts the account. Only accounts that "feedbell \
            accounts add" has added can be changed; the file that you have written is yours.

            Examples:
              $ feedbell accounts edit work
              $ feedbell accounts edit work --token-command pass feedbell/work

            A token that Feedbell has stored for the account is removed when another one replaces it.

            The exit codes are those of "feedbell accounts add". Unless it is 0, nothing was changed.
            """
    )

    @ArgumentParser.Argument(help: "The account's name.", completion: .custom(ShellCompletion.accounts))
    var name: String
    @OptionGroup var service: ServiceOptions<KnownServices>
    @Option(help: "The configuration to change, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
    @Flag(help: "Change the account without a request to the service.") var noVerify = false
    @Flag(help: "Store the token from standard input.") var tokenStdin = false
    @OptionGroup var token: TokenPlaceOptions

    func run() async throws {
        let details: AccountDetails = try await AgentProgram.request(.account(name), config: config)
        try checkOptions(details)
        Interruption.watch()
        let changed = account(details)
        var questions = AccountQuestions(account: changed, config: config, isVerified: !noVerify, isChange: true)
        try await questions.checkOptions()
        if tokenStdin, !questions.dialogue.isPossible {
            questions.setToken(try questions.dialogue.input())
        } else if tokenStdin {
            try await questions.askToken(isNeeded: true)
        } else if service.values.isEmpty, sources.isEmpty {
            try questions.dialogue.requireTerminal(translated("an option"))
            try await questions.askAll()
            if !questions.account.signsInWithBrowser { try await questions.askToken(isNeeded: false) }
        }
        let sentences = try await questions.add()
        if sentences.isEmpty {
            return Output.text(translated("Nothing was changed: the account has these values already."))
        }
        Output.sentences(sentences)
        let connection = try await AccountConnection.request(name, hadOne: false, isOwnFile: config == nil)
        Output.sentences([connection.sentence])
    }

    private var sources: [String] {
        (token.sources + (tokenStdin ? ["--token-stdin"] : [])).sorted()
    }

    private func checkOptions(_ details: AccountDetails) throws {
        let signIn = service.values["token-url"] == nil ? [] : ["--token-url"]
        if sources.count + signIn.count > 1 { throw Failure(Failure.exclusive((sources + signIn).sorted()), .usage) }
        let known = Self.service(details)?.allOptions.map(\.name) ?? []
        if let other = service.values.keys.sorted().first(where: { !known.contains($0) }) {
            let sentence = translated(
                "{service} has no option {option}.",
                ["service": Self.service(details)?.title ?? details.provider, "option": "--\(other)"]
            )
            throw Failure(sentence, .usage)
        }
    }

    private static func service(_ details: AccountDetails) -> ServiceDescription? {
        KnownServices.named(details.provider)
    }

    private func account(_ details: AccountDetails) -> NewAccount {
        var values = details.values.merging(service.values) { $1 }
        let description = Self.service(details)
        if !sources.isEmpty { for option in description?.signInOptions ?? [] { values[option.name] = nil } }
        return NewAccount(
            name: name,
            service: description,
            values: values,
            hasTokenAlone: details.hasTokenAlone,
            signsInWithBrowser: description?.hasSignIn(values) ?? false,
            isTokenInFile: token.noSecretService,
            tokenPlace: token.place,
            hasTokenSource: token.place != nil
        )
    }
}
