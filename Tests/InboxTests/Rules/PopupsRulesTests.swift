import Basics
import Inbox
import TestSupport
import Testing

/// The effects of rules on popups.
@Suite struct PopupsRulesTests {
    private static func effects(_ body: (inout RuleEffects) -> Void) -> RuleEffects {
        var effects = RuleEffects()
        body(&effects)
        return effects
    }

    /// A rule for a category.
    private static func rule(_ category: String, _ body: (inout RuleEffects) -> Void) throws -> Rule {
        Rule(RuleConditions([.init(.category, [try TextPattern(category)])]), effects(body))
    }

    private static func policy(_ rules: Rule..., markSeen: PopupPolicy.MarkSeen = .dismissed) -> PopupPolicy {
        PopupPolicy(markSeen: markSeen, criticalCategories: ["incidents"], rules: Rules(rules))
    }

    private static func notification(_ number: Int, _ category: String, topic: String = "") -> Notification {
        var notification = PopupsDriver.notification(number, category: category)
        notification.topic = topic
        return notification
    }

    @Test("A rule sets urgency, sound, timeout, icon and resident") func settings() throws {
        let rule = try Self.rule("ci*") {
            $0.urgency = .low
            $0.sound = .theme("message-new-instant")
            $0.timeout = .after(milliseconds: 5_000)
            $0.icon = "/usr/share/pixmaps/ci.png"
            $0.isResident = true
        }
        var driver = PopupsDriver(policy: Self.policy(rule))
        let effects = driver.arrive([Self.notification(1, "ci-main"), Self.notification(2, "news")])
        let popups = driver.showAll(effects).calls.popups
        let ruled = try #require(popups.first { $0.summary == "Nr 1" })
        #expect(ruled.urgency == 0 && ruled.sound == .theme("message-new-instant") && ruled.timeout == 5_000)
        #expect(ruled.icon == "/usr/share/pixmaps/ci.png" && ruled.isResident)
        let other = try #require(popups.first { $0.summary == "Nr 2" })
        #expect(
            other.urgency == 1 && other.sound == nil && other.timeout == -1 && other.icon == "" && !other.isResident
        )
    }

    @Test("Only the first rule that applies counts") func firstRule() throws {
        let first = try Self.rule("ci") { $0.timeout = .never }
        let second = try Self.rule("*") { $0.urgency = .critical }
        var driver = PopupsDriver(policy: Self.policy(first, second))
        let popups = driver.showAll(driver.arrive([Self.notification(1, "ci")])).calls.popups
        #expect(popups.map(\.urgency) == [1])
        #expect(driver.arrive([Self.notification(2, "x")]).popups.map(\.urgency) == [Popup.critical])
    }

    @Test("A rule's urgency has priority over critical_categories, which others keep") func criticalCategories() throws
    {
        let rule = try Self.rule("incidents") { $0.urgency = .normal }
        var driver = PopupsDriver(policy: Self.policy(rule))
        #expect(driver.arrive([Self.notification(1, "incidents")]).popups.map(\.urgency) == [1])
        let without = try Self.rule("incidents") { $0.sound = .silent }
        driver = PopupsDriver(policy: Self.policy(without))
        #expect(driver.arrive([Self.notification(1, "incidents")]).popups.map(\.urgency) == [Popup.critical])
    }

    @Test("A popup that ignores quiet hours passes them, and nothing else does") func ignoresQuiet() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("ci*") { $0.ignoresQuiet = true }))
        driver.receive(.held(.quiet, exceptCritical: false))
        let shown = driver.arrive([Self.notification(1, "news"), Self.notification(2, "ci")])
        #expect(driver.showAll(shown).calls.headlines == ["Nr 2"])
        driver.receive(.held(.pause, exceptCritical: false))
        #expect(driver.arrive([Self.notification(3, "ci")]) == [])
        #expect(driver.showAll(driver.receive(.released(.pause, now: driver.now))).calls.headlines == ["Nr 3"])
        #expect(driver.receive(.released(.quiet, now: driver.now)).headlines == ["Nr 1"])
    }

    @Test("A critical popup by rule passes quiet hours that let critical ones through") func criticalByRule() throws {
        let rule = try Self.rule("ops") { $0.urgency = .critical }
        var driver = PopupsDriver(policy: Self.policy(rule))
        driver.receive(.held(.quiet, exceptCritical: true))
        let shown = driver.arrive([Self.notification(1, "news"), Self.notification(2, "ops")])
        #expect(driver.showAll(shown).calls.headlines == ["Nr 2"])
        #expect(driver.receive(.released(.quiet, now: driver.now)).headlines == ["Nr 1"])
    }

    @Test("The time of a rule is the local time of arrival") func time() throws {
        var rule = try Self.rule("*") { $0.isMuted = true }
        rule.conditions.hours = WeeklyHours(from: 0, to: 1)
        var driver = PopupsDriver(policy: Self.policy(rule))
        #expect(driver.arrive([Self.notification(1, "x")]).headlines == [], "00:00 UTC")
        driver.now = Timestamp(milliseconds: 60_000)
        #expect(driver.arrive([Self.notification(2, "x")]).headlines == ["Nr 2"])
    }

    @Test("A pattern that exceeds the limit of a search is reported once for each rule, until the rules change")
    func exceedingPattern() throws {
        func rule(_ pattern: String) throws -> Rule { try Self.rule(pattern) { $0.isMuted = true } }
        let slow = "/(a*)*\\d/"
        let category = String(repeating: "a", count: 40)
        let policy = Self.policy(try rule("x"), try rule(slow), try rule(slow + "i"))
        var driver = PopupsDriver(policy: policy)
        func reports(_ effects: [Popups.Effect]) -> [Rules.ExceedingPattern] {
            effects.compactMap { effect in
                if case .respond(.patternExceedsLimit(let exceeding)) = effect { exceeding } else { nil }
            }
        }
        let first = driver.arrive((1...2).map { Self.notification($0, category) })
        #expect(driver.showAll(first).calls.headlines == ["Nr 1", "Nr 2"])
        #expect(reports(first) == [.init(rule: 1, pattern: slow), .init(rule: 2, pattern: slow + "i")])
        #expect(reports(driver.arrive([Self.notification(3, category)])) == [])
        driver.receive(.held(.pause, exceptCritical: false))
        driver.arrive([Self.notification(4, category)])
        #expect(reports(driver.receive(.policyChanged(policy))) == [])
        let changed = Self.policy(try rule(slow))
        #expect(reports(driver.receive(.policyChanged(changed))) == [.init(rule: 0, pattern: slow)])
    }

    // MARK: mute

    @Test("A muted notification has no popup and counts as shown, also after a restart") func mute() throws {
        let policy = Self.policy(try Self.rule("news") { $0.isMuted = true }, markSeen: .shown)
        var driver = PopupsDriver(policy: policy)
        #expect(driver.arrive([Self.notification(1, "news")]) == [], "not seen either")
        #expect(driver.showings["1"] == 1)
        driver.restart(policy: policy)
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        #expect(driver.arrive([Self.notification(1, "news")]) == [])
        #expect(driver.showings["1"] == 1)
    }

    @Test("A muted notification is not part of a summary and starts no catch-up") func muteAmongOthers() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("news") { $0.isMuted = true }))
        let many = (1...9).map { Self.notification($0, $0 < 3 ? "x" : "news") }
        #expect(driver.showAll(driver.arrive(many)).calls.headlines == ["Nr 1", "Nr 2"])
        driver.arrive([Self.notification(10, "news")], isCatchUp: true)
        #expect(driver.waits[.catchUp] == nil)
    }

    // MARK: replace

    private static func threads(_ key: RuleEffects.ReplaceKey = .topic) throws -> PopupPolicy {
        policy(try rule("ci") { $0.replace = key })
    }

    @Test("A later notification of the same topic replaces the open popup") func replace() throws {
        var driver = PopupsDriver(policy: try Self.threads())
        driver.answer(driver.arrive([Self.notification(1, "ci", topic: "main")]), id: 7)
        let effects = driver.arrive([Self.notification(2, "ci", topic: "main")])
        #expect(effects.headlines == ["Nr 2"] && effects.replaced == [7])
        driver.answer(effects, id: 7)
        #expect(
            driver.invoke(7).first == .respond(.activated(PopupsDriver.reference(2), PopupsDriver.url(2), token: nil))
        )
        #expect(driver.showings == ["1": 1, "2": 1])
    }

    @Test("Another topic, account or category, no topic, and a closed popup are not replaced") func noReplacement()
        throws
    {
        var driver = PopupsDriver(policy: try Self.threads())
        driver.answer(driver.arrive([Self.notification(1, "ci", topic: "main")]), id: 7)
        func replaced(_ effects: [Popups.Effect]) -> [UInt32] { driver.showAll(effects).calls.replaced }
        #expect(replaced(driver.arrive([Self.notification(2, "ci", topic: "other")])) == [0])
        #expect(replaced(driver.arrive([Self.notification(3, "x", topic: "main")])) == [0])
        driver.fire(.burst)
        let elsewhere = Self.notification(4, "ci", topic: "main")
        let effects = driver.receive(.arrived(account: "home", [elsewhere], isCatchUp: false, now: driver.now))
        #expect(replaced(effects) == [0])
        #expect(replaced(driver.arrive([Self.notification(5, "ci")])) == [0])
        #expect(replaced(driver.arrive([Self.notification(6, "ci")])) == [0], "two without a topic")
        driver.fire(.burst)
        _ = driver.close(7, reason: 2)
        #expect(replaced(driver.arrive([Self.notification(8, "ci", topic: "main")])) == [0])
    }

    @Test(
        "The key of a thread is the topic, the category, the title or the rule",
        arguments: [
            (RuleEffects.ReplaceKey.topic, false), (.category, true), (.title, false), (.rule, true),
        ]
    )
    func keys(_ key: RuleEffects.ReplaceKey, _ isReplaced: Bool) throws {
        var driver = PopupsDriver(policy: try Self.threads(key))
        driver.answer(driver.arrive([Self.notification(1, "ci", topic: "a")]), id: 7)
        #expect(driver.arrive([Self.notification(2, "ci", topic: "b")]).replaced == [isReplaced ? 7 : 0])
    }

    @Test("While a popup is being sent, the newest of what follows waits for its id") func replaceInFlight() throws {
        var driver = PopupsDriver(policy: try Self.threads())
        let first = driver.arrive([Self.notification(1, "ci", topic: "main")])
        for number in 2...4 { #expect(driver.arrive([Self.notification(number, "ci", topic: "main")]) == []) }
        let next = driver.reply(to: first.requests[0], id: 7)
        #expect(next.headlines == ["Nr 4"] && next.replaced == [7])
        driver.answer(next, id: 7)
        #expect(driver.showings == ["1": 1, "2": 1, "3": 1, "4": 1], "superseded ones count as shown")
    }

    @Test("Of one thread that arrives at once, only the newest is shown") func replaceAtOnce() throws {
        var driver = PopupsDriver(policy: try Self.threads())
        let many = (1...9).map { Self.notification($0, "ci", topic: "main") }
        #expect(driver.arrive(many).headlines == ["Nr 9"])
    }

    @Test("The newest of a thread is shown, whatever the urgency of the earlier ones") func replaceUrgency() throws {
        let thread = try Self.rule("ci") { $0.replace = .topic }
        var urgent = thread
        urgent.conditions = RuleConditions([.init(.title, [try TextPattern("Nr 1")])])
        urgent.effects.urgency = .critical
        var driver = PopupsDriver(policy: Self.policy(urgent, thread))
        let both = (1...2).map { Self.notification($0, "ci", topic: "main") }
        #expect(driver.arrive(both).headlines == ["Nr 2"])
    }

    @Test("Hundreds of threads that waited become one summary, and later ones replace nothing in it")
    func manyThreads() throws {
        var driver = PopupsDriver(policy: try Self.threads())
        driver.receive(.held(.pause, exceptCritical: false))
        driver.arrive((1...900).map { Self.notification($0, "ci", topic: "\($0 % 450)") })
        let summary = driver.receive(.released(.pause, now: driver.now))
        // Beyond 500 waiting ones, the oldest are only counted.
        #expect(summary.headlines == ["850 new notifications"])
        driver.answer(summary, id: 1)
        driver.fire(.burst)
        #expect(driver.arrive([Self.notification(901, "ci", topic: "1")]).replaced == [0])
    }

    @Test("A thread replaces its popup three times in two seconds, then with the newest") func replaceRate() throws {
        var driver = PopupsDriver(policy: try Self.threads())
        var shown: [String] = []
        for number in 1...9 {
            let effects = driver.arrive([Self.notification(number, "ci", topic: "main")])
            shown += effects.headlines
            driver.answer(effects, id: 7)
        }
        #expect(shown == ["Nr 1", "Nr 2", "Nr 3"])
        let last = driver.fire(.burst)
        #expect(last.headlines == ["Nr 9"] && last.replaced == [7])
    }

    @Test("A thread survives a restart of the agent") func replaceAfterRestart() throws {
        var driver = PopupsDriver(policy: try Self.threads())
        driver.answer(driver.arrive([Self.notification(1, "ci", topic: "main")]), id: 7)
        driver.restart(policy: try Self.threads())
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        #expect(driver.arrive([Self.notification(2, "ci", topic: "main")]).replaced == [7])
    }

    // MARK: mark_seen, resident

    @Test(
        "mark_seen of a rule has priority",
        arguments: [
            (PopupPolicy.MarkSeen.dismissed, PopupPolicy.MarkSeen.never, false, false),
            (.never, .dismissed, false, true),
            (.never, .shown, true, false), (.shown, .dismissed, false, true),
        ]
    )
    func markSeen(_ general: PopupPolicy.MarkSeen, _ own: PopupPolicy.MarkSeen, _ whenShown: Bool, _ atEnd: Bool) throws
    {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("ci") { $0.markSeen = own }, markSeen: general))
        let seen = [Popups.Effect.respond(.seen([PopupsDriver.reference(1)]))]
        #expect(driver.answer(driver.arrive([Self.notification(1, "ci")]), id: 1) == (whenShown ? seen : []))
        let elsewhere = driver.receive(.seenElsewhere(PopupsDriver.reference(2)))
        #expect(elsewhere == [])
        #expect(driver.close(1, reason: 2) == (atEnd ? seen : []))
    }

    @Test("A popup that marks as seen when shown stays when that is reported") func seenWhenShown() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("ci") { $0.markSeen = .shown }))
        driver.answer(driver.arrive([Self.notification(1, "ci"), Self.notification(2, "x")]), id: 1)
        #expect(driver.receive(.seenElsewhere(PopupsDriver.reference(1))) == [])
        #expect(driver.receive(.seenElsewhere(PopupsDriver.reference(2))) == [.close(id: 2)])
    }

    @Test("A resident popup stays after a click and when it is read, until it is archived") func resident() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("ci") { $0.isResident = true }))
        driver.answer(driver.arrive([Self.notification(1, "ci"), Self.notification(2, "x")]), id: 1)
        let click = Popups.Effect.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: "t"))
        _ = driver.send(token: "t", of: 1)
        #expect(driver.invoke(1) == [click])
        #expect(driver.receive(.read(PopupsDriver.reference(1))) == [])
        let second = Popups.Effect.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil))
        #expect(driver.invoke(1) == [second], "a token is used once")
        #expect(driver.receive(.read(PopupsDriver.reference(2))) == [.close(id: 2)])
        #expect(driver.receive(.allRead(account: "work")) == [])
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(1))) == [.close(id: 1)])
    }

    // MARK: Summaries and changes

    @Test("A summary has the settings that all of its notifications share") func summary() throws {
        let rule = try Self.rule("ci") {
            $0.sound = .silent
            $0.icon = "ci"
            $0.timeout = .never
        }
        var driver = PopupsDriver(policy: Self.policy(rule))
        let same = try #require(driver.arrive((1...5).map { Self.notification($0, "ci") }).popups.first)
        #expect(same.summary == "5 new notifications")
        #expect(same.sound == .silent && same.icon == "ci" && same.timeout == 0)
        driver = PopupsDriver(policy: Self.policy(rule))
        let mixed = try #require(driver.arrive((1...5).map { Self.notification($0, $0 < 5 ? "ci" : "x") }).popups.first)
        #expect(mixed.summary == "5 new notifications")
        #expect(mixed.sound == nil && mixed.icon == "" && mixed.timeout == -1)
    }

    @Test("Changed rules apply to notifications that wait") func change() throws {
        var driver = PopupsDriver()
        driver.receive(.held(.pause, exceptCritical: true))
        #expect(driver.arrive([Self.notification(1, "a"), Self.notification(2, "b")]) == [])
        let policy = Self.policy(
            try Self.rule("a") { $0.isMuted = true },
            try Self.rule("b") { $0.urgency = .critical }
        )
        #expect(driver.receive(.policyChanged(policy)).headlines == ["Nr 2"])
        #expect(driver.showings == ["1": 1])
        #expect(driver.receive(.policyChanged(PopupPolicy())) == [])
        #expect(driver.receive(.released(.pause, now: driver.now)) == [])
    }

    @Test("Hidden text hides the rule's icon, and keeps its sound") func hiddenText() throws {
        let rule = try Self.rule("ci") {
            $0.icon = "ci"
            $0.sound = .silent
        }
        var policy = Self.policy(rule)
        policy.locked = .hideText
        var driver = PopupsDriver(policy: policy)
        driver.receive(.locked(true))
        let popup = try #require(driver.arrive([Self.notification(1, "ci")]).popups.first)
        #expect(popup.icon == "" && popup.sound == .silent)
    }
}
