import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        _superCommandName: Feedbell.name,
        abstract: "Mute a category or a topic, or list what is muted",
        usage: "feedbell mute [--category <category>] [--topic <topic>] [<time>]",
        discussion: """
            What is muted stays in the inbox, unread, but has no popup and no sound, and badges leave it out. The time \
            is \(UntilTime.forms). "tomorrow", a weekday and a date alone mean 9:00. Without a time: until "feedbell \
            unmute".

            A category or topic is a pattern of rules, see feedbell.toml(5), such as "ci*"; of several, one has to \
            match. Without --account, of all accounts. A mute is a rule in settings.toml. To hold back all popups, use \
            "feedbell pause".

            Without anything, lists what is muted: each line is id, conditions and end, separated by tab characters.

            Examples:
              $ feedbell mute --category builds 1h
              $ feedbell mute --category builds until tomorrow --account work
              $ feedbell mute
            """
    )
    @Option(help: "A category to mute.", completion: .custom(ShellCompletion.inboxCategories))
    var category: [String] = []
    @Option(help: "A topic to mute.") var topic: [String] = []
    @Option(help: "The account; without it, all accounts.", completion: .custom(ShellCompletion.accounts))
    var account: String?
    @Argument(help: "The time until which it is muted.", completion: .custom(ShellCompletion.mutes))
    var time: [String] = []
    @Flag(help: "Print a JSON array of what is muted.") var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        let now = Int64(Glibc.time(nil)) * 1000
        let root = try await timeout.object()
        guard !category.isEmpty || !topic.isEmpty || account != nil || !time.isEmpty else {
            return try await list(root, now: now)
        }
        // 0: until it is removed.
        let until = time.isEmpty ? 0 : try UntilTime.required(time, now: now)
        let conditions = try await conditions(root)
        _ = try await root.call(AgentRoot.mute, conditions.values, until)
        if json { return try await list(root, now: now) }
        guard Terminal.standardOutput != nil else { return }
        let values = ["what": conditions.words, "time": LocalTime(until).text(now: now)]
        Output.text(
            // Translators: What is muted is such as: category "builds", account "work".
            until == 0 ? translated("Muted: {what}.", values) : translated("Muted until {time}: {what}.", values)
        )
    }

    private func conditions(_ root: AgentObject) async throws -> RuleConditionsRecord {
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
              $ feedbell unmute --all
            """
    )
    @Argument(help: "Categories, topics or ids.", completion: .custom(ShellCompletion.muted)) var names: [String] = []
    @Flag(help: "End all mutes.") var all = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        guard all != !names.isEmpty else {
            throw Failure(translated("Name what is to be unmuted, or give --all."), .usage)
        }
        let root = try await timeout.object()
        let mutes = try await root.mutes(now: Int64(time(nil)) * 1000)
        var ended = all ? mutes : []
        for name in names {
            let found = mutes.filter { $0.names.contains(name) }
            guard !found.isEmpty else {
                let problem = translated("\"{name}\" is not muted.", ["name": name])
                let known = mutes.flatMap { $0.names.dropFirst() }
                let advice = Suggestion.of(known, for: name) ?? (known.isEmpty ? nil : Failure.list(known))
                throw Failure(translatedParagraph([problem, advice]), .notFound)
            }
            ended += found.filter { mute in !ended.contains { $0.id == mute.id } }
        }
        for mute in ended { try await root.call(AgentRoot.removeRule, mute.id) }
    }
}

extension RuleRecord {
    /// The names of the mute for `unmute`: its id, and the patterns of its most specific condition.
    var names: [String] {
        let conditions = RuleConditionsRecord(self.conditions)
        let patterns = (conditions.category ?? []) + (conditions.topic ?? [])
        return [self.id] + (patterns.isEmpty ? conditions.account ?? [] : patterns)
    }
}

extension AgentObject {
    /// The mutes that have not ended.
    func mutes(now: Int64) async throws -> [RuleRecord] {
        try await call(AgentRoot.rules).map { RuleRecord($0) }.filter { $0.isMute && ($0.until == 0 || $0.until > now) }
    }
}
