import AgentInterface
import ArgumentParser
import DBus

/// The account that a command applies to.
struct AccountOptions: ParsableArguments {
    @Option(
        help: "The account's name; not needed if there is only one.",
        completion: .custom(Completion.accounts)
    )
    var account: String?
    @OptionGroup var timeout: TimeoutOptions

    /// The account's object.
    /// - Throws: ``Failure`` if there are several and none was named.
    func object() async throws -> AgentObject { try await timeout.root().account(account) }
}

/// The notifications that a command applies to.
struct NotificationOptions: ParsableArguments {
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "Ids or unique prefixes of ids.",
        completion: .custom(Completion.notifications)
    )
    var ids: [String]
}

/// Resolves ids of notifications as the user gives them: complete, or a unique prefix.
struct IDResolver {
    /// The ids of the loaded notifications.
    let known: [String]

    /// - Parameter notifications: The notifications that are loaded.
    init(_ notifications: [[String: Value]]) { known = notifications.compactMap { $0.text("id") } }

    /// The id of the loaded notification. A text that is no prefix of one is returned as it is: the service may know
    /// it.
    func resolve(_ text: String) throws -> String {
        if text.isEmpty { throw Failure("An id is empty. List ids with: feedbell list", .usage) }
        if known.contains(text) { return text }
        let matching = known.filter { $0.hasPrefix(text) }
        if matching.count > 1 {
            let some = matching.prefix(4).joined(separator: ", ") + (matching.count > 4 ? ", …" : "")
            throw Failure("\"\(text)\" is ambiguous: \(some). Give more characters of the id.", .usage)
        }
        return matching.first ?? text
    }

    /// The shortest unique prefix of each loaded id, at least four characters.
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

extension AgentObject {
    /// The complete ids.
    func ids(_ texts: [String]) async throws -> [String] {
        let resolver = IDResolver(try await call(AgentInbox.list, [:]))
        return try texts.map(resolver.resolve)
    }
}

extension [String: Value] {
    /// A string of a notification or category; nil if the value has another type.
    func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    /// A time of a notification in milliseconds since the Unix epoch; 0 for none.
    func time(_ key: String) -> Int64 {
        if case .int64(let time)? = self[key] { time } else { 0 }
    }

    func flag(_ key: String) -> Bool { self[key] == .bool(true) }
}

/// Not `DBus.Argument`.
typealias Argument<Content> = ArgumentParser.Argument<Content>
