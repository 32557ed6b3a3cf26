import Basics
import Inbox
import Testing

@Suite struct RulesTests {
    private static let monday = WeeklyHours.LocalTime(weekday: .monday, minute: 12 * 60)

    private static func notification() -> Notification {
        Notification(
            id: "1",
            title: "Build <b>4711</b> failed",
            body: "main is **red**",
            category: "builds",
            topic: "ci/main",
            tags: ["red", "main"],
            created: 5
        )
    }

    private static func conditions(_ field: RuleConditions.Field, _ patterns: String...) throws -> RuleConditions {
        RuleConditions([.init(field, try patterns.map { (text) throws in try TextPattern(text) })])
    }

    private static func applies(
        _ conditions: RuleConditions,
        to notification: Notification = notification(),
        at time: WeeklyHours.LocalTime = monday
    ) -> Bool {
        Rules([Rule(conditions)], accountNames: ["key": "work"]).firstMatch(notification, of: "key", at: time).rule == 0
    }

    @Test(
        "Each field is compared with its patterns, of which one has to match",
        arguments: [
            (RuleConditions.Field.account, ["work"], true), (.account, ["key"], false),
            (.account, ["home", "w*"], true),
            (.category, ["builds"], true), (.category, ["news", "mail"], false), (.tag, ["red"], true),
            (.tag, ["green", "main"], true), (.tag, ["re"], false), (.topic, ["ci/*"], true), (.topic, ["/^ci/"], true),
            (.title, ["*failed"], true), (.title, ["Build <b>4711</b> failed"], true), (.text, ["main is red"], true),
            (.text, ["*\\*\\**"], false), (.text, ["/red$/"], true),
        ]
    )
    func fields(_ field: RuleConditions.Field, _ patterns: [String], _ applies: Bool) throws {
        let conditions = RuleConditions([.init(field, try patterns.map { (text) throws in try TextPattern(text) })])
        #expect(Self.applies(conditions) == applies)
    }

    @Test("Every condition of a rule has to be met") func allConditions() throws {
        func patterns(_ text: String) throws -> [TextPattern] { [try TextPattern(text)] }
        let both = RuleConditions([.init(.text, try patterns("*red*")), .init(.category, try patterns("builds"))])
        #expect(Self.applies(both))
        let one = RuleConditions([.init(.text, try patterns("*red*")), .init(.category, try patterns("news"))])
        #expect(!Self.applies(one))
        var late = both
        late.hours = WeeklyHours(from: 22 * 60, to: 7 * 60)
        #expect(!Self.applies(late))
        #expect(Self.applies(late, at: .init(weekday: .monday, minute: 23 * 60)))
    }

    @Test("A rule without conditions applies to everything") func noConditions() {
        #expect(Self.applies(RuleConditions()))
        #expect(Self.applies(RuleConditions(), to: Notification(id: "2", created: 5)))
    }

    @Test("Empty fields match only patterns for empty texts, and no tags match none") func emptyFields() throws {
        let empty = Notification(id: "2", created: 5)
        for field in [RuleConditions.Field.category, .topic, .title, .text] {
            #expect(Self.applies(try Self.conditions(field, "*"), to: empty))
            #expect(Self.applies(try Self.conditions(field, "/^$/"), to: empty))
            #expect(!Self.applies(try Self.conditions(field, "?*"), to: empty))
        }
        #expect(!Self.applies(try Self.conditions(.tag, "*"), to: empty))
    }

