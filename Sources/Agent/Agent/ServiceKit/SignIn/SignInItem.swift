/// The item of the Secret Service that keeps the sign-in of an account.
package struct SignInItem: Equatable, Sendable {
    package var account: String

    /// The label that keyring programs show.
    package var label: String { "Feedbell: \(account) (sign-in)" }

    /// The attributes to search for. Without the account's own, which would also find the item of its token.
    package var attributes: [String: String] { ["application": "org.feedbell.Agent", "sign-in": account] }

    /// The attributes to create it with.
    var allAttributes: [String: String] { attributes.merging(["xdg:schema": "org.feedbell.SignIn"]) { $1 } }
}

/// Keeps sign-ins in the session's Secret Service.
struct SignInKeyring: SignInStorage {
    let item: SignInItem
    let keyring: Keyring

    func load() async throws(OAuthError) -> StoredSignIn? {
        do throws(SecretServiceError) { return StoredSignIn(try await keyring.secret(item.attributes)) } catch {
            switch error {
            case .noService where keyring.isStarting: throw OAuthError(.transient, "\(error)")
            case .ended, .service: throw OAuthError(.transient, "\(error)")
            // A sign-in that is not kept lasts until the program ends.
            case .noItem, .noService, .noEncryption: return nil
            default: throw OAuthError(.misconfigured, "\(error) \(error.remedy(of: item.attributes))")
            }
        }
    }

    func store(_ signIn: StoredSignIn) async throws(OAuthError) {
        try await withKeyring { () async throws(SecretServiceError) in
            try await keyring.store(signIn.text, label: item.label, attributes: item.allAttributes)
        }
    }

    func remove() async throws(OAuthError) {
        try await withKeyring { () async throws(SecretServiceError) in try await keyring.remove(item.attributes) }
    }

    private func withKeyring(_ body: () async throws(SecretServiceError) -> Void) async throws(OAuthError) {
        do throws(SecretServiceError) { try await body() } catch {
            throw OAuthError(.misconfigured, "\(error)")
        }
    }
}
