import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        _superCommandName: Feedbell.name,
        abstract: "List the rules for popups, or test them",
        discussion: """
            The rules are the tables [[rules]] of all files of the configuration, see feedbell.toml(5); the first one \
            that applies decides. Each line is number, conditions and settings, separated by tab characters.

            Examples:
              $ feedbell rules
              $ feedbell rules test 01K1
            """,
        subcommands: [RulesTest.self]
    )
    @Flag(help: "Print a JSON array.") var json = false
    @OptionGroup var timeout: TimeoutOptions

    func run() async throws {
        let rules = try await timeout.object().call(AgentRoot.rules)
        if json { return Output.json(.array(rules.map { JSONText($0) })) }
        let now = Int64(time(nil)) * 1000
        if rules.isEmpty { Output.note(translated("There are no rules, see [[rules]] in feedbell.toml(5).")) }
        for rule in rules.map(RuleRecord.init) {
            let conditions = RuleConditionsRecord(rule.conditions).words
            let settings = translatedList([RuleSettingsRecord(rule.settings).words] + rule.state(now: now))
            Output.text("\(rule.number)\t\(conditions.onOneLine)\t\(settings.onOneLine)")
        }
    }
}

extension RuleRecord {
    /// Whether the rule is off, or has an end.
    fileprivate func state(now: Int64) -> [String] {
        // Translators: This and the following ones stand after the settings of a rule. This one is switched off.
        if !self.isEnabled { return [translated("off")] }
        guard self.until > 0 else { return [] }
        // Translators: The end of the rule has come.
        if self.until <= now { return [translated("ended")] }
        return [translated("until {time}", ["time": LocalTime(self.until).text(now: now)])]
    }
}

struct RulesTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        _superCommandName: Feedbell.name,
        abstract: "Show which rule applies to a notification, and why",
        discussion: """
            Tests the rules as if the notification arrived now: up to the first one that applies.

            Example:
              $ feedbell rules test 01K1
              Rule 1 does not apply: category is "news", not "builds".
              Rule 2 applies: urgency low, timeout 5 s.
            """
    )
    @OptionGroup var account: AccountOptions
    @Argument(
        help: "The notification's id or a unique prefix of it.",
        completion: .custom(ShellCompletion.notifications)
    )
    var id: String
    @Flag(help: "Print a JSON array.") var json = false

    func run() async throws {
        let found = try await account.notifications([id])[0]
        let checks = try await found.using { try await $0.call(AgentInbox.testRules, $1[0]) }
        if json { return Output.json(.array(checks.map { JSONText($0) })) }
        for sentence in RuleCheckRecord.sentences(checks.map(RuleCheckRecord.init)) { Output.text(sentence.onOneLine) }
    }
}
