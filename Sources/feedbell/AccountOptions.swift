import AgentInterface
import ArgumentParser
import DBus

/// Which account a command is about.
struct AccountOptions: ParsableArguments {
    @Option(help: "The account's name; not needed when there is only one.")
    var account: String?

    /// The account's object. Says why and ends the program if it is not clear which one is meant.
    func proxy(_ agent: AgentConnection) async throws -> Proxy {
        if let account {
            let path = AgentNames.accountPath(account)
            let proxy = Proxy(agent.bus, AgentNames.busName, path)
            let paths = try await agent.ask { try await agent.root.get(AgentRoot.accounts, autoStart: false) }
            if paths.contains(path) { return proxy }
            let names = try await names(agent)
            try AgentConnection.give("There is no account \"\(account)\". \(Self.list(names))", .notFound)
        }
        let paths = try await agent.ask { try await agent.root.get(AgentRoot.accounts, autoStart: false) }
        if paths.count == 1 { return Proxy(agent.bus, AgentNames.busName, paths[0]) }
        let names = try await names(agent)
        if names.isEmpty { try AgentConnection.give(Self.list(names), .notFound) }
        try AgentConnection.give("Which account? Choose one with --account. \(Self.list(names))", .usage)
    }

    private func names(_ agent: AgentConnection) async throws -> [String] {
        let objects = try await agent.ask { try await agent.root.getManagedObjects(autoStart: false) }
        return objects.values.compactMap { interfaces in
            guard case .string(let name)? = interfaces[AgentAccount.name.text]?[AgentAccount.accountName.name.text]
            else {
                return nil
            }
            return name
        }.sorted()
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty
            ? "No account is configured; see the file config.toml of Feedbell."
            : "Configured: \(names.joined(separator: ", "))."
    }
}

/// Ids of notifications as a person gives them: whole, or a beginning that only one has.
struct IDResolver {
    /// Those that are loaded.
    let known: [String]

    /// The loaded notification that is meant. What no loaded one begins with is taken as it is: the service may know it.
    func resolve(_ text: String) throws -> String {
        if text.isEmpty { try AgentConnection.give("An id is empty. Take it from feedbell list.", .usage) }
        if known.contains(text) { return text }
        let matching = known.filter { $0.hasPrefix(text) }
        if matching.count > 1 {
            let some = matching.prefix(4).joined(separator: ", ") + (matching.count > 4 ? ", …" : "")
            try AgentConnection.give("\"\(text)\" may be \(some). Give more of the id.", .usage)
        }
        return matching.first ?? text
    }

    /// The shortest beginning of each loaded id, four characters at least, that no other has.
    var shortest: [String: String] {
        let sorted = known.sorted()
        var result: [String: String] = [:]
        for (index, id) in sorted.enumerated() {
            let neighbours = [index > 0 ? sorted[index - 1] : nil, index + 1 < sorted.count ? sorted[index + 1] : nil]
            let common = neighbours.compactMap { $0?.commonPrefix(with: id) }.max() ?? 0
            result[id] = String(id.prefix(max(4, common + 1)))
        }
        return result
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> Int { zip(self, other).prefix { $0 == $1 }.count }
}

extension Proxy {
    /// The notifications that are loaded.
    func notifications(_ options: [String: Value] = [:], _ agent: AgentConnection) async throws -> [[String: Value]] {
        try await agent.ask { try await call(AgentInbox.list, options, autoStart: false) }
    }

    /// The whole ids that these mean.
    func ids(_ texts: [String], _ agent: AgentConnection) async throws -> [String] {
        let resolver = IDResolver(known: try await notifications([:], agent).compactMap { $0.text("id") })
        return try texts.map(resolver.resolve)
    }
}

extension [String: Value] {
    /// A text of a notification or category; nil when it is no text.
    func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    /// A time of a notification in milliseconds since the Unix epoch; 0 for none.
    func time(_ key: String) -> Int64 {
        if case .int64(let time)? = self[key] { time } else { 0 }
    }

    func flag(_ key: String) -> Bool { self[key] == .bool(true) }
}

/// Not the D-Bus library's.
typealias Argument<Content> = ArgumentParser.Argument<Content>
