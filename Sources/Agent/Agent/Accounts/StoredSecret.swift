import AgentInterface
import Glibc
import VisibleText

/// Where Feedbell has stored the secret of an account.
enum StoredSecret: Equatable, Sendable {
    case item(TokenItem)
    case signIn(SignInItem)
    case file(String)

    /// nil: Feedbell has not stored it.
    init?(_ source: TokenSource?, of account: String, in file: ConfigurationFile) {
        switch source {
        case .secret(let attributes) where attributes == TokenItem(account: account).attributes:
            self = .item(TokenItem(account: account))
        case .backend(let backend): self = .signIn(SignInItem(account: backend.account))
        case .file(let path)
        where path == file.tokenPath(ofAccount: account)
            || path == "\(PrivateFile(file.path).directory)/tokens/\(account.fileName)":
            self = .file(path)
        default: return nil
        }
    }

    /// The token's file of an account, if none of the sources is this file: the account has got another source, or had
    /// one when an earlier version added it.
    init?(unusedOf account: String, in file: ConfigurationFile, sources: [TokenSource]) {
        let path = file.tokenPath(ofAccount: account)
        self = .file(path)
        if FileIdentity(path: path) == nil || isUsed(by: sources) { return nil }
    }

    /// Whether one of the sources is this one.
    func isUsed(by sources: [TokenSource]) -> Bool {
        switch self {
        case .item(let item): return sources.contains(.secret(item.attributes))
        case .signIn(let item): return sources.contains { $0.backend?.account == item.account }
        case .file(let path):
            let identity = FileIdentity(path: path)
            return sources.contains { source in
                guard case .file(let used) = source else { return false }
                return used == path || identity != nil && FileIdentity(path: used) == identity
            }
        }
    }

    /// Whether the secret is stored.
    ///
    /// - Parameter service: The Secret Service; nil: there is none.
    func exists(in service: SecretService?) async throws(AgentRequest.Failure) -> Bool {
        do throws(SecretServiceError) {
            switch self {
            case .file(let path): return access(path, F_OK) == 0
            case .item(let item):
                guard let service else { throw .noService }
                return try await service.contains(item.attributes)
            case .signIn(let item): return try await service?.contains(item.attributes) ?? false
            }
        } catch {
            // Without a keyring a sign-in was not kept.
            if error == .noService, case .signIn = self { return false }
            throw .secretService(error)
        }
    }

    /// - Parameter service: The Secret Service; nil: there is none.
    func remove(from service: SecretService?) async throws(AgentRequest.Failure) {
        switch self {
        case .file(let path):
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .unwritable("Cannot remove \(path): \(String(cString: strerror(errno))).")
            }
        case .item(let item):
            guard let service else { throw .secretService(.noService) }
            try await Self.remove(item.attributes, from: service)
        case .signIn(let item):
            // Without one it was not kept.
            if let service { try await Self.remove(item.attributes, from: service) }
        }
    }

    private static func remove(
        _ attributes: [String: String],
        from service: SecretService
    ) async throws(AgentRequest.Failure) {
        do throws(SecretServiceError) { try await service.remove(attributes) } catch { throw .secretService(error) }
    }

    /// The label of its item in the Secret Service; empty: it is a file.
    private var label: String {
        switch self {
        case .file: ""
        case .item(let item): item.label
        case .signIn(let item): item.label
        }
    }

    /// The sentence after the removal of an account's secret.
    var removed: String {
        switch self {
        case .file(let path): translated("Removed its secret, {path}.", ["path": path])
        case .item, .signIn:
            translated("Removed its secret from the Secret Service, \"{label}\".", ["label": label])
        }
    }

    /// The sentence after the removal of a secret that another one has replaced.
    var replaced: String {
        switch self {
        case .file(let path): translated("Removed its previous token, {path}.", ["path": path])
        case .item, .signIn:
            translated("Removed its previous token from the Secret Service, \"{label}\".", ["label": label])
        }
    }
}
