package import Desktop
package import ServiceKit

/// Adds an account to the configuration, in a file of its own, and stores its token in the Secret Service or in a
/// separate file. Also changes such an account.
package struct AccountAddition: Sendable {
    /// Why nothing was added, with the exit code.
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// An option, the token or the account's name is invalid.
        case rejected(String)
        case configuration(ConfigurationError)
        case unwritable(String)
        case secretService(SecretServiceError)
        /// A text is no token of the service.
        case invalidToken(String)
        /// The service refuses the credentials, for this reason; `options`: one of these options has the wrong value.
        case refused(String, options: [String])
        /// The service did not answer, for this reason.
        case unverified(String)

        init(_ error: any Error) {
            switch error {
            case Configuration.AdditionFailure.rejected(let sentence): self = .rejected(sentence)
            case Configuration.AdditionFailure.configuration(let error): self = .configuration(error)
            case let error as ConfigurationError: self = .configuration(error)
            case let error as PrivateFile.Failure: self = .unwritable(error.description)
            case let error as SecretServiceError: self = .secretService(error)
            default: self = .unwritable("\(error)")
            }
        }

        /// The reason, without what happened to the account.
        package var reason: String {
            switch self {
            case .rejected(let sentence), .unwritable(let sentence), .invalidToken(let sentence): sentence
            case .configuration(let error): error.description
            case .secretService(let error): "\(error)"
            case .refused(let sentences, _), .unverified(let sentences): sentences
            }
        }

        package var description: String {
            switch self {
            case .rejected, .unwritable, .configuration: reason
            case .secretService:
                "\(reason) Nothing was added. To store the token in a file, use --no-secret-service."
            case .refused, .invalidToken: "\(reason) Nothing was added."
            case .unverified:
                "\(reason) Nothing was added. "
                    + "To add the account without a request to the service, use --no-verify."
            }
        }

        /// The options of which one has a wrong value, `token` for the token; empty: unknown.
        package var options: [String] {
            switch self {
            case .invalidToken: ["token"]
            case .secretService: ["no-secret-service"]
            case .refused(_, let options): options
            default: []
            }
        }

        /// Whether the service did not answer.
        package var isUnverified: Bool {
            if case .unverified = self { true } else { false }
        }

        /// 64 invalid options (`EX_USAGE`), 65 an invalid token (`EX_DATAERR`), 69 the service did not answer
        /// (`EX_UNAVAILABLE`), 73 cannot write a file (`EX_CANTCREAT`), 77 the service refuses the credentials, or the
        /// keyring is locked or failed (`EX_NOPERM`), 78 the configuration is invalid (`EX_CONFIG`).
        package var exitCode: Int32 {
            switch self {
            case .rejected: 64
            case .invalidToken: 65
            case .unverified: 69
            case .unwritable: 73
            case .refused, .secretService: 77
            case .configuration: 78
            }
        }
    }

    private let file: ConfigurationFile
    private let account: AccountConfiguration
    private let token: String?
    private let service: SecretService?
    /// The present table of an account that changes; nil: it is added.
    private let original: TOMLNode?

    /// - Parameters:
    ///   - account: The account to add. With a `token`, its token source is set here.
    ///   - original: The present table of an account that is changed; nil: it is added.
    ///   - token: The token to store.
    ///   - service: The Secret Service to store it in; nil: a file.
    package init(
        _ account: AccountConfiguration,
        to file: ConfigurationFile,
        replacing original: TOMLNode? = nil,
        token: String? = nil,
        service: SecretService? = nil
    ) {
        self.file = file
        self.account = account
        self.original = original
        self.token = token
        self.service = service
    }

    /// Checks the values, the token file, and that the account can be added to the configuration. Stores nothing.
    ///
    /// - Parameters:
    ///   - isNamed: Whether the account has its final name; false: its name is not checked.
    ///   - checksToken: Whether the form of the token is checked, too.
    package func check(isNamed: Bool = true, checksToken: Bool = false) async throws(Failure) {
        do {
            let files = try await file.files(mayBeMissing: true)
            _ = try Configuration(try await file.layers(of: files), services: file.services)
            _ = try await adding(nil, to: isNamed ? files : [])
        } catch {
            throw Failure(error)
        }
        do { try account.service.check() } catch { throw .rejected(error.sentence) }
        if case .file(let path)? = account.service.token { try await Self.check(tokenFile: path) }
        guard checksToken, let token else { return }
        do { try account.service.check(token: token) } catch { throw .invalidToken(error.sentence) }
    }

    private static func check(tokenFile path: String) async throws(Failure) {
        let text: String
        do { text = try await TokenReader.contents(of: path) } catch { throw .rejected(error.description) }
        guard case .token = TokenText(text) else {
            let remedy = "Its first line must be the token, without spaces."
            throw .rejected("\"\(path)\" (token_file) contains no valid token. \(remedy)")
        }
    }

    /// Whether the service accepts the account with the given token. Throws if not.
    private func verify(in environment: ServiceEnvironment) async throws(Failure) {
        var (service, environment) = (account.service, environment)
        if let token {
            let item = TokenItem(account: account.name)
            service.token = .secret(item.attributes)
            environment.keyring = Keyring(holding: token, of: item.attributes)
        }
        let findings = await service.examine(account: account.name, .credentials, environment).findings
        switch AccountVerdict(findings, isTokenStored: token == nil) {
        case .accepted: return
        case .refused(let sentences, let options): throw .refused(sentences, options: options)
        case .unverified(let sentences): throw .unverified(sentences)
        }
    }

    /// Adds the account completely or not at all. Returns sentences for the user that describe the result.
    ///
    /// - Parameter environment: For a request to the service, which must accept the account; nil: without one.
    package func run(verifyingIn environment: ServiceEnvironment? = nil) async throws(Failure) -> [String] {
        try await check(checksToken: environment != nil)
        if let environment { try await verify(in: environment) }
        do {
            let target = PrivateFile(file.path(ofAccount: account.name))
            try PrivateFile(file.path).makeDirectory()
            // A prompt of the keyring can take minutes, so the files are locked only afterwards, and read again.
            let (source, sentences) = try await storeToken(try await file.files(mayBeMissing: true))
            try target.makeDirectory()
            return try await target.locked {
                let new = try await adding(source, to: try await file.files(mayBeMissing: true))
                try target.replace(with: new.text)
                let verb = original == nil ? "Added the account \"\(account.name)\" to" : "Changed"
                return ["\(verb) \(target.path)."] + sentences
            }
        } catch {
            throw Failure(error)
        }
    }

    /// The account's file, after a check that it can be added to these.
    private func adding(
        _ source: TokenSource?,
        to files: [ConfigurationLayers.File]
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
                return (.secret(item.attributes), ["Stored its token in the Secret Service as \"\(item.label)\"."])
            case .some(let error) where error == .noService || error == .noEncryption: reason = "\(error) "
            case .some(let error): throw error
            }
        }
        let file = PrivateFile(path)
        try file.makeDirectory()
        try file.replace(with: token + "\n")
        return (.file(path), ["\(reason)Stored its token in \(path), readable only by you."])
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
