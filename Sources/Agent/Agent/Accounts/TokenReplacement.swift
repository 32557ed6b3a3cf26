package import AgentInterface

/// Replaces the token of a configured account at its source: in the Secret Service, or in its file. The present token
/// stays until the service has accepted the new one.
package struct TokenReplacement: Sendable {
    /// Why the present token was kept.
    package enum Failure: RequestError, Equatable, Sendable {
        /// There is no such account, or its token is not stored by Feedbell.
        case impossible(String)
        /// The text is no token.
        case malformed(String)
        /// The service refuses the token, for this reason.
        case refused(String)
        /// The service did not answer, for this reason.
        case unverified(String)
        case configuration(ConfigurationError)
        case unwritable(String)
        case secretService(SecretServiceError)

        package var sentences: String {
            switch self {
            case .unverified: "\(reason) To replace it without a request to the service, use --no-verify."
            default: reason
            }
        }

        /// The reason, and what happened to the token.
        package var reason: String {
            switch self {
            case .impossible(let sentence), .malformed(let sentence): sentence
            case .refused(let sentences), .unverified(let sentences): "\(sentences) The present token was kept."
            case .configuration(let error): error.description
            case .unwritable(let sentence): sentence
            case .secretService(let error): "\(error) The present token was kept."
            }
        }

        package var kind: AgentRequest.Failure.Kind {
            switch self {
            case .impossible: .invalidValue
            case .malformed: .invalidInput
            case .unverified, .secretService(.noService), .secretService(.noEncryption): .unavailable
            case .unwritable: .unwritable
            case .refused, .secretService: .refused
            case .configuration: .invalidConfiguration
            }
        }
    }

    private let account: AccountConfiguration
    private let source: TokenSource

    /// Throws if the token of this account cannot be replaced.
    package init(account name: String, in file: ConfigurationFile) async throws(Failure) {
        let accounts: [AccountConfiguration]
        do { accounts = try await file.read().accounts } catch { throw .configuration(error) }
        guard let account = accounts.first(where: { $0.name == name }) else {
            throw .impossible(ConfiguredAccount.unknown(name, among: accounts))
        }
        guard let source = account.service.token else {
            throw .impossible(
                "The account \"\(name)\" uses no token. Add token_secret = true to [\(name.accountTable)]."
            )
        }
        if source.backend != nil {
            throw .impossible("\"\(name)\" signs in with the browser: \(TokenBackend.command(account: name))")
        }
        guard source.isReplaceable(of: name) else {
            throw .impossible("The token of \"\(name)\" is not stored by Feedbell. \(source.cure(account: name))")
        }
        self.account = account
        self.source = source
    }

    /// Replaces the token, and returns sentences for the user.
    ///
    /// - Parameters:
    ///   - service: The Secret Service; nil: there is none.
    ///   - environment: For a request to the account's service, which must accept the token; nil: without one.
    package func run(
        _ token: String,
        service: SecretService?,
        verifyingIn environment: ServiceEnvironment?
    ) async throws(Failure) -> [String] {
        do { try account.service.check(token: token) } catch { throw .malformed(error.sentence) }
        if let environment { try await verify(token, in: environment) }
        let title = type(of: account.service).description.title
        let stored = try await store(token, service)
        SignOutMark(source)?.remove()
        return (environment == nil ? [] : ["\(title) accepts the token."]) + [stored]
    }

    private func verify(_ token: String, in environment: ServiceEnvironment) async throws(Failure) {
        var (service, environment) = (account.service, environment)
        let item = TokenItem(account: account.name)
        service.token = .secret(item.attributes)
        environment.keyring = Keyring(holding: token, of: item.attributes)
        let findings = await service.examine(account: account.name, .credentials, environment).findings
        switch AccountVerdict(findings, isTokenStored: false) {
        case .accepted: return
        case .refused(let sentences, _): throw .refused(sentences)
        case .unverified(let sentences): throw .unverified(sentences)
        }
    }

    private func store(_ token: String, _ service: SecretService?) async throws(Failure) -> String {
        if case .file(let path) = source {
            do throws(PrivateFile.Failure) { try PrivateFile(path).replace(with: token + "\n") } catch {
                throw .unwritable(error.description)
            }
            return "Stored it in \(path), readable only by you."
        }
        let item = TokenItem(account: account.name)
        guard let service else { throw .secretService(.noService) }
        do throws(SecretServiceError) {
            try await service.store(Array(token.utf8), label: item.label, attributes: item.allAttributes)
        } catch {
            throw .secretService(error)
        }
        return "Stored it in the Secret Service as \"\(item.label)\"."
    }
}
