package import AgentInterface
import VisibleText

/// An account with the files that configure it, for commands that change it.
package struct ConfiguredAccount: Sendable {
    package let configuration: AccountConfiguration
    /// The files that have keys of it.
    package let origins: [ConfigurationLayers.File]
    let file: ConfigurationFile
    /// The sources of the secrets of all accounts.
    private let sources: [TokenSource]

    package var name: String { configuration.name }

    /// - Parameter name: The account's name.
    package init(_ name: String, in file: ConfigurationFile) async throws(AgentRequest.Failure) {
        self.file = file
        let accounts: [AccountConfiguration]
        do throws(ConfigurationError) {
            let present = try await file.presentFiles()
            let configuration = try await file.usable(present.files, without: present.unused).configuration
            if let unused = configuration.unused.first(where: { $0.fileName == name.fileName }) { throw unused.error }
            accounts = configuration.accounts
            origins = present.files.filter { Self.node(of: name, in: $0) != nil }
        } catch {
            throw .configuration(error)
        }
        guard let account = accounts.first(where: { $0.name == name }) else {
            throw .invalid(Self.unknown(name, among: accounts))
        }
        configuration = account
        sources = accounts.compactMap(\.service.token)
    }

    /// The sentences about a name that no account has.
    static func unknown(_ name: String, among accounts: [AccountConfiguration]) -> String {
        let names = accounts.map(\.name).joined(separator: ", ")
        let others =
            accounts.isEmpty
            ? "No account is configured. Add one with: feedbell accounts add" : "Configured accounts: \(names)."
        return "There is no account \"\(name)\". \(others)"
    }

    /// The account's table in a file; nil: it has none.
    static func node(of name: String, in file: ConfigurationLayers.File) -> TOMLNode? {
        let root = try? TOMLNode.parse(file.text, file: file.path)
        return root?.entries?["accounts"]?.entries?[name]
    }

    /// The table of an account that a program can change: alone in a file of accounts.d.
    package var changeableTable: TOMLNode {
        get throws(AgentRequest.Failure) {
            try refusePreset("change")
            if let other = origins.first(where: { $0.kind != .account }) {
                let place = Self.node(of: name, in: other).map { "line \($0.line)" } ?? "the account"
                throw .invalid("Programs do not change \(other.path). Edit \"\(name)\" from \(place) there.")
            }
            guard let table = origins.first.flatMap({ Self.node(of: name, in: $0) }) else {
                throw .invalid(Self.unknown(name, among: [configuration]))
            }
            return table
        }
    }

    /// Throws if a preset configures the account.
    ///
    /// - Parameter verb: What the user wants to do.
    func refusePreset(_ verb: String) throws(AgentRequest.Failure) {
        guard let preset = origins.first(where: { $0.kind == .preset }) else { return }
        throw .invalid("\(preset.path) configures \"\(name)\" for all users. Only an administrator can \(verb) it.")
    }

    // MARK: The secret

    /// nil: Feedbell has not stored it.
    var storedSecret: StoredSecret? { StoredSecret(configuration.service.token, of: name, in: file) }

    /// nil: Feedbell does not store its secret.
    var signOutMark: SignOutMark? { configuration.service.token.flatMap { SignOutMark($0) } }

    /// All secrets that Feedbell has stored for the account: the one in use, and a file with an earlier token.
    ///
    /// - Parameter service: The Secret Service; nil: there is none.
    func storedSecrets(in service: SecretService?) async throws(AgentRequest.Failure) -> [StoredSecret] {
        var secrets: [StoredSecret] = []
        for secret in [storedSecret, StoredSecret(unusedOf: name, in: file, sources: sources)].compactMap(\.self) {
            if try await secret.exists(in: service) { secrets.append(secret) }
        }
        return secrets
    }
}

/// Removes the secret of an account, which stays configured.
package struct AccountSignOut: Sendable {
    private let account: ConfiguredAccount

    /// Throws if Feedbell has not stored the secret.
    package init(_ account: ConfiguredAccount) throws(AgentRequest.Failure) {
        guard account.storedSecret != nil else {
            let reason =
                account.configuration.service.token == nil
                ? "has no secret to remove." : "has a secret that Feedbell did not store. Remove it where it is."
            throw .invalid("The account \"\(account.name)\" \(reason)")
        }
        self.account = account
    }

    /// - Parameter service: The Secret Service; nil: there is none.
    /// - Returns: Sentences for the user.
    package func run(service: SecretService?) async throws(AgentRequest.Failure) -> [String] {
        var sentences: [String] = []
        for secret in try await account.storedSecrets(in: service) {
            try await secret.remove(from: service)
            sentences.append(secret.removed)
        }
        account.signOutMark?.set()
        return sentences.isEmpty
            ? [translated("Feedbell has stored no secret for \"{name}\".", ["name": account.name])] : sentences
    }
}
