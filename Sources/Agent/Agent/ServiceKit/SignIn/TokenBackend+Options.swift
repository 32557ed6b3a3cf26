package import AgentInterface
import VisibleText

extension ServiceDescription.Option {
    /// The options of an account whose token comes from a sign-in with the browser, with labels in the user's language.
    package static var signIn: [Self] {
        [
            Self(
                "token-url",
                help: "The address of your company that gives tokens to those who signed in with the browser.",
                label: translated("Address That Gives Tokens"),
                valueName: "url",
                question: "The address that gives tokens",
                isNeeded: true
            ),
            Self(
                "issuer",
                help: "The server to sign in to, as its issuer.",
                label: translated("Address of the Server to Sign In To"),
                valueName: "url",
                question: "The address of the server to sign in to (issuer)",
                isNeeded: true
            ),
            Self(
                "client-id",
                help: "The id of Feedbell at that server.",
                label: translated("Client ID"),
                valueName: "id",
                question: "The client ID of Feedbell there",
                isNeeded: true
            ),
            Self(
                "scopes",
                help: "What to ask that server for, if not for openid and offline_access.",
                label: translated("Scopes, Separated by Spaces")
            ),
        ]
    }
}

extension TokenBackend {
    /// The backend that values of ``AgentInterface/ServiceDescription/signInOptions`` describe.
    ///
    /// - Parameters:
    ///   - values: By the keys of the options.
    ///   - name: The beginning of the key of the address.
    ///   - original: The present table of an account that is changed, whose further keys of the sign-in stay with
    ///     the same server.
    package init?(
        values: [String: String],
        named name: String,
        account: String,
        changing original: TOMLNode? = nil
    ) throws(ConfigurationError) {
        guard let url = values["token_url"] else { return nil }
        func node(_ value: TOMLNode.Value) -> TOMLNode { TOMLNode(value, file: "the options", line: 1) }
        var signIn = original?.entries?[Self.signInKey]?.entries ?? [:]
        // Another server must not get the keys of this one, such as a client's secret.
        if signIn["issuer"]?.text != values["issuer"] { signIn = [:] }
        for key in ["issuer", "client_id"] { signIn[key] = values[key].map { node(.string($0)) } }
        let scopes = values["scopes"]?.split(separator: " ").map { node(.string(String($0))) }
        signIn["scopes"] = scopes.map { node(.array($0)) }
        let entries = [Self.signInKey: node(.table(signIn)), "\(name)_url": node(.string(url))]
        var table = try ConfigurationTable(node(.table(entries)), path: account.accountTable)
        try self.init(&table, named: name, account: account)
    }

    /// The values of the options that describe it, by name.
    ///
    /// - Parameters:
    ///   - name: The beginning of the key of the address.
    ///   - table: The entries of the account's table.
    package static func values(named name: String, in table: [String: TOMLNode]) -> [String: String] {
        let signIn = table[signInKey]?.entries ?? [:]
        var values: [String: String] = [:]
        values["token-url"] = table["\(name)_url"]?.text
        values["issuer"] = signIn["issuer"]?.text
        values["client-id"] = signIn["client_id"]?.text
        if case .array(let scopes)? = signIn["scopes"]?.value {
            values["scopes"] = scopes.compactMap(\.text).joined(separator: " ")
        }
        return values
    }
}
