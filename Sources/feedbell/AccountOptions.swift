import AgentInterface
import ArgumentParser
import DBus
import Translation

/// The account that a command applies to.
struct AccountOptions: ObjectOptions {
    @Option(
        help: "The account's name; not needed if there is only one.",
        completion: .custom(ShellCompletion.accounts)
    )
    var account: String?
    @OptionGroup var timeout: TimeoutOptions

    /// The account's object.
    /// - Throws: ``Failure`` if there are several and none was named.
    func object() async throws -> AgentObject { try await timeout.object().account(account) }
}

/// The notifications that a command applies to.
struct NotificationOptions: ParsableArguments {
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "Ids or unique prefixes of ids.",
        completion: .custom(ShellCompletion.notifications)
    )
    var ids: [String]
}

/// Resolves ids of notifications as the user gives them: complete, or a unique prefix.
struct IDResolver {
    /// The ids of the loaded notifications.
    let known: [String]

    /// - Parameter notifications: The notifications that are loaded.
    init(_ notifications: [NotificationRecord]) { known = notifications.map(\.id) }

    /// The id of the loaded notification. A text that is no prefix of one is returned as it is: the service may know
    /// it.
    func resolve(_ text: String) throws -> String {
        if text.isEmpty { throw Failure(translated("An id is empty. List ids with: feedbell list"), .usage) }
        if known.contains(text) { return text }
        let matching = known.filter { $0.hasPrefix(text) }
        if matching.count > 1 {
            let some = matching.prefix(4).joined(separator: ", ") + (matching.count > 4 ? ", …" : "")
            throw Failure(
                translated(
                    "\"{text}\" is ambiguous: {ids}. Give more characters of the id.",
                    ["text": text, "ids": some]
                ),
                .usage
            )
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
    /// Makes a call with the ids of notifications, from ids or prefixes as the user gives them. If it fails because
    /// there is no such notification, the failure says where the ids are listed.
    func using<Output>(ids texts: [String], _ call: ([String]) async throws -> Output) async throws -> Output {
        let resolver = IDResolver(try await notifications())
        let ids = try texts.map(resolver.resolve)
        do {
            return try await call(ids)
        } catch let failure as Failure where failure.code == .notFound {
            let unknown = ids.filter { !resolver.known.contains($0) }
            guard let id = unknown.first(where: failure.sentence.contains) ?? unknown.first else { throw failure }
            let sentence = translated("No id begins with \"{text}\". feedbell list shows the ids.", ["text": id])
            throw Failure(sentence, .notFound)
        }
    }
}

/// Not `DBus.Argument`.
typealias Argument<Content> = ArgumentParser.Argument<Content>
