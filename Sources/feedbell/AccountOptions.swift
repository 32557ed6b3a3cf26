import AgentInterface
import ArgumentParser
import DBus

/// Which account a command is about.
struct AccountOptions: ParsableArguments {
    @Option(
        help: "The account's name; not needed when there is only one.",
        completion: .custom(Completion.accounts)
    )
    var account: String?
    @OptionGroup var timeout: TimeoutOptions

    /// The account's object.
    /// - Throws: ``Failure`` if it is not clear which one is meant.
    func object() async throws -> AgentObject { try await timeout.root().account(account) }
}

/// Which notifications a command is about.
struct NotificationOptions: ParsableArguments {
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "Ids, or beginnings that only one loaded notification has.",
        completion: .custom(Completion.notifications)
    )
    var ids: [String]
}

/// Ids of notifications as a person gives them: whole, or a beginning that only one has.
struct IDResolver {
    /// Those that are loaded.
    let known: [String]

    /// - Parameter items: The notifications that are loaded.
    init(_ items: [[String: Value]]) { known = items.compactMap { $0.text("id") } }

    /// The loaded notification that is meant. What no loaded one begins with is taken as it is: the service may know it.
    func resolve(_ text: String) throws -> String {
        if text.isEmpty { throw Failure("An id is empty. Take it from feedbell list.", .usage) }
        if known.contains(text) { return text }
        let matching = known.filter { $0.hasPrefix(text) }
        if matching.count > 1 {
            let some = matching.prefix(4).joined(separator: ", ") + (matching.count > 4 ? ", …" : "")
            throw Failure("\"\(text)\" may be \(some). Give more of the id.", .usage)
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

extension AgentObject {
    /// The whole ids that these mean.
    func ids(_ texts: [String]) async throws -> [String] {
        let resolver = IDResolver(try await call(AgentInbox.list, [:]))
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
