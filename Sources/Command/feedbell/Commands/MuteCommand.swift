import AgentInterface
import ArgumentParser
import Basics
import DBus
import Glibc
import VisibleText

struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        _superCommandName: Feedbell.name,
        abstract: "Mute a category or a topic, or list what is muted",
        usage: "feedbell mute [<category>] [<time>] [--category <category>] [--topic <topic>]",
        discussion: """
            What is muted stays in the inbox, unread, but has no popup and no sound, and badges leave it out. The time \
            is \(UntilTime.forms). "tomorrow", a weekday and a date alone mean 9:00. Without a time: until "feedbell \
            unmute". A category whose name is such a time, or a second one, needs --category.

            A category or topic is a pattern of rules, see feedbell.toml(5), such as "ci*"; of several, one has to \
            match. Without --account, of all accounts. A mute is a rule in settings.toml. To hold back all popups, use \
            "feedbell pause".

            If no notification has the category, asks on a terminal; elsewhere the exit code is 2 without --yes. \
            Patterns and topics are not checked.

            Without anything, lists what is muted: each line is id, conditions and end, separated by tab characters.

            Examples:
              $ feedbell mute builds 1h
              $ feedbell mute builds until tomorrow --account work
              $ feedbell mute --category "ci*" --topic deploys
              $ feedbell mute
            """
    )
    @Option(help: "A category to mute.", completion: .custom(ShellCompletion.inboxCategories))
    var category: [String] = []
    @Option(help: "A topic to mute.") var topic: [String] = []
    @Option(help: "The account; without it, all accounts.", completion: .custom(ShellCompletion.accounts))
    var account: String?
    @Argument(
        help: "A category to mute, and the time until which it is muted.",
        completion: .custom(ShellCompletion.mutes)
    )
    var words: [String] = []
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Print a JSON array of what is muted.") var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        let now = Int64(Glibc.time(nil)) * 1000
        let root = try await timeout.object()
        guard !category.isEmpty || !topic.isEmpty || account != nil || !words.isEmpty else {
            return try await list(root, now: now)
        }
        let words = MuteWords(self.words, takesCategory: category.isEmpty && topic.isEmpty, now: now)
        // 0: until it is removed.
        let until = words.time.isEmpty ? 0 : try UntilTime.required(words.time, now: now)
        let conditions = try await conditions(root, category + words.category)
        if !yes { try await confirm(conditions.category ?? [], root) }
        _ = try await root.call(AgentRoot.mute, conditions.values, until)
        if json { return try await list(root, now: now) }
        guard Terminal.standardOutput != nil else { return }
        let values = ["what": conditions.words, "time": LocalTime(until).text(now: now)]
        Output.text(
            // Translators: What is muted is such as: category "builds", account "work".
            until == 0 ? translated("Muted: {what}.", values) : translated("Muted until {time}: {what}.", values)
        )
    }

    private func conditions(_ root: AgentObject, _ category: [String]) async throws -> RuleConditionsRecord {
        if category.isEmpty, topic.isEmpty, account == nil {
            throw Failure(translated("Give what is to be muted, such as --category builds."), .usage)
        }
        var conditions = RuleConditionsRecord()
        conditions.category = category.isEmpty ? nil : category
        conditions.topic = topic.isEmpty ? nil : topic
        if let account {
            // It has to exist.
            _ = try await root.account(account).get(AgentAccount.accountName)
            conditions.account = [RulePattern.exact(account)]
        }
        return conditions
    }

    /// Asks before a mute of a category that nothing has.
    private func confirm(_ categories: [String], _ root: AgentObject) async throws {
        guard let problem = await root.problem(ofCategories: categories, account: account) else { return }
        let dialogue = Dialogue()
        guard dialogue.isPossible else {
            let advice = translated("To mute it nevertheless, pass {option}.", ["option": "--yes"])
            throw Failure(translatedParagraph([problem, advice]), .unconfirmed)
        }
        Interruption.watch()
        dialogue.say(problem)
        try dialogue.require(translated("Mute it nevertheless?"))
    }

    private func list(_ root: AgentObject, now: Int64) async throws {
        let mutes = try await root.mutes(now: now)
        if json { return Output.json(.array(mutes.map { JSONText($0.values) })) }
        if mutes.isEmpty { Output.note(translated("Nothing is muted.")) }
        for mute in mutes {
            let conditions = RuleConditionsRecord(mute.conditions).words
            let end =
                mute.until == 0
                // Translators: Something is muted that long.
                ? translated("until it is unmuted")
                : translated("until {time}", ["time": LocalTime(mute.until).text(now: now)])
            Output.text("\(mute.id)\t\(conditions.onOneLine)\t\(end.onOneLine)")
        }
    }
}

/// The words of `mute`: a category, a time, or both.
struct MuteWords: Equatable {
    /// At most one.
    let category: [String]
    /// Not checked; empty: none is given.
    let time: [String]

