import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The rules as clients see and change them.
extension Agent {
    /// The number of notifications of each account with which a rule is tried.
    private static let triedCount = 100
    /// The maximum number of reported rules.
    private static let reportedCount = 10

    func addRules(to object: inout ExportedObject) {
        object.handle(AgentRoot.rules) { await self.configuration.popups.rules.dictionaries }
        object.handle(AgentRoot.addRule) { rule, other in
            try await self.changeRules { (rules, now) throws(DBusError) in
                let id = rules.newID(at: now)
                try rules.add(try SettingsRules.checked(rule, id: id, now: now), before: other)
                return id
            }
        }
        object.handle(AgentRoot.changeRule) { id, rule in
            try await self.changeRules(id) { (rules, now) throws(DBusError) in
                try rules.change(id, to: try SettingsRules.checked(rule, id: id, now: now))
            }
        }
        object.handle(AgentRoot.moveRule) { id, other in
            try await self.changeRules(id) { (rules, _) throws(DBusError) in try rules.move(id, before: other) }
        }
        object.handle(AgentRoot.removeRule) { id in
            try await self.changeRules(id) { (rules, _) throws(DBusError) in try rules.remove(id) }
        }
        object.handle(AgentRoot.tryRule) { rule in try await self.tryRule(rule) }
        object.handle(AgentRoot.mute) { conditions, until in try await self.mute(conditions, until: until) }
    }

    /// Adds a rule that mutes what meets the conditions.
    ///
    /// - Parameter until: In milliseconds since the Unix epoch; 0: until it is removed.
    /// - Returns: Its id.
    func mute(_ conditions: [String: Value], until: Int64) async throws(DBusError) -> String {
        guard !conditions.isEmpty else {
            throw DBusError(
                .invalidArgs,
                "A mute needs a condition, such as a category. To hold back all popups, call Pause."
            )
        }
        return try await changeRules { (rules, now) throws(DBusError) in
            var settings = RuleSettingsRecord()
            (settings.mute, settings.badge) = (true, false)
            var rule = RuleRecord()
            (rule.conditions, rule.settings, rule.until) = (conditions, settings.values, until)
            return try rules.mute(try SettingsRules.checked(rule.values, id: rules.newID(at: now), now: now))
        }
    }

    /// Mutes a category of an account.
    func mute(category: String, of account: String, until: Timestamp?) async throws(DBusError) {
        var conditions = RuleConditionsRecord()
        conditions.account = [RulePattern.exact(account)]
        if !category.isEmpty { conditions.category = [RulePattern.exact(category)] }
        _ = try await mute(conditions.values, until: until?.milliseconds ?? 0)
    }

    /// Mutes the category of a notification whose popup's button was clicked; of one without a category, its account.
    func mute(_ reference: NotificationReference) async {
        guard let session = session(reference.account) else { return }
        do throws(DBusError) {
            let category = try await session.notification(reference.id).category
            let duration = PopupAction.muteDuration.components.seconds * 1000
            let end = environment.now().advanced(milliseconds: duration)
            try await mute(category: category, of: session.identity.name, until: end)
        } catch {
            logger.error("the button of a popup failed", metadata: ["button": "mute", "reason": "\(error.message)"])
            await NoticePopup(bus: bus, logger: logger).showFailedMute()
        }
    }

    // MARK: Patterns that take too long

    /// Reports a pattern of the applied rules that exceeded a limit.
    func report(_ exceeding: Rules.ExceedingPattern) {
        let rules = appliedRules.rules
        // The rules may have changed meanwhile.
        guard rules.indices.contains(exceeding.rule), rules[exceeding.rule].conditions.has(exceeding.pattern) else {
            return
        }
        logger.warning(
            "a pattern of a rule takes too long, so it does not match: simplify it",
            metadata: ["rule": "\(exceeding.rule + 1)", "pattern": "\(exceeding.pattern)"]
        )
        exceedingPatterns.append(exceeding)
        publish()
    }

    /// The first rules with patterns that exceeded a limit, in a sentence each.
    var exceedingRules: [String] {
        let patterns = Dictionary(exceedingPatterns.map { ($0.rule, $0.pattern) }) { first, _ in first }
        return patterns.sorted { $0.key < $1.key }.prefix(Self.reportedCount).map { rule, pattern in
            "Rule \(rule + 1) takes too long for some notifications and does not match them. Simplify \"\(pattern)\"."
        }
    }

    // MARK: Trying a rule

    /// Finds the newest notifications that a rule matches.
    private func tryRule(_ record: [String: Value]) async throws(DBusError) -> [Structure<String, String>] {
        let table = try SettingsRules.checked(record, id: "tried", now: Timestamp(milliseconds: 0))
        guard var rule = try? SettingsRules.rule(table) else { return [] }
        (rule.isEnabled, rule.until) = (true, nil)
        let rules = Rules([rule])
        let cancellation = DBusError(.cancelled, "The agent was stopped.")
        return try await trying.pass(orThrow: cancellation) { () async throws(DBusError) in
            var inboxes: [(rules: InboxRules, account: String, newest: [Notification])] = []
            for session in accounts.map(\.session) {
                let name = session.identity.name
                let inboxRules = InboxRules(rules, of: name, localTime: environment.localTime)
                inboxes.append((inboxRules, name, await session.newest(Self.triedCount)))
            }
            // The loop must not block.
            let found = await runBlocking { [inboxes] in Self.matching(inboxes) }
            guard let found else { throw cancellation }
            guard let found else {
                throw DBusError(.limitsExceeded, "The rule takes too long to try. Simplify its regular expressions.")
            }
            return found
        }
    }

    /// nil: it takes too long.
    private static func matching(
        _ inboxes: [(rules: InboxRules, account: String, newest: [Notification])]
    ) -> [Structure<String, String>]? {
        var budget = PatternBudget.call
        var found: [Structure<String, String>] = []
        for (rules, account, newest) in inboxes {
            guard let matching = rules.matching(newest, within: &budget) else { return nil }
            found += matching.map { Structure(account, $0.id.rawValue) }
        }
        return found
    }

    /// Changes the rules of `settings.toml`, and applies them.
    ///
    /// - Parameter id: The rule that is changed; nil: a new one.
    private func changeRules<Result: Sendable>(
        _ id: String? = nil,
        _ body: @Sendable (inout SettingsRules, _ now: Timestamp) throws(DBusError) -> Result
    ) async throws(DBusError) -> Result {
        let rule = configuration.popups.rules.rules.first { $0.id == id }
        if let rule, rule.origin != .settings {
            let place = rule.origin == .config ? "your config.toml" : "a preset of the administrator"
            throw DBusError(AgentErrors.notEditable, "The rule \"\(rule.id)\" is in \(place). Change it there.")
        }
        let now = environment.now()
        let settings = Settings(file, clock: environment.clock)
        let cancellation = DBusError(.cancelled, "The agent was stopped.")
        return try await reloading.pass(orThrow: cancellation) { () async throws(DBusError) in
            let result = try await settings.changeRules(at: now) { (rules) throws(DBusError) in try body(&rules, now) }
            try await self.applyChangedFile()
            return result
        }
    }
}
