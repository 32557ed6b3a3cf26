import DBus
import Testing

@testable import AgentInterface

@Suite struct RuleTextTests {
    @Test("Conditions are in words") func conditions() {
        var conditions = RuleConditionsRecord()
        #expect(conditions.words == "every notification")
        conditions.category = ["a", "b*"]
        conditions.account = ["work"]
        #expect(conditions.words == "account \"work\", category \"a\" or \"b*\"")
        (conditions.from, conditions.to, conditions.days) = ("22:00", "07:00", ["sat", "sun"])
        #expect(conditions.hours == "from 22:00 to 07:00 on sat, sun")
        conditions.days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        #expect(conditions.hours == "from 22:00 to 07:00")
        (conditions.from, conditions.to, conditions.days) = ("00:00", "00:00", ["sat"])
        #expect(conditions.hours == "on sat")
    }

    @Test("Settings are in words") func settings() {
        var settings = RuleSettingsRecord()
        #expect(settings.words == "no changes")
        settings.timeout = 0
        #expect(settings.words == "timeout never")
        settings.timeout = -1
        settings.digest = 5_400
        #expect(settings.words == "timeout default, digest after 90m")
        settings.digest = 86_400
        settings.markSeen = "shown"
        settings.timeout = 5_000
        #expect(settings.words == "timeout 5 s, digest after 1d, marked as seen when shown")
    }

    @Test("A rule that does not apply says what the notification has instead") func reasons() {
        func sentence(_ unmet: String, _ values: [String], _ body: (inout RuleConditionsRecord) -> Void) -> String {
            var conditions = RuleConditionsRecord()
            body(&conditions)
            var check = RuleCheckRecord()
            check.number = 3
            check.conditions = conditions.values
            check.unmet = unmet
            check[RuleCheckKeys.all.values] = values
            return check.sentence
        }
        let isRed = { (conditions: inout RuleConditionsRecord) in conditions.tag = ["red", "blue"] }
        #expect(sentence("tag", [], isRed) == "Rule 3 does not apply: it has no tag, but needs \"red\" or \"blue\".")
        let two = sentence("tag", ["a", "b"], isRed)
        #expect(two == "Rule 3 does not apply: tag is \"a\", \"b\", not \"red\" or \"blue\".")
        let long = sentence("text", [String(repeating: "x", count: 61)]) { $0.text = ["*y*"] }
        #expect(long == "Rule 3 does not apply: text does not match \"*y*\".")
        let time = sentence("time", ["mon", "12:00"]) { ($0.from, $0.to, $0.days) = ("00:00", "00:00", ["sat"]) }
        #expect(time == "Rule 3 does not apply: it is 12:00 on mon, not on sat.")
    }
}