    /// Words that can be read as a time are one. Otherwise the first is the category.
    ///
    /// - Parameter takesCategory: Whether no option says what is muted.
    init(_ words: [String], takesCategory: Bool, now: Int64) {
        let isTime = TimeReader(direction: .future, now: now).read(words) != nil
        let count = takesCategory && !isTime ? min(1, words.count) : 0
        (category, time) = (Array(words.prefix(count)), Array(words.dropFirst(count)))
    }
}

extension AgentObject {
    /// A sentence about the first category that neither a notification nor the preferences have; nil: there is none,
    /// or an account cannot say.
    ///
    /// - Parameter patterns: Patterns of rules; only those without special characters are categories.
    fileprivate func problem(ofCategories patterns: [String], account: String?) async -> String? {
        let names = patterns.filter { RulePattern.exact($0) == $0 }
        guard !names.isEmpty, let inboxes = try? await accountObjects(account) else { return nil }
        var known: Set<String> = []
        for inbox in inboxes {
            guard let loaded = try? await inbox.notifications() else { return nil }
            known.formUnion(loaded.map(\.category))
            known.formUnion(((try? await inbox.categories()) ?? []).map(\.id))
        }
        for name in names where !known.contains(where: { $0.folded == name.folded }) {
            if await inboxes.keep(category: name) { continue }
            let problem = translated("No notification has the category \"{name}\".", ["name": name])
            return translatedParagraph([problem, Suggestion.of(known.sorted(), for: name)])
        }
        return nil
    }
}

extension [AgentObject] {
    /// Whether an inbox has a notification with this category, also one that is kept but not loaded.
    fileprivate func keep(category: String) async -> Bool {
        var options = ListOptions()
        (options.category, options.takesKept, options.limit) = (category, true, 1)
        for inbox in self where (try? await inbox.notifications(options).isEmpty) == false { return true }
        return false
    }
}

struct UnmuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute",
        _superCommandName: Feedbell.name,
        abstract: "End mutes",
        discussion: """
            Each is named by its category or topic, by an id that "feedbell mute" lists, or by an account that is \
            muted as a whole.

            Examples:
              $ feedbell unmute builds
              $ feedbell unmute --topic deploys
              $ feedbell unmute --all
            """
    )
    @Argument(help: "Categories, topics or ids.", completion: .custom(ShellCompletion.muted)) var names: [String] = []
    @Option(help: "A category that is muted.", completion: .custom(ShellCompletion.muted)) var category: [String] = []
    @Option(help: "A topic that is muted.", completion: .custom(ShellCompletion.muted)) var topic: [String] = []
    @Flag(help: "End all mutes.") var all = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        guard all != !(names + category + topic).isEmpty else {
            throw Failure(translated("Name what is to be unmuted, or give --all."), .usage)
        }
        let root = try await timeout.object()
        let mutes = try await root.mutes(now: Int64(time(nil)) * 1000)
        var ended = all ? Set(mutes.map(\.id)) : []
        for name in names {
            ended.formUnion(mutes.contains { $0.id == name } ? [name] : try mutes.ids(named: name, \.names))
        }
        for name in category {
            ended.formUnion(try mutes.ids(named: name) { RuleConditionsRecord($0.conditions).category ?? [] })
        }
        for name in topic {
            ended.formUnion(try mutes.ids(named: name) { RuleConditionsRecord($0.conditions).topic ?? [] })
        }
        for mute in mutes where ended.contains(mute.id) { try await root.call(AgentRoot.removeRule, mute.id) }
    }
}

extension [RuleRecord] {
    /// The ids of the mutes with this name.
    ///
    /// - Throws: ``Failure`` if there is none.
    fileprivate func ids(named name: String, _ names: (RuleRecord) -> [String]) throws -> [String] {
        let found = filter { names($0).contains(name) }.map(\.id)
        guard found.isEmpty else { return found }
        let problem = translated("\"{name}\" is not muted.", ["name": name])
        let known = flatMap(names)
        let advice = Suggestion.of(known, for: name) ?? (known.isEmpty ? nil : Failure.list(known))
        throw Failure(translatedParagraph([problem, advice]), .notFound)
    }
}

extension RuleRecord {
    /// The names of the mute for `unmute` beside its id: the patterns of its most specific condition.
    var names: [String] {
        let conditions = RuleConditionsRecord(self.conditions)
        let patterns = (conditions.category ?? []) + (conditions.topic ?? [])
        return patterns.isEmpty ? conditions.account ?? [] : patterns
    }
}

extension AgentObject {
    /// The mutes that have not ended.
    func mutes(now: Int64) async throws -> [RuleRecord] {
        try await call(AgentRoot.rules).map { RuleRecord($0) }.filter { $0.isMute && ($0.until == 0 || $0.until > now) }
    }
}
