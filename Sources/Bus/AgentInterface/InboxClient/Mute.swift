package import DBus

/// What a notification has in common with others that are muted with it.
package enum MuteSubject: String, CaseIterable, Sendable {
    case category, topic

    /// The value that the notification has; empty: none.
    package func value(of notification: NotificationRecord) -> String {
        switch self {
        case .category: notification.category
        case .topic: notification.topic
        }
    }
}

/// A request to mute a category or topic of an account.
package struct Mute: Equatable, Sendable {
    package var account: String
    package var subject: MuteSubject
    package var value: String
    /// Milliseconds since the Unix epoch; 0: without an end.
    package var until: Int64

    package init(account: String, subject: MuteSubject, value: String, until: Int64) {
        (self.account, self.subject, self.value, self.until) = (account, subject, value, until)
    }

    /// The conditions of its rule.
    package var conditions: RuleConditionsRecord {
        var conditions = RuleConditionsRecord()
        conditions.account = [RulePattern.exact(account)]
        switch subject {
        case .category: conditions.category = [RulePattern.exact(value)]
        case .topic: conditions.topic = [RulePattern.exact(value)]
        }
        return conditions
    }
}

extension Mute {
    /// Ends the mute of a notification. It starts no agent.
    ///
    /// - Parameter root: The agent's own object.
    /// - Returns: Whether it could be ended: the rule may be one that programs do not change.
    package static func end(of row: RowID, on root: Proxy) async throws(DBusError) -> Bool {
        let account = Proxy(root.bus, root.destination, AgentNames.accountPath(row.account))
        let checks = try await account.call(AgentInbox.testRules, row.id, autoStart: false)
        let id = checks.map(RuleCheckRecord.init).first(where: \.applies)?.id
        let rules = try await root.call(AgentRoot.rules, autoStart: false).map(RuleRecord.init)
        guard let rule = rules.first(where: { $0.id == id }), rule.isMute else { return false }
        try await root.call(AgentRoot.removeRule, rule.id, autoStart: false)
        return true
    }
}
