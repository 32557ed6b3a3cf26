import Agent
import AgentInterface
import ArgumentParser
import VisibleText

/// `feedbell-agent add-account`, which `feedbell accounts add` runs.
struct AddAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-account",
        abstract: "Add an account to the configuration",
        discussion: """
            `feedbell accounts add` runs this command and prompts for missing values.

            Example:
              $ pass work | feedbell-agent add-account --name work \\
                  \(options) --token-stdin

            Exit codes: 0 added, 64 invalid options or the name is in use, 65 standard input has no valid token, 69 \
            the service did not answer, 73 cannot write a file, 77 the service refused the credentials, or the \
            keyring stayed locked or failed, 78 invalid configuration.
            """
    )

    @Flag(help: "Check the given options, which may be incomplete, and add nothing.") var dryRun = false
    @Flag(help: "In a dry run, do not compare the inbox with others, because further values follow.") var incomplete =
        false
    @Flag(
        name: .customLong("dialogue"),
        help: "On failure print, each on a line, the options of which one has a wrong value."
    ) var isDialogue = false
    @Flag(help: "Change the account with this name, which `accounts add` has added.") var edit = false
    @Option(help: "The account's name.") var name: String?
    @OptionGroup var service: ServiceOptions<OwnServices>
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Log in with the token alone, which names project and user.") var tokenAlone = false
    @Flag(help: "Add the account without a request to the service.") var noVerify = false
    @Flag(help: "Store the token from standard input.") var tokenStdin = false
    @Flag(help: "Store the token in a file instead of the Secret Service.") var noSecretService = false
    @Option(help: "The file with the token in its first line.") var tokenFile: String?
    @Option(parsing: .remaining, help: "The command that prints the token in its first line, with arguments.")
    var tokenCommand: [String] = []

    func validate() throws {
        if edit, name == nil { throw ValidationError("--name is missing.") }
        guard !dryRun else { return }
        let missing = neededOptions.first { service.values[$0.name] == nil }?.name
        if let missing = name == nil ? "name" : missing { throw ValidationError("--\(missing) is missing.") }
    }

    /// Checks the login with a token alone against the service and the other options.
    private func checkTokenAlone() throws {
        guard tokenAlone, let description = service.service else { return }
        guard let login = description.tokenLogin else {
            throw problem("\(description.title) has no login with a token alone. Omit --token-alone.", code: 64)
        }
        if let other = login.replaced.first(where: { service.values[$0] != nil }) {
            throw problem("--token-alone and --\(other) exclude each other. Use one of them.", code: 64)
        }
        if !dryRun, !edit, !tokenStdin, tokenFile == nil, tokenCommand.isEmpty, !description.hasSignIn(service.values) {
            let options = "--token-stdin, --token-file, --token-command or --token-url"
            throw problem("The \(login.tokenName) is missing. Use \(options).", code: 64)
        }
    }

    func run() async throws {
        Language.useEnvironment()
        try checkTokenAlone()
        let original = try await original()
        let account = try account(replacing: original)
        let storesSecret = tokenStdin && !noSecretService
        let service = !dryRun && (storesSecret || edit) ? await SecretService.session() : nil
        let addition = AccountAddition(
            account,
            to: file.file,
            replacing: original,
            token: try token(of: account),
            service: storesSecret ? service : nil,
            previous: edit ? service : nil
        )
        do {
            if dryRun {
                try await addition.check(
                    isNamed: name != nil,
                    isComplete: !incomplete,
                    checksToken: !noVerify
                )
            } else {
                StandardStream.output.write(sentences: try await add(addition))
            }
        } catch {
            if isDialogue { for option in error.options { StandardStream.output.write(option + "\n") } }
            // The dialogue goes on.
            let isPreliminary = dryRun || isDialogue && (!error.options.isEmpty || error.isUnverified)
            throw problem(isPreliminary ? error.reason : error.sentence(isChange: edit), code: error.exitCode)
        }
    }

    /// The present table of the account that is changed; nil: it is added.
    private func original() async throws -> TOMLNode? {
        guard edit, let name else { return nil }
        do throws(AccountChangeFailure) {
            return try await ConfiguredAccount(name, in: file.file).changeableTable
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
    }

    /// The token from standard input; nil: it is not read.
    private func token(of account: AccountConfiguration) throws -> String? {
        guard tokenStdin else { return nil }
        return try StandardInput.token { text in
            guard dryRun, !noVerify else { return nil }
            do throws(ServiceProblem) {
                try account.service.check(token: text)
                return nil
            } catch {
                return error.sentence
            }
        }
    }

    /// Adds the account after the service has accepted it, and returns sentences for the user.
    private func add(_ addition: AccountAddition) async throws(AccountAddition.Failure) -> [String] {
        if noVerify { return try await addition.run() }
        let keyring = Keyring(await .session(), mayPrompt: false)
        return try await ServiceEnvironment.withEnvironment(keyring: keyring) {
            (environment) async throws(AccountAddition.Failure) in
            try await addition.run(verifyingIn: environment)
        }
    }

    /// The placeholder for a missing value in a dry run.
    private static let standIn = "missing"
    private static let urlStandIn = "https://missing.invalid"

    private var description: ServiceDescription? { tokenAlone ? service.service?.withTokenAlone : service.service }

    private var signInOptions: [ServiceDescription.Option] {
        guard let description, description.hasSignIn(service.values) else { return [] }
        return description.signInOptions ?? []
    }

    private var neededOptions: [ServiceDescription.Option] {
        ((description?.options ?? []) + signInOptions).filter { $0.isNeeded(beside: service.values) }
    }

    /// - Parameter original: The present table of an account that is changed; nil: it is added.
    private func account(replacing original: TOMLNode?) throws -> AccountConfiguration {
        guard let description, let type = Services.all.named(description.name) else {
            throw ValidationError("No service is supported by this build.")
        }
        var values: [String: String] = [:]
        for option in neededOptions { values[option.key] = option.valueName == "url" ? Self.urlStandIn : Self.standIn }
        for (option, value) in service.values { values[option.replacing("-", with: "_")] = value }
        var signIn: [String: String] = [:]
        for option in signInOptions { signIn[option.key] = values.removeValue(forKey: option.key) }
        do throws(ConfigurationError) {
            let backend = try TokenBackend(
                values: signIn,
                named: description.tokenKey,
                account: name ?? Self.standIn,
                changing: original
            )
            let source = backend.map(TokenSource.backend) ?? givenSource
            if let original, let name {
                return try AccountConfiguration(
                    name,
                    changing: original,
                    values: values,
                    token: source,
                    services: Services.all
                )
            }
            return try AccountConfiguration(
                name: name ?? Self.standIn,
                service: type,
                values: values,
                hasTokenAlone: tokenAlone,
                token: source
            )
        } catch {
            throw problem(error.problem, code: 64)
        }
    }

    /// The source of the token that the options name; nil: none, or a sign-in.
    private var givenSource: TokenSource? {
        tokenCommand.isEmpty ? tokenFile.map(TokenSource.file) : .command(tokenCommand)
    }

    /// The required options of the default service, for the example.
    private static var options: String {
        (OwnServices.services.first?.options ?? []).filter(\.isNeeded).map { "--\($0.name) …" }.joined(separator: " ")
    }
}
