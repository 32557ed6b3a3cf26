import Basics

/// The company's backend that gives an account's token to whom its authorization server lets in.
package struct TokenBackend: Hashable, Sendable {
    /// The account whose sign-in it is.
    package var account: String
    /// What it gives.
    package var kind: BackendToken.Kind
    package var url: String
    package var signIn: SignInConfiguration

    package init(account: String, kind: BackendToken.Kind, url: String, signIn: SignInConfiguration) {
        self.account = account
        self.kind = kind
        self.url = url
        self.signIn = signIn
    }

    /// Host and port, for sentences.
    package var host: String { BackendToken.host(of: url) }

    /// Host and port of the server to sign in to, for sentences.
    package var serverHost: String { signIn.client.issuer.host }

    /// The command that starts a sign-in.
    package static func command(account: String) -> String { "feedbell accounts sign-in \(account.shellQuoted)" }
}

extension TokenBackend {
    /// The key of the table that says how the user signs in.
    static var signInKey: String { "sign_in" }

    /// Reads the address of tokens; nil: the account has none.
    ///
    /// - Parameter name: The beginning of the key of the address.
    init?(_ table: inout ConfigurationTable, named name: String, account: String) throws(ConfigurationError) {
        let key = "\(name)_url"
        let url = try table.string(key)
        if let url { try table.checkURL(url, key) }
        // It may be that of a preset whose address the user has replaced by another source.
        let signIn = try table.node(Self.signInKey).map { (node) throws(ConfigurationError) in
            try SignInConfiguration(try ConfigurationTable(node, path: table.name(Self.signInKey)))
        }
        guard let url else { return nil }
        guard let signIn else {
            throw table.error(
                key,
                "\"\(table.name(key))\" needs [\(table.name(Self.signInKey))], which says where to sign in. "
                    + "Add it, with issuer and client_id."
            )
        }
        self.init(account: account, kind: BackendToken.Kind(named: name), url: url, signIn: signIn)
    }
}

extension BackendToken.Kind {
    /// What a key gives.
    ///
    /// - Parameter name: The beginning of the key.
    fileprivate init(named name: String) {
        self = name.hasSuffix("token") ? .userToken : Self(member: name, maximumLength: 1 << 10)
    }
}
