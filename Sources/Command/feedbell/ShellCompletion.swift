import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

/// The candidates for shell completion, from the running agent. None if no agent is running or it is slow.
enum ShellCompletion {
    /// A word, and the description that some shells show.
    struct Candidate: Equatable {
        var word: String
        var description = ""
    }

    @Sendable static func accounts(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            try await root.accounts().values.compactMap { interfaces in
                let account = PropertyValues<AgentAccount>(in: interfaces)
                guard let name = account[AgentAccount.accountName] else { return nil }
                return Candidate(word: name, description: account[AgentAccount.user] ?? "")
            }.sorted { $0.word < $1.word }
        }
    }

    /// The ids of loaded notifications; only unread ones for `read`, only read ones for `unread`.
    @Sendable static func notifications(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            var options = ListOptions()
            options.unread = ["read": true, "unread": false][words.dropFirst().first ?? ""]
            return try await accounts(root, words) { account in
                try await account.notifications(options).map { notification in
                    Candidate(word: notification.id, description: notification.title)
                }
            }
        }
    }

    /// The ids of notifications, and after one of them the times of a snooze, too.
    @Sendable static func snoozes(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let hasID = words.prefix(max(index, 0)).dropFirst(2).contains { !$0.hasPrefix("-") }
        let shown = await notifications(words, index, prefix)
        return shown + (hasID ? times(words, index, ["off"]) : [])
    }

    /// The times of a pause.
    @Sendable static func pauses(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        times(words, index, ["toggle", "on", "off"])
    }

    /// The categories and the times of a mute.
    @Sendable static func mutes(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await inboxCategories(words, index, prefix) + times(words, index)
    }

    /// The names of the mutes.
    @Sendable static func muted(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            try await root.mutes(now: Int64(time(nil)) * 1000).flatMap { mute in
                mute.names.map { Candidate(word: $0, description: mute.id) }
            }
        }
    }

    /// The times of a period that ends now.
    @Sendable static func periods(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        lines(["1h", "12h", "1d", "7d", "30d", "today", "yesterday", "monday"])
    }

    /// Times in the future, and words that may stand in their place.
    private static func times(_ words: [String], _ index: Int, _ others: [String] = []) -> [String] {
        let (durations, days) = (["30m", "1h", "2h", "4h", "1d", "1w"], ["tomorrow", "monday"])
        if words.prefix(max(index, 0)).last == "until" { return lines(["12:00", "18:00"] + days) }
        return lines(durations + days + ["until"] + others)
    }

    /// The categories of the loaded notifications.
    @Sendable static func inboxCategories(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            let categories = try await accounts(root, words) { try await $0.notifications().map(\.category) }
            return Set(categories).sorted().map { Candidate(word: $0) }
        }
    }

    /// The tags of the loaded notifications.
    @Sendable static func inboxTags(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            let tags = try await accounts(root, words) { try await $0.notifications().flatMap(\.tags) }
            return Set(tags).sorted().map { Candidate(word: $0) }
        }
    }

    @Sendable static func tabs(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            try await accounts(root, words) { try await $0.tabs() }.map {
                Candidate(word: $0.elements.0, description: $0.elements.1)
            }
        }
    }

    /// The categories of the preferences.
    @Sendable static func categories(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await categories(words) { _ in true }
    }

    /// The categories that have a digest schedule.
    @Sendable static func digestCategories(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await categories(words) { !$0.digest.isEmpty }
    }

    /// The categories that have properties.
    @Sendable static func propertyCategories(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await categories(words) { !$0.properties.isEmpty }
    }

    private static func categories(_ words: [String], _ matches: (CategoryRecord) -> Bool) async -> [String] {
        await offer { root in
            try await categories(root, words).filter(matches).map {
                Candidate(word: $0.id, description: $0.name)
            }
        }
    }

    /// The properties of the category before the word.
    @Sendable static func properties(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            let last = words.prefix(max(index, 0)).last
            let category = try await categories(root, words).first { $0.id == last }
            return (category?.properties.map(PropertyRecord.init) ?? []).filter(\.isEditable)
                .map { Candidate(word: $0.id, description: $0.label) }
        }
    }

    /// The allowed values of the property that the command line names after its category.
    @Sendable static func propertyValues(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            for category in try await categories(root, words) {
                guard let position = words.firstIndex(of: category.id), words.indices.contains(position + 1) else {
                    continue
                }
                let property = category.properties.map(PropertyRecord.init).first { $0.id == words[position + 1] }
                return (property?.choices ?? []).compactMap { choice in
                    let (label, value) = choice.elements
                    if case .string(let word) = value { return Candidate(word: word, description: label) }
                    return nil
                }
            }
            return []
        }
    }

    @Sendable static func channels(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await offer { root in
            try await accounts(root, words) { try await $0.call(AgentPreferences.listChannels) }
                .map { Candidate(word: $0.elements.0) }
        }
    }

    /// After a category: its channels that can be changed, `on` and `off`. After a channel: `on` and `off`.
    @Sendable static func channelsAndSwitches(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        let switches = ["on", "off"].map { Candidate(word: $0) }
        return await offer { root in
            let categories = try await categories(root, words)
            let last = words.prefix(max(index, 0)).last
            let channels = categories.first { $0.id == last }?.channels ?? []
            return channels.filter(\.isEditable).map { Candidate(word: $0.name) } + switches
        } otherwise: {
            switches
        }
    }

    /// The names of the settings, from the agent's program.
    @Sendable static func settings(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await lines {
            try await SettingsOptions.list(config: nil).map { Candidate(word: $0.key, description: $0.meaning) }
        }
    }

    /// After the name of a setting: values that it takes. Otherwise the names.
    @Sendable static func settingsAndValues(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await lines {
            let settings = try await SettingsOptions.list(config: nil)
            let last = words.prefix(max(index, 0)).last
            guard let setting = settings.first(where: { $0.key == last }) else {
                return settings.map { Candidate(word: $0.key, description: $0.meaning) }
            }
            return setting.candidates.map { Candidate(word: $0) }
        }
    }

    /// The names of the settings and their tables, from the agent's program.
    @Sendable static func settingsAndTables(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        await lines {
            let settings = try await SettingsOptions.list(config: nil)
            let tables = Set(settings.compactMap { $0.key.split(separator: ".").first.map(String.init) })
            return tables.sorted().map { Candidate(word: $0) }
                + settings.map { Candidate(word: $0.key, description: $0.meaning) }
        }
    }

    // MARK: Requests

    /// The candidates of the account that `--account` or the variable `FEEDBELL_ACCOUNT` names, else of all accounts.
    /// An account that cannot answer has none.
    private static func accounts<Offer>(
        _ root: AgentObject,
        _ words: [String],
        _ offers: (AgentObject) async throws -> [Offer]
    ) async throws -> [Offer] {
        let name =
            words.firstIndex(of: "--account").flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
            ?? words.first { $0.hasPrefix("--account=") }.map { String($0.dropFirst("--account=".count)) }
        var all: [Offer] = []
        for account in try await root.accountObjects(name.map(unquoted) ?? AccountOptions.ofEnvironment) {
            all += (try? await offers(account)) ?? []
        }
        return all
    }

    /// The categories of the preferences, each id once.
    private static func categories(_ root: AgentObject, _ words: [String]) async throws -> [CategoryRecord] {
        var known: Set<String> = []
        return try await accounts(root, words) { try await $0.categories() }.filter { known.insert($0.id).inserted }
    }

    /// A word of the command line without the shell's quoting, which all shells pass on.
    static func unquoted(_ word: String) -> String {
        var (text, quote) = ("", Character?.none)
        var isEscaped = false
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return text
    }

    private static func offer(
        _ candidates: (AgentObject) async throws -> [Candidate],
        otherwise: () -> [Candidate] = { [] }
    ) async -> [String] {
        await lines { (try? await candidates(try await AgentObject.root(timeout: nil))) ?? otherwise() }
    }

    private static func lines(_ words: [String]) -> [String] {
        words.compactMap { line(Candidate(word: $0), CompletionShell.requesting) }
    }

    private static func lines(_ candidates: () async throws -> [Candidate]) async -> [String] {
        // The shell waits for this process: exit without candidates after 1 s.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(1)
        return ((try? await candidates()) ?? []).compactMap { line($0, CompletionShell.requesting) }
    }

    /// The allowed characters. Compared by Unicode scalar: "`" or "$" with a combining character is a different
    /// `Character`.
    private static let harmless = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@%+=,/:- ".unicodeScalars
    )

    /// The candidate in the format of the shell's script; nil: not allowed. The script for bash evaluates the words,
    /// and they come from the network: words with special characters are omitted.
    static func line(_ candidate: Candidate, _ shell: CompletionShell?) -> String? {
        let word = candidate.word
        guard let first = word.unicodeScalars.first, !"-=% ".unicodeScalars.contains(first), word.last != " ",
            word.unicodeScalars.allSatisfy(harmless.contains)
        else { return nil }
        let description = candidate.description.onOneLine.cut(toColumns: 60)
        switch shell {
        case .zsh?:
            let name = word.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
            return description.isEmpty ? name : "\(name):\(description)"
        case .fish?: return description.isEmpty ? word : "\(word)\t\(description)"
        default: return word
        }
    }
}
