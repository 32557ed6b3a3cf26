package import AgentInterface

/// Replaces the token of a configured account at its source: in the Secret Service, or in its file. The present token
/// stays until the service has accepted the new one.
package struct TokenReplacement: Sendable {
    private let account: AccountConfiguration
    private let source: TokenSource

    /// Throws if the token of this account cannot be replaced.
    package init(account name: String, in file: ConfigurationFile) async throws(AgentRequest.Failure) {
        let accounts: [AccountConfiguration]
        do { accounts = try await file.read().accounts } catch { throw .configuration(error) }
        guard let account = accounts.first(where: { $0.name == name }) else {
            throw .invalid(ConfiguredAccount.unknown(name, among: accounts))
        }
        guard let source = account.service.token else {
            throw .invalid(
                "The account \"\(name)\" uses no token. Add token_secret = true to [\(name.accountTable)]."
            )
        }
        if source.backend != nil {
            throw .invalid("\"\(name)\" signs in with the browser: \(TokenBackend.command(account: name))")
        }
        guard source.isReplaceable(of: name) else {
            throw .invalid("The token of \"\(name)\" is not stored by Feedbell. \(source.cure(account: name))")
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
    ) async throws(AgentRequest.Failure) -> [String] {
        do { try account.service.check(token: token) } catch {
            throw AgentRequest.Failure(.invalidInput, error.sentence)
        }
        if let environment { try await verify(token, in: environment) }
        let title = type(of: account.service).description.title
        let stored = try await store(token, service)
        SignOutMark(source)?.remove()
        return (environment == nil ? [] : ["\(title) accepts the token."]) + [stored]
    }

    private func verify(_ token: String, in environment: ServiceEnvironment) async throws(AgentRequest.Failure) {
        var (service, environment) = (account.service, environment)
        let item = TokenItem(account: account.name)
        service.token = .secret(item.attributes)
        environment.keyring = Keyring(holding: token, of: item.attributes)
        let findings = await service.examine(account: account.name, .credentials, environment).findings
        switch AccountVerdict(findings, isTokenStored: false) {
        case .accepted: return
        case .refused(let sentences, _): throw Self.kept(.refused, sentences)
        case .unverified(let sentences):
            let advice = "To replace it without a request to the service, use --no-verify."
            throw Self.kept(.unavailable, sentences, advice)
        }
    }

    private func store(_ token: String, _ service: SecretService?) async throws(AgentRequest.Failure) -> String {
        if case .file(let path) = source {
            do throws(PrivateFile.Failure) { try PrivateFile(path).replace(with: token + "\n") } catch {
                throw .unwritable(error.description)
            }
            return "Stored it in \(path), readable only by you."
        }
        let item = TokenItem(account: account.name)
        do throws(SecretServiceError) {
            guard let service else { throw .noService }
            try await service.store(Array(token.utf8), label: item.label, attributes: item.allAttributes)
        } catch {
            throw Self.kept(.init(error), "\(error)")
        }
        return "Stored it in the Secret Service as \"\(item.label)\"."
    }

    /// The failure with which the present token was kept.
    private static func kept(
        _ kind: AgentRequest.Failure.Kind,
        _ sentences: String,
        _ advice: String? = nil
    ) -> AgentRequest.Failure {
        let reason = "\(sentences) The present token was kept."
        return AgentRequest.Failure(kind, reason, sentences: advice.map { "\(reason) \($0)" })
    }
}
