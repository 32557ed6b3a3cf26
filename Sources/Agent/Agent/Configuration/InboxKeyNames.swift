import AgentInterface

/// The table `[inbox.keys]`.
enum InboxKeyNames {
    private static let example = "such as \"e\", \"Control-A\", \"Space\" or \"F5\""

    /// - Returns: The names of the keys by those of the functions.
    static func read(_ table: inout ConfigurationTable) throws(ConfigurationError) -> [String: [String]] {
        guard let node = table.node("keys") else { return [:] }
        var keys = try ConfigurationTable(node, path: table.name("keys"))
        var chosen: [String: [String]] = [:]
        var owners: [TerminalKey: String] = [:]
        for function in InboxFunction.allCases.map(\.rawValue) where keys.contains(function) {
            let names = try names(of: function, &keys)
            for name in names {
                guard let key = TerminalKey(name: name) else {
                    let problem = "\"\(name)\" in \"\(keys.name(function))\" is not a key. Use a name \(example)."
                    throw keys.error(function, problem)
                }
                if let other = owners.updateValue(function, forKey: key), other != function {
                    let problem =
                        "\"\(name)\" is the key of \"\(keys.name(other))\" and of \"\(keys.name(function))\". "
                        + "Remove it from one of them."
                    throw keys.error(function, problem)
                }
            }
            chosen[function] = names
        }
        // For the nearest name of an unknown one.
        for function in InboxFunction.allCases { _ = keys.node(function.rawValue) }
        try keys.finish()
        return chosen
    }

    /// One name or several; an empty array: the function has no key.
    private static func names(of function: String, _ table: inout ConfigurationTable) throws(ConfigurationError)
        -> [String]
    {
        if case .array(let elements)? = table.node(function)?.value, elements.isEmpty { return [] }
        return try table.texts(function) ?? []
    }
}
