import AgentInterface

extension AccountConfiguration {
    /// An account whose values replace those of its present table, which keeps its other keys.
    ///
    /// - Parameters:
    ///   - original: The present table.
    ///   - values: The values of the service's options by key; a missing one is removed.
    ///   - token: The new source of the secret; nil: the present one.
    package init(
        _ name: String,
        changing original: TOMLNode,
        values: [String: String],
        token: TokenSource?,
        services: ServiceList
    ) throws(ConfigurationError) {
        guard let provider = original.entries?["provider"]?.text,
            let service = services.named(provider)
        else { throw ConfigurationError(file: original.file, line: original.line, problem: "The account is invalid.") }
        var entries = original.entries ?? [:]
        for option in service.description.options { entries[option.key] = nil }
        for (key, value) in values { entries[key] = TOMLNode(.string(value), file: original.file, line: original.line) }
        self = try Self.account(name, entries, original, services)
        if let token { self.service.token = token }
    }

    /// The document of an account that replaces this one: with what only users write, such as tabs.
    ///
    /// - Parameter original: The present table.
    func toml(replacing original: TOMLNode, services: ServiceList) throws(ConfigurationError) -> String {
        var entries = original.entries ?? [:]
        let before = try Self.account(name, entries, original, services)
        for (key, _) in before.service.keys(account: name) { entries[key] = nil }
        let new = try TOMLNode.parse(toml, file: original.file).entries?["accounts"]?.entries?[name]
        // In the order of a new account's keys, before the others.
        for (key, value) in new?.entries ?? [:] { entries[key] = value }
        return Self.root(name, entries, original).document
    }

    private static func account(
        _ name: String,
        _ entries: [String: TOMLNode],
        _ original: TOMLNode,
        _ services: ServiceList
    ) throws(ConfigurationError) -> AccountConfiguration {
        let table = TOMLNode(.table(entries), file: original.file, line: original.line)
        return try AccountConfiguration(
            name: name,
            table: try ConfigurationTable(table, path: name.accountTable),
            services: services
        )
    }

    private static func root(_ name: String, _ entries: [String: TOMLNode], _ original: TOMLNode) -> TOMLNode {
        func table(_ entries: [String: TOMLNode]) -> TOMLNode {
            TOMLNode(.table(entries), file: original.file, line: original.line)
        }
        return table(["accounts": table([name: table(entries)])])
    }
}
