import Basics

/// Where an account's token comes from.
package enum TokenSource: Equatable, Sendable {
    /// A command and its arguments; the first line it prints is the token.
    case command([String])
    /// A file; its first line is the token.
    case file(String)
    /// The one item of the Secret Service that has these attributes; its first line is the token.
    case secret([String: String])
    /// A credential that systemd passes to the agent's unit, by its name; its first line is the token.
    case credential(String)
    /// The company's backend, which gives tokens to those who have signed in with the browser.
    case backend(TokenBackend)
}

extension TokenSource {
    /// The source named in an account's table; at most one may be.
    ///
    /// - Parameters:
    ///   - name: The beginning of its keys, `token` for `token_command`, `token_file`, `token_secret`,
    ///     `token_credential` and `token_url`: a service may have several secrets.
    ///   - service: For examples.
    package init?(
        _ table: inout ConfigurationTable,
        named name: String = "token",
        account: String,
        service: String
    ) throws(ConfigurationError) {
        let keys = ["\(name)_command", "\(name)_file", "\(name)_secret", "\(name)_credential", "\(name)_url"]
        let command = try table.strings(keys[0])
        let file = try table.string(keys[1])
        let attributes = try table.attributes(keys[2], account: account, service: service)
        let credential = try table.credential(keys[3])
        let backend = try TokenBackend(&table, named: name, account: account)
        let given = keys.filter(table.contains)
        guard given.count < 2 else {
            throw table.error(
                given[1],
                "[\(table.path)] names more than one source of its \(name.replacing("_", with: " ")). "
                    + "Keep one of \(given.joined(separator: ", "))."
            )
        }
        if var command {
            guard let program = command.first, !program.isEmpty else {
                let example = "[\"pass\", \"\(service)/work\"]"
                let problem = "\"\(table.name(keys[0]))\" must name a program, such as \(example)."
                throw table.error(keys[0], problem)
            }
            command[0] = try table.expandHome(program, of: keys[0])
            self = .command(command)
        } else if let file {
            self = .file(try table.expandHome(file, of: keys[1]))
        } else if let attributes {
            self = .secret(attributes)
        } else if let credential {
            self = .credential(credential)
        } else if let backend {
            self = .backend(backend)
        } else {
            return nil
        }
    }
}

extension TokenSource {
    /// As a key of the account's table, with its value in TOML.
    package func pair(named name: String = "token", account: String) -> (key: String, value: String) {
        switch self {
        case .command(let words): ("\(name)_command", "[\(words.map(\.tomlString).joined(separator: ", "))]")
        case .file(let path): ("\(name)_file", path.tomlString)
        case .credential(let credential): ("\(name)_credential", credential.tomlString)
        case .backend(let backend): ("\(name)_url", backend.url.tomlString)
        case .secret(TokenItem(account: account).attributes): ("\(name)_secret", "true")
        case .secret(let attributes):
            (
                "\(name)_secret",
                "{ "
                    + attributes.sorted { $0.key < $1.key }.map { "\($0.key.tomlKey) = \($0.value.tomlString)" }
                    .joined(separator: ", ") + " }"
            )
        }
    }
}

extension TokenSource {
    /// As keys of the account's table, with their values in TOML.
    package func pairs(named name: String = "token", account: String) -> [(key: String, value: String)] {
        let pair = pair(named: name, account: account)
        guard case .backend(let backend) = self else { return [pair] }
        return [pair, (TokenBackend.signInKey, backend.signIn.inlineTable)]
    }

    /// The backend that gives the token to whom has signed in; nil: it has another source.
    package var backend: TokenBackend? { if case .backend(let backend) = self { backend } else { nil } }

    /// Whether `feedbell accounts token` can write a new token to it: to a file, or to the item that Feedbell creates.
    package func isReplaceable(of account: String) -> Bool {
        switch self {
        case .file: true
        case .secret(let attributes): attributes == TokenItem(account: account).attributes
        case .command, .credential, .backend: false
        }
    }

    /// Advice to the user when the service refuses the token, not translated.
    ///
    /// - Parameters:
    ///   - name: The beginning of the source's key.
    ///   - account: The account's name.
    package func cure(named name: String = "token", account: String) -> String {
        switch self {
        case _ where isReplaceable(of: account): "Store a new one: \(Self.command(account: account))"
        case .file(let path): "Write a new one to \(path), then run: feedbell reconnect"
        case .secret: "Store a new one in the keyring, then run: feedbell reconnect"
        case .command(let words):
            "Store a new one where \"\(words[0])\" (\(name)_command) takes it from, then run: feedbell reconnect"
        case .credential(let credential):
            "Replace the source of the credential \"\(credential)\", then run: systemctl --user restart feedbell"
        case .backend(let backend): "\(backend.host) gave it: ask your administrator."
        }
    }

    /// The command that stores a new token of an account.
    package static func command(account: String) -> String { "feedbell accounts token \(account.shellQuoted)" }
}

extension ConfigurationTable {
    /// The name of a credential.
    fileprivate mutating func credential(_ key: String) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        guard CredentialsDirectory.isName(text) else {
            let problem = "\"\(name(key))\" must be the name of a credential of the agent's unit, such as \"work\"."
            throw error(key, problem)
        }
        return text
    }

    /// The attributes of an item of the Secret Service: `true` for those of the item that Feedbell makes, or a table.
    fileprivate mutating func attributes(
        _ key: String,
        account: String,
        service: String
    ) throws(ConfigurationError) -> [String: String]? {
        guard let node = node(key) else { return nil }
        let example = "{ service = \"\(service)\", user = \"anna\" }"
        switch node.value {
        case .boolean(true): return TokenItem(account: account).attributes
        case .table(let entries) where !entries.isEmpty:
            var attributes: [String: String] = [:]
            for (attribute, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard case .string(let text) = value.value, !attribute.isEmpty else {
                    let problem =
                        "\"\(name(key)).\(attribute)\" must be a string in quotation marks, but it is \(value.kind)."
                    throw ConfigurationError(file: value.file, line: value.line, problem: problem)
                }
                attributes[attribute] = text
            }
            return attributes
        default:
            let problem =
                """
                "\(name(key))" must be true, for the item that feedbell accounts add makes, or the attributes of an \
                item of yours, such as \(example).
                """
            throw error(key, problem)
        }
    }
}
