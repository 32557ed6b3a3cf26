import Agent
import AgentInterface
import VisibleText

/// An account that a request adds, changes or checks.
struct RequestedAccount {
    private let details: AccountDetails
    private let token: NewToken?
    private let isChange: Bool
    /// Whether the service has to accept it; in a check, whether its token has to have the form of one.
    private let isVerified: Bool
    private let file: ConfigurationFile

    init(
        _ details: AccountDetails,
        _ token: NewToken?,
        isChange: Bool,
        isVerified: Bool,
        in file: ConfigurationFile
    ) {
        (self.details, self.token, self.isChange, self.isVerified) = (details, token, isChange, isVerified)
        self.file = file
    }

    /// Checks the values, of which some may be missing.
    ///
    /// - Parameter isComplete: Whether no further values follow; only then the inbox is compared with others.
    func check(isComplete: Bool) async throws(AgentRequest.Failure) {
        try checkTokenAlone()
        let original = try await original()
        let account = try account(replacing: original)
        let token = try text { isVerified ? account.problem(ofToken: $0) : nil }
        let addition = AccountAddition(account, to: file, replacing: original, token: token)
        try await addition.check(isNamed: details.name != nil, isComplete: isComplete, checksToken: isVerified)
    }

    /// Adds or changes the account. Returns sentences for the user.
    func add() async throws(AgentRequest.Failure) -> [String] {
        try checkTokenAlone()
        try checkCompleteness()
        let original = try await original()
        let storesSecret = if case .stored(_, inFile: false)? = token { true } else { false }
        let service = storesSecret || isChange ? await SecretService.session() : nil
        let addition = AccountAddition(
            try account(replacing: original),
            to: file,
            replacing: original,
            token: try text { _ in nil },
            service: storesSecret ? service : nil,
            previous: isChange ? service : nil
        )
        if !isVerified { return try await addition.run() }
        let keyring = Keyring(await .session(), mayPrompt: false)
        return try await ServiceEnvironment.withEnvironment(keyring: keyring) {
            (environment) async throws(AgentRequest.Failure) in
            try await addition.run(verifyingIn: environment)
        }
    }

    // MARK: Checks

    private func checkCompleteness() throws(AgentRequest.Failure) {
        let missing = details.name == nil ? "name" : neededOptions.first { details.values[$0.name] == nil }?.name
        if let missing { throw AgentRequest.Failure(.invalidValue, "--\(missing) is missing.") }
        guard details.hasTokenAlone, !isChange, token == nil, signInOptions.isEmpty else { return }
        let options = "--token-stdin, --token-file, --token-command or --token-url"
        let name = description?.tokenName ?? "token"
        throw AgentRequest.Failure(.invalidValue, "The \(name) is missing. Use \(options).")
    }

    /// Checks the login with a token alone against the service and the other values.
    private func checkTokenAlone() throws(AgentRequest.Failure) {
        guard details.hasTokenAlone, let service else { return }
        guard let login = service.tokenLogin else {
            let sentence = "\(service.title) has no login with a token alone. Omit --token-alone."
            throw AgentRequest.Failure(.invalidValue, sentence)
        }
        if let other = login.replaced.first(where: { details.values[$0] != nil }) {
            let sentence = "--token-alone and --\(other) exclude each other. Use one of them."
            throw AgentRequest.Failure(.invalidValue, sentence)
        }
    }

    /// The text of the token to store; nil: none is stored.
    ///
    /// - Parameter problem: The sentence about a text that is none; nil: the usual one.
    private func text(_ problem: (String) -> String?) throws(AgentRequest.Failure) -> String? {
        guard case .stored(let text, _)? = token else { return nil }
        return try TokenText.required(text, problem)
    }

    // MARK: Values

    private var service: ServiceDescription? { Services.all.named(details.provider)?.description }
    private var description: ServiceDescription? { details.hasTokenAlone ? service?.withTokenAlone : service }

    private var signInOptions: [ServiceDescription.Option] {
        guard let description, description.hasSignIn(details.values) else { return [] }
        return description.signInOptions
    }

    private var neededOptions: [ServiceDescription.Option] {
        ((description?.options ?? []) + signInOptions).filter { $0.isNeeded(beside: details.values) }
    }

    /// The present table of the account that is changed; nil: it is added.
    private func original() async throws(AgentRequest.Failure) -> TOMLNode? {
        guard isChange, let name = details.name else { return nil }
        return try await ConfiguredAccount(name, in: file).changeableTable
    }

    /// The placeholder for a missing value in a check.
    private static let standIn = "missing"
    private static let urlStandIn = "https://missing.invalid"

    /// - Parameter original: The present table of an account that is changed; nil: it is added.
    private func account(replacing original: TOMLNode?) throws(AgentRequest.Failure) -> AccountConfiguration {
        guard let description, let type = Services.all.named(description.name) else {
            throw AgentRequest.Failure(.invalidValue, "There is no service \"\(details.provider)\".")
        }
        var values: [String: String] = [:]
        for option in neededOptions { values[option.key] = option.valueName == "url" ? Self.urlStandIn : Self.standIn }
        for (option, value) in details.values { values[option.replacing("-", with: "_")] = value }
        var signIn: [String: String] = [:]
        for option in signInOptions { signIn[option.key] = values.removeValue(forKey: option.key) }
        do throws(ConfigurationError) {
            let backend = try TokenBackend(
                values: signIn,
                named: description.tokenKey,
                account: details.name ?? Self.standIn,
                changing: original
            )
            let source = backend.map(TokenSource.backend) ?? givenSource
            if let original, let name = details.name {
                return try AccountConfiguration(
                    name,
                    changing: original,
                    values: values,
                    token: source,
                    services: Services.all
                )
            }
            return try AccountConfiguration(
                name: details.name ?? Self.standIn,
                service: type,
                values: values,
                hasTokenAlone: details.hasTokenAlone,
                token: source
            )
        } catch {
            throw AgentRequest.Failure(.invalidValue, error.problem)
        }
    }

    /// The source of the token where it is already; nil: it is stored, or there is none.
    private var givenSource: TokenSource? {
        switch token {
        case .file(let path): .file(path)
        case .command(let words): .command(words)
        case .stored, nil: nil
        }
    }
}

extension AccountConfiguration {
    /// Why a text is no token of its service, in a sentence; nil: it has the form of one.
    fileprivate func problem(ofToken text: String) -> String? {
        do throws(ServiceProblem) {
            try service.check(token: text)
            return nil
        } catch {
            return error.sentence
        }
    }
}

extension TokenText {
    /// In bytes.
    private static let limit = 64 << 10

    /// The token in a text.
    ///
    /// - Parameter problem: The sentence about a text that is none; nil: the usual one.
    static func required(_ text: String, _ problem: (String) -> String? = { _ in nil }) throws(AgentRequest.Failure)
        -> String
    {
        if text.utf8.count <= limit, case .token(let token) = TokenText(text) { return token }
        let usual = "Standard input has no valid token. A token is one line without spaces."
        throw AgentRequest.Failure(.invalidInput, problem(text) ?? usual)
    }
}
