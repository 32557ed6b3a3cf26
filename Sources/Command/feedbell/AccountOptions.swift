import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

/// The account that a command applies to.
struct AccountOptions: ObjectOptions {
    @Option(
        name: .customLong("account"),
        help: ArgumentHelp("The account's name; not needed if there is only one.", valueName: "account"),
        completion: .custom(ShellCompletion.accounts)
    )
    var given: String?
    @OptionGroup var timeout: TimeoutOptions

    /// The name of the account: that of the option, or of the variable `FEEDBELL_ACCOUNT`; nil: none is named.
    var account: String? { given ?? Self.ofEnvironment }

    /// The name in the variable `FEEDBELL_ACCOUNT`; nil: none.
    static var ofEnvironment: String? {
        getenv("FEEDBELL_ACCOUNT").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The account's object.
    /// - Throws: ``Failure`` if there are several and none was named.
    func object() async throws -> AgentObject { try await timeout.unanswered().account(account) }

    /// The objects of the named account, or of all accounts in the order of the configuration.
    func objects() async throws -> [AgentObject] { try await timeout.unanswered().accountObjects(account) }
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

    /// - Parameter notifications: The loaded notifications, or at least those whose ids begin with the text.
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

/// Notifications of one account.
struct AccountNotifications {
    let inbox: AgentObject
    /// Complete, unless the service has to be asked for them.
    var ids: [String]
    /// The loaded notifications of the account whose ids begin with one of the given texts.
    let loaded: [NotificationRecord]

    /// Makes a call about them. If it fails because there is no such notification, the failure says where the ids are
    /// listed.
    func using<Output>(_ call: (AgentObject, [String]) async throws -> Output) async throws -> Output {
        do {
            return try await call(inbox, ids)
        } catch let failure as Failure where failure.name == AgentErrors.notFound {
            let unknown = ids.filter { id in !loaded.contains { $0.id == id } }
            guard let id = unknown.first(where: failure.sentence.contains) ?? unknown.first else { throw failure }
            throw Self.unknown(id)
        }
    }

    fileprivate static func unknown(_ id: String) -> Failure {
        Failure(translated("No id begins with \"{text}\". feedbell list shows the ids.", ["text": id]), .notFound)
    }
}

extension AccountOptions {
    /// The accounts that have these notifications, in the order of the configuration. An account need not be named
    /// where the ids show which one it is.
    ///
    /// - Parameter texts: Ids, or unique prefixes of ids.
    func notifications(_ texts: [String]) async throws -> [AccountNotifications] {
        var inboxes = try await candidates(for: texts)
        guard inboxes.count > 1 else {
            let resolver = IDResolver(inboxes[0].loaded)
            inboxes[0].ids = try texts.map(resolver.resolve)
            return inboxes
        }
        let resolver = IDResolver(inboxes.flatMap(\.loaded))
        for text in texts {
            let id = try resolver.resolve(text)
            let index = try await inboxes.firstIndex(having: id)
            inboxes[index].ids.append(id)
        }
        return inboxes.filter { !$0.ids.isEmpty }
    }

    private func candidates(for texts: [String]) async throws -> [AccountNotifications] {
        var found: [AccountNotifications] = []
        for inbox in try await objects() {
            let loaded = try await inbox.loadedNotifications(texts)
            found.append(AccountNotifications(inbox: inbox, ids: [], loaded: loaded))
        }
        return found
    }
}

extension [AccountNotifications] {
    /// The account that has loaded the notification; otherwise the first one whose service has it.
    fileprivate func firstIndex(having id: String) async throws -> Int {
        let indices = self.indices.filter { self[$0].loaded.contains { $0.id == id } }
        if indices.count == 1 { return indices[0] }
        if indices.count > 1 {
            let problem = translated("Several accounts have a notification \"{id}\".", ["id": id])
            throw Failure(translatedParagraph([problem, translated("Choose one with --account.")]), .usage)
        }
        // An account that cannot be asked may have it.
        var obstacle: Failure?
        for index in self.indices {
            do {
                try await self[index].inbox.call(AgentInbox.get, id)
                return index
            } catch let failure as Failure {
                if failure.name != AgentErrors.notFound { obstacle = obstacle ?? failure }
            }
        }
        throw obstacle ?? AccountNotifications.unknown(id)
    }
}

extension AgentObject {
    /// The loaded notifications with these ids or prefixes of ids; none while the inbox is not loaded: an action may be
    /// about any.
    fileprivate func loadedNotifications(_ texts: [String]) async throws -> [NotificationRecord] {
        var options = ListOptions()
        options.ids = texts
        do { return try await notifications(options) } catch let failure as Failure {
            guard failure.code == .offline || failure.code == .attentionNeeded else { throw failure }
            return []
        }
    }
}

/// Not `DBus.Argument`.
typealias Argument<Content> = ArgumentParser.Argument<Content>
