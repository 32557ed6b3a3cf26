import Agent
import AgentInterface
import AgentTestSupport
import DBus
import Inbox
import TestSupport
import Testing

/// Rules of programs whose patterns take long.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SlowRulesTests {
    private static let slow = "/(x+x+)+[0-9]{1}/"

    private static func rule(_ patterns: [String], mutes: Bool = false) -> [String: Value] {
        var conditions = RuleConditionsRecord()
        conditions.text = patterns
        var settings = RuleSettingsRecord()
        if mutes { (settings.mute, settings.badge) = (true, false) } else { settings.sound = "none" }
        var rule = RuleRecord()
        (rule.conditions, rule.settings) = (conditions.values, settings.values)
        return rule.values
    }

    private func withLongTexts(_ body: (InProcessAgent) async throws -> Void) async throws {
        try await InProcessAgent.with { agent in
            var notifications = (1...100).map { Notification.sample("n\($0)") }
            for index in notifications.indices { notifications[index].body = String(repeating: "x", count: 15_000) }
            let counts = Counts(unread: 100, total: 100)
            try await agent.service().setInbox(FakeInbox(notifications: notifications, counts: counts))
            try await agent.account.wait(AgentInbox.totalCount, is: 100)
            try await body(agent)
        }
    }

    @Test("Trying a rule that takes too long ends with an error") func tryRule() async throws {
        try await withLongTexts { agent in
            let patterns = (1...100).map { "/(x+x+)+[0-9]{\($0)}/" }
            let error = await #expect(throws: DBusError.self) {
                _ = try await agent.root.call(AgentRoot.tryRule, Self.rule(patterns))
            }
            #expect(error?.name == .limitsExceeded && error?.message.hasPrefix("The rule takes too long") == true)
            let found = try await agent.root.call(AgentRoot.tryRule, Self.rule(["x*"]))
            #expect(found.count == 100)
            #expect(try await agent.root.get(AgentRoot.configurationError).isEmpty, "it is not in use")
        }
    }

    @Test("A mute that takes too long for the notifications in the inbox is named in the status, until it is removed")
    func status() async throws {
        try await withLongTexts { agent in
            let id = try await agent.root.call(AgentRoot.addRule, Self.rule([Self.slow], mutes: true), "")
            try await agent.root.wait(AgentRoot.configurationError) { $0.contains(Self.slow) }
            let sentence = try await agent.root.get(AgentRoot.configurationError)
            #expect(sentence.hasPrefix("Rule 1 takes too long") && !sentence.contains("\n"))
            #expect(try await agent.root.get(AgentRoot.attentionNeeded) == false)
            let status = try await Programs.run("feedbell", ["status"])
            #expect(status.output.contains(Self.slow))
            try await agent.root.call(AgentRoot.removeRule, id)
            try await agent.root.wait(AgentRoot.configurationError, is: "")
        }
    }
}
