package import AgentInterface
import VisibleText

/// Adds an account to the configuration, in a file of its own, and stores its token in the Secret Service or in a
/// separate file. Also changes such an account.
package struct AccountAddition: Sendable {
    private let file: ConfigurationFile
    private let account: AccountConfiguration
    private let token: String?
    private let service: SecretService?
    private let previous: SecretService?
    /// The present table of an account that changes; nil: it is added.
    let original: TOMLNode?

    /// - Parameters:
    ///   - account: The account to add. With a `token`, its token source is set here.
    ///   - original: The present table of an account that is changed; nil: it is added.
    ///   - token: The token to store.
    ///   - service: The Secret Service to store it in; nil: a file.
    ///   - previous: The Secret Service that has the present token of an account that is changed; nil: there is none.
    package init(
        _ account: AccountConfiguration,
        to file: ConfigurationFile,
        replacing original: TOMLNode? = nil,
        token: String? = nil,
        service: SecretService? = nil,
        previous: SecretService? = nil
    ) {
        self.file = file
        self.account = account
        self.original = original
        self.token = token
        self.service = service
        self.previous = previous
    }

    /// Checks the values, the token file, and that the account can be added to the configuration. Stores nothing.
    ///
    /// - Parameters:
    ///   - isNamed: Whether the account has its final name; false: its name is not checked.
    ///   - isComplete: Whether all values are known; false: its inbox is not compared with those of other accounts.
    ///   - checksToken: Whether the form of the token is checked, too.
    package func check(
        isNamed: Bool = true,
        isComplete: Bool = true,
        checksToken: Bool = false
    ) async throws(AgentRequest.Failure) {
        do {
            let files = try await file.files(mayBeMissing: true)
            _ = try Configuration(try await file.layers(of: files), services: file.services)
            _ = try await adding(nil, to: isNamed ? files : [], isComplete: isComplete)
        } catch {
            throw failure(error)
        }
        do { try account.service.check() } catch { throw .invalid(error.sentence) }
        if case .file(let path)? = account.service.token { try await Self.check(tokenFile: path) }
        guard checksToken, let token else { return }
        do { try account.service.check(token: token) } catch {
            throw nothingDone(.invalidInput, error.sentence, options: ["token"])
        }
    }

    private static func check(tokenFile path: String) async throws(AgentRequest.Failure) {
        let text: String
        do { text = try await TokenReader.contents(of: path) } catch { throw .invalid(error.description) }
        guard case .token = TokenText(text) else {
            let remedy = "Its first line must be the token, without spaces."
            throw .invalid("\"\(path)\" (token_file) contains no valid token. \(remedy)")
        }
    }

    /// Whether the service accepts the account with the given token. Throws if not.
    private func verify(in environment: ServiceEnvironment) async throws(AgentRequest.Failure) {
        var (service, environment) = (account.service, environment)
        if let token {
            let item = TokenItem(account: account.name)
            service.token = .secret(item.attributes)
            environment.keyring = Keyring(holding: token, of: item.attributes)
        }
        let findings: [Finding]
        if token == nil, let backend = service.token?.backend {
            // Nobody can have signed in yet.
            let check = await SignInCheck(backend, environment, caFile: service.caFile)
            findings = check.configurationFindings(account: account.name)
        } else {
            findings = await service.examine(account: account.name, .credentials, environment).findings
        }
        switch AccountVerdict(findings, isTokenStored: token == nil) {
        case .accepted: return
        case .refused(let sentences, let options): throw nothingDone(.refused, sentences, options: options)
        case .unverified(let sentences):
            let advice =
                original == nil
                ? translated("To add the account without a request to the service, use --no-verify.")
                : translated("To change the account without a request to the service, use --no-verify.")
            throw nothingDone(.unavailable, sentences, advice)
        }
    }

    /// Adds or changes the account completely or not at all. Returns sentences for the user that describe the result;
    /// none, if it has these values already.
    ///
    /// - Parameter environment: For a request to the service, which must accept the account; nil: without one.
    package func run(verifyingIn environment: ServiceEnvironment? = nil) async throws(AgentRequest.Failure) -> [String]
    {
        try await check(checksToken: environment != nil)
        if let environment { try await verify(in: environment) }
        do {
            let target = PrivateFile(file.path(ofAccount: account.name))
            try PrivateFile(file.path).makeDirectory()
            // A prompt of the keyring can take minutes, so the files are locked only afterwards, and read again.
            let (source, sentences) = try await storeToken(try await file.files(mayBeMissing: true))
            try target.makeDirectory()
            let isChanged = try await target.locked {
                let files = try await file.files(mayBeMissing: true)
                let new = try await adding(source, to: files)
                if let present = files.first(where: { $0.path == new.path }), token == nil, new.isSame(as: present) {
                    return false
                }
                try target.replace(with: new.text)
                return true
            }
            guard isChanged else { return [] }
            if let source { SignOutMark(source)?.remove() }
            return [done(target.path)] + sentences + (await removePrevious(source ?? account.service.token))
        } catch {
            throw failure(error)
        }
    }

    private func done(_ path: String) -> String {
        original == nil
            ? translated("Added the account \"{name}\" to {path}.", ["name": account.name, "path": path])
            : translated("Changed {path}.", ["path": path])
    }

    /// Removes what Feedbell has stored for an account that now has another source. Returns sentences for the user.
    private func removePrevious(_ source: TokenSource?) async -> [String] {
        guard let original else { return [] }
        let table = try? ConfigurationTable(original, path: account.name.accountTable)
        let before = table.flatMap { try? AccountConfiguration(name: account.name, table: $0, services: file.services) }
        if let old = before?.service.token, old != source { SignOutMark(old)?.remove() }
        let accounts = (try? await file.read())?.accounts ?? []
        let sources = accounts.compactMap(\.service.token) + [source].compactMap(\.self)
        var secrets = [StoredSecret(before?.service.token, of: account.name, in: file)].compactMap(\.self)
        secrets.removeAll { $0.isUsed(by: sources) }
        if let unused = StoredSecret(unusedOf: account.name, in: file, sources: sources), !secrets.contains(unused) {
            secrets.append(unused)
        }
        var sentences: [String] = []
        for secret in secrets {
            do throws(AgentRequest.Failure) {
                try await secret.remove(from: previous)
                sentences.append(secret.replaced)
            } catch {
                sentences.append(
                    translated("Its previous token was not removed: {reason}", ["reason": error.reason])
                )
            }
        }
        return sentences
    }

    /// The account's file, after a check that it can be added to these.
    private func adding(
        _ source: TokenSource?,
        to files: [ConfigurationLayers.File],
        isComplete: Bool = true
    ) async throws(Configuration.AdditionFailure) -> ConfigurationLayers.File {
        var account = account
        if let source { account.service.token = source }
        let text: String
        do {
            text =
                try original.map { (original) throws(ConfigurationError) in
                    try account.toml(replacing: original, services: file.services)
                } ?? account.toml
        } catch {
            throw .configuration(error)
        }
        let new = ConfigurationLayers.File(.account, path: file.path(ofAccount: account.name), text: text)
        let specifiers = await file.specifiers(of: files)
        try Configuration.check(
            adding: account,
            in: new,
            to: files,
            replaces: original != nil,
            isComplete: isComplete,
            specifiers: specifiers,
            services: file.services
        )
        return new
    }

    /// Stores the token, after checking that the account can be added. Returns its source and a sentence for the user.
    private func storeToken(_ files: [ConfigurationLayers.File]) async throws -> (TokenSource?, [String]) {
        guard let token else { return (nil, []) }
        let item = TokenItem(account: account.name)
        let path = file.tokenPath(ofAccount: account.name)
        _ = try await adding(.secret(item.attributes), to: files)
        _ = try await adding(.file(path), to: files)
        var reason = ""
        if let service {
            switch await failure(of: service, storing: token, as: item) {
            case nil:
                let sentence = translated(
                    "Stored its token in the Secret Service as \"{label}\".",
                    ["label": item.label]
                )
                return (.secret(item.attributes), [sentence])
            case .some(let error) where error == .noService || error == .noEncryption: reason = "\(error)"
            case .some(let error): throw error
            }
        }
        let file = PrivateFile(path)
        try file.makeDirectory()
        try file.replace(with: token + "\n")
        let sentence = translated("Stored its token in {path}, readable only by you.", ["path": path])
        return (.file(path), [translatedParagraph([reason.isEmpty ? nil : reason, sentence])])
    }

    private func failure(
        of service: SecretService,
        storing token: String,
        as item: TokenItem
    ) async -> SecretServiceError? {
        do {
            try await service.store(Array(token.utf8), label: item.label, attributes: item.allAttributes)
            return nil
        } catch {
            return error
        }
    }
}

extension ConfigurationLayers.File {
    /// Whether both have the same values, whatever their comments and format.
    fileprivate func isSame(as other: Self) -> Bool {
        let documents = [self, other].map { try? TOMLNode.parse($0.text, file: $0.path).document }
        return documents[0] != nil && documents[0] == documents[1]
    }
}
