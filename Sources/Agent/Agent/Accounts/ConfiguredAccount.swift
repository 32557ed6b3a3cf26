import Basics
package import Desktop
import Glibc
package import ServiceKit

/// An account with the files that configure it, for commands that change it.
package struct ConfiguredAccount: Sendable {
    package let configuration: AccountConfiguration
    /// The files that have keys of it.
    package let origins: [ConfigurationLayers.File]
    let file: ConfigurationFile

    package var name: String { configuration.name }

    /// - Parameter name: The account's name.
    package init(_ name: String, in file: ConfigurationFile) async throws(AccountChangeFailure) {
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
            throw .impossible(Self.unknown(name, among: accounts))
        }
        configuration = account
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
        get throws(AccountChangeFailure) {
            if let other = origins.first(where: { $0.kind != .account }) {
                let place = Self.node(of: name, in: other).map { "line \($0.line)" } ?? "the account"
                throw .impossible("Programs do not change \(other.path). Edit \"\(name)\" from \(place) there.")
            }
            guard let table = origins.first.flatMap({ Self.node(of: name, in: $0) }) else {
                throw .impossible(Self.unknown(name, among: [configuration]))
            }
            return table
        }
    }

    // MARK: The secret

    /// Where Feedbell has stored the account's secret.
    enum StoredSecret {
        case item(TokenItem)
        case file(String)
    }

    /// nil: Feedbell has not stored it.
    var storedSecret: StoredSecret? {
        switch configuration.service.token {
        case .secret(let attributes) where attributes == TokenItem(account: name).attributes:
            .item(TokenItem(account: name))
        case .file(let path)
        where path == file.tokenPath(ofAccount: name)
            || path == "\(PrivateFile(file.path).directory)/tokens/\(name.fileName)":
            .file(path)
        default: nil
        }
    }

    /// Removes the secret from where Feedbell has stored it, and returns a sentence for the user.
    ///
    /// - Parameter service: The Secret Service; nil: there is none.
    func remove(_ secret: StoredSecret, from service: SecretService?) async throws(AccountChangeFailure) -> String {
        switch secret {
        case .file(let path):
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .unwritable("Cannot remove \(path): \(String(cString: strerror(errno))).")
            }
            return "Removed its secret, \(path)."
        case .item(let item):
            guard let service else { throw .secretService(.noService) }
            do throws(SecretServiceError) {
                try await service.remove(item.attributes)
            } catch {
                throw .secretService(error)
            }
            return "Removed its secret from the Secret Service, \"\(item.label)\"."
        }
    }
}

/// Removes the secret of an account, which stays configured.
package struct AccountSignOut: Sendable {
    private let account: ConfiguredAccount
    private let secret: ConfiguredAccount.StoredSecret

    /// Throws if Feedbell has not stored the secret.
    package init(_ account: ConfiguredAccount) throws(AccountChangeFailure) {
        guard let secret = account.storedSecret else {
            let reason =
                account.configuration.service.token == nil
                ? "has no secret to remove." : "has a secret that Feedbell did not store. Remove it where it is."
            throw .impossible("The account \"\(account.name)\" \(reason)")
        }
        self.account = account
        self.secret = secret
    }

    /// - Parameter service: The Secret Service; nil: there is none.
    /// - Returns: Sentences for the user.
    package func run(service: SecretService?) async throws(AccountChangeFailure) -> [String] {
        [try await account.remove(secret, from: service)]
    }
}
