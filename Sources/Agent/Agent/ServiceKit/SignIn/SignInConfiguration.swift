import ClientKit

/// How the user of an account signs in with the browser: the table `[accounts.NAME.sign_in]`.
package struct SignInConfiguration: Hashable, Sendable {
    package var client: ClientRegistration
    /// The port of the redirect URI on this computer; 0: any that is free.
    package var redirectPort: Int
    /// The name of this computer in the redirect URI.
    package var redirectHost: String
    /// The user's name at the server; nil: unknown.
    package var loginHint: String?

    package init(
        client: ClientRegistration,
        redirectPort: Int = 0,
        redirectHost: String = Self.defaultHost,
        loginHint: String? = nil
    ) {
        self.client = client
        self.redirectPort = redirectPort
        self.redirectHost = redirectHost
        self.loginHint = loginHint
    }

    package static var defaultHost: String { "127.0.0.1" }
}

extension SignInConfiguration {
    /// Reads the whole table.
    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        let text = try table.requiredString("issuer")
        try table.checkURL(text, "issuer")
        guard let issuer = try? Issuer(text) else { throw table.error("issuer", "\(text) is no issuer.") }
        client = ClientRegistration(
            issuer: issuer,
            clientID: try table.requiredString("client_id"),
            clientSecret: try table.string("client_secret"),
            scopes: try table.scopes("scopes"),
            parameters: try table.parameters("parameters")
        )
        redirectPort = try table.integer("redirect_port", in: 1024...65535) ?? 0
        redirectHost = try table.choice("redirect_host", of: [Self.defaultHost, "localhost"]) ?? Self.defaultHost
        loginHint = try table.string("login_hint")
        try table.finish()
    }

    /// As the value of a key, in TOML.
    var inlineTable: String {
        var pairs = ConfigurationTable.pairs([
            "issuer": client.issuer.text, "client_id": client.clientID, "client_secret": client.clientSecret,
        ])
        if client.scopes != ClientRegistration.defaultScopes {
            pairs.append(("scopes", "[\(client.scopes.map(\.tomlString).joined(separator: ", "))]"))
        }
        if redirectPort != 0 { pairs.append(("redirect_port", "\(redirectPort)")) }
        pairs += ConfigurationTable.pairs([
            "redirect_host": redirectHost == Self.defaultHost ? nil : redirectHost, "login_hint": loginHint,
        ])
        if !client.parameters.isEmpty {
            let parameters = client.parameters.map { "\($0.name.tomlKey) = \($0.value.tomlString)" }
            pairs.append(("parameters", "{ \(parameters.joined(separator: ", ")) }"))
        }
        return "{ \(pairs.map { "\($0) = \($1)" }.joined(separator: ", ")) }"
    }
}

extension ConfigurationTable {
    /// Throws unless a text is an https URL, or an http URL of this computer. It stays as it is: a slash at its end may
    /// be a part of it.
    func checkURL(_ text: String, _ key: String) throws(ConfigurationError) {
        do throws(BaseURL.Problem) { _ = try BaseURL.normal(text, schemes: ["https", "http"]) } catch {
            throw self.error(key, "\"\(name(key))\" is invalid. \(error.sentence(about: text, of: name(key)))")
        }
    }

    fileprivate mutating func scopes(_ key: String) throws(ConfigurationError) -> [String] {
        guard let scopes = try strings(key) else { return ClientRegistration.defaultScopes }
        // RFC 6749 §3.3.
        let isValid = scopes.allSatisfy { scope in
            !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        }
        guard isValid else { throw error(key, "\"\(name(key))\" has a text that cannot be a scope.") }
        return scopes
    }

    fileprivate mutating func parameters(
        _ key: String
    ) throws(ConfigurationError) -> [ClientRegistration.Parameter] {
        guard let node = node(key) else { return [] }
        var table = try ConfigurationTable(node, path: name(key))
        var parameters: [ClientRegistration.Parameter] = []
        for key in table.keys.sorted() {
            if ClientRegistration.reservedParameters.contains(key) {
                throw table.error(key, "\"\(table.name(key))\" belongs to the sign-in itself. Remove it.")
            }
            parameters.append(ClientRegistration.Parameter(key, try table.requiredString(key)))
        }
        return parameters
    }
}