    @Test("The first rule that applies decides, and the earlier ones say why they do not") func explanation() throws {
        let hours = WeeklyHours(from: 0, to: 60, days: [.sunday])
        let news = try Self.conditions(.category, "news", "mail")
        let rules = Rules(
            [
                Rule(RuleConditions(hours: hours)), Rule(news), Rule(try Self.conditions(.tag, "main")),
                Rule(RuleConditions()),
            ]
        )
        let expected: [Rules.Check] = [
            .init(rule: 0, mismatch: .hours(hours, Self.monday)),
            .init(rule: 1, mismatch: .field(news.matches[0], ["builds"])), .init(rule: 2, mismatch: nil),
        ]
        #expect(rules.checks(Self.notification(), of: "key", at: Self.monday) == expected)
        #expect(rules.firstMatch(Self.notification(), of: "key", at: Self.monday).rule == 2)
        #expect(Rules().checks(Self.notification(), of: "key", at: Self.monday) == [])
        #expect(Rules().firstMatch(Self.notification(), of: "key", at: Self.monday).rule == nil)
    }

    @Test("A rule that is off or has ended is not tried, and the next end is known") func ends() throws {
        let all = RuleConditions()
        func rule(until: Int64?, isEnabled: Bool = true) -> Rule {
            Rule(all, isEnabled: isEnabled, until: until.map { Timestamp(milliseconds: $0) })
        }
        var rules = Rules([
            rule(until: 9, isEnabled: false), rule(until: 10), rule(until: 20), rule(until: nil, isEnabled: false),
            rule(until: nil),
        ])
        func applying(at now: Int64) -> Int? {
            rules.update(at: Timestamp(milliseconds: now))
            return rules.firstMatch(Self.notification(), of: "key", at: Self.monday).rule
        }
        #expect(applying(at: 9) == 1 && applying(at: 10) == 2 && applying(at: 20) == 4 && applying(at: 19) == 2)
        #expect(rules.checks(Self.notification(), of: "key", at: Self.monday).map(\.rule) == [2])
        let ends = [0, 9, 10, 20].map { rules.nextEnd(after: Timestamp(milliseconds: $0))?.milliseconds }
        #expect(ends == [10, 10, 20, nil])
    }

    @Test("A pattern that exceeds the limit of a search does not match, and is reported with its rule")
    func exceedingPattern() throws {
        let slow = "/^(\\w*)*\\s/"
        let rules = Rules([
            Rule(try Self.conditions(.category, "builds", slow)), Rule(try Self.conditions(.topic, slow, "ci")),
            Rule(try Self.conditions(.title, slow, "aaa*")), Rule(),
        ])
        var notification = Self.notification()
        (notification.category, notification.title) = ("x", String(repeating: "a", count: 40))
        let result = rules.firstMatch(notification, of: "key", at: Self.monday)
        #expect(result.rule == 2 && result.exceeding == [.init(rule: 2, pattern: slow)])
        #expect(rules.firstMatch(Self.notification(), of: "key", at: Self.monday).exceeding == [])
    }

    @Test("All rules share the work for a notification, and those for names apply when it is used up")
    func sharedBudget() throws {
        let slow = "/(x+x+)+[0-9]{1}/"
        let rules = Rules(
            try (1...20).map { _ in Rule(try Self.conditions(.text, slow)) }
                + [Rule(try Self.conditions(.category, "builds"))]
        )
        var notification = Self.notification()
        notification.body = String(repeating: "x", count: 15_000)
        let match = rules.firstMatch(notification, of: "key", at: Self.monday)
        #expect(match.rule == 20 && match.exceeding == (0..<20).map { .init(rule: $0, pattern: slow) })
        #expect(match.steps < PatternBudget.notification.steps * 11 / 10)
        #expect(rules.firstMatch(notification, of: "key", at: Self.monday) == match, "as often as it is asked")
    }

    @Test("UTC is local time without a time zone") func utc() {
        #expect(WeeklyHours.LocalTime(utc: 0) == .init(weekday: .thursday, minute: 0))
        #expect(WeeklyHours.LocalTime(utc: 1_763_726_459_999) == .init(weekday: .friday, minute: 12 * 60))
        #expect(WeeklyHours.LocalTime(utc: Timestamp(milliseconds: .min)) == .init(weekday: .thursday, minute: 0))
    }
}
