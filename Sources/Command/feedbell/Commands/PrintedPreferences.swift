import AgentInterface
import DBus
import VisibleText

/// The preferences of one account, as `feedbell preferences` prints them.
struct PrintedPreferences {
    /// The account's name; nil: it is clear.
    var account: String?
    var categories: [CategoryRecord]
    var levels: [(channel: String, level: String)]

    init(of object: AgentObject, isNamed: Bool) async throws {
        account = isNamed ? try await object.properties(AgentAccount.self)[AgentAccount.accountName] : nil
        async let requested = object.call(AgentPreferences.listChannels)
        categories = try await object.categories()
        levels = try await requested.map { (channel: $0.elements.0, level: $0.elements.1) }
    }

    var categoriesJSON: [JSONText] { categories.map { JSONText($0, account: account) } }

    var channelsJSON: [JSONText] {
        levels.map { channel, level in
            var members: [String: JSONText] = ["channel": .string(channel), "level": .string(level)]
            members["account"] = account.map(JSONText.string)
            return .object(members)
        }
    }
}

extension AccountOptions {
    /// The named account; without a name, all whose services have preferences.
    ///
    /// - Throws: ``Failure`` if none has.
    func objectsWithPreferences() async throws -> [AgentObject] {
        let all = try await objects()
        if all.count == 1 { return all }
        let accounts = try await all.properties(AgentAccount.self)
        let able = zip(all, accounts).filter { $1[AgentAccount.capabilities]?.contains("preferences") != false }
        if able.isEmpty { throw Failure(translated("No account's service has preferences."), .refused) }
        return able.map(\.0)
    }

    /// The account whose preferences have this category.
    func object(withCategory category: String) async throws -> AgentObject {
        try await object { try await $0.categories().contains { $0.id == category } }
    }

    /// The account whose preferences have this channel.
    func object(withChannel channel: String) async throws -> AgentObject {
        try await object { try await $0.call(AgentPreferences.listChannels).contains { $0.elements.0 == channel } }
    }

    /// The account whose service has topics.
    func objectWithTopics() async throws -> AgentObject {
        try await object { object in
            try await object.properties(AgentAccount.self)[AgentAccount.capabilities]?.contains("topics") == true
        }
    }

    /// The only account with a property; if none has it, the first one, which says what there is.
    private func object(where has: (AgentObject) async throws -> Bool) async throws -> AgentObject {
        let objects = try await objectsWithPreferences()
        if objects.count == 1 { return objects[0] }
        var found: [AgentObject] = []
        for object in objects where try await has(object) { found.append(object) }
        if found.count > 1 {
            let problem = translated("Several accounts have it.")
            throw Failure(translatedParagraph([problem, translated("Choose one with --account.")]), .usage)
        }
        return found.first ?? objects[0]
    }
}
