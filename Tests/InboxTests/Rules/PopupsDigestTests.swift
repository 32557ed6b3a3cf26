import Basics
import Inbox
import TestSupport
import Testing

/// Rules that collect notifications.
@Suite struct PopupsDigestTests {
    private static func rule(_ category: String, after interval: Duration = .seconds(3_600)) throws -> Rule {
        var effects = RuleEffects()
        effects.digest = interval
        return Rule(RuleConditions([.init(.category, [try TextPattern(category)])]), effects)
    }

    private static func policy(_ rules: Rule...) -> PopupPolicy { PopupPolicy(rules: Rules(rules)) }

    private static func notification(_ number: Int, _ category: String = "news") -> Notification {
        PopupsDriver.notification(number, category: category)
    }

    @Test("Notifications of a digest are shown together an hour after the first") func digest() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("news")))
        #expect(driver.arrive([Self.notification(1)]) == [])
        #expect(driver.waits[.digest] == .seconds(3_600))
        driver.now = Timestamp(milliseconds: 1_000 + 600_000)
        let other = driver.arrive([Self.notification(2), Self.notification(3, "x")])
        #expect(driver.showAll(other).calls.headlines == ["Nr 3"])
        #expect(driver.waits[.digest] == .seconds(3_600), "the timer runs on")
        driver.waits[.digest] = .seconds(3_000)
        let effects = driver.fire(.digest)
        #expect(effects.headlines == ["2 new notifications"])
        #expect(effects.popups.first?.body == "Nr 2\nNr 1")
        driver.answer(effects, id: 9)
        #expect(driver.showings == ["1": 1, "2": 1, "3": 1])
        #expect(driver.invoke(9).first == .respond(.seen([PopupsDriver.reference(1), PopupsDriver.reference(2)])))
    }

    @Test("A digest of one notification is that notification") func single() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("news")))
        driver.arrive([Self.notification(1)])
        #expect(driver.fire(.digest).headlines == ["Nr 1"])
        #expect(driver.arrive([Self.notification(2)]) == [])
        #expect(driver.waits[.digest] == .seconds(3_600), "the next one begins with the next notification")
    }

    @Test("Each rule has its own digest") func twoRules() throws {
        let rules = Self.policy(try Self.rule("news"), try Self.rule("mail", after: .seconds(60)))
        var driver = PopupsDriver(policy: rules)
        driver.arrive((1...4).map { Self.notification($0, $0 < 3 ? "news" : "mail") })
        #expect(driver.waits[.digest] == .seconds(60))
        #expect(driver.showAll(driver.fire(.digest)).calls.popups.map(\.body) == ["Nr 4\nNr 3"])
        #expect(driver.waits[.digest] == .seconds(3_540))
        _ = driver.close(1_000, reason: 2)
        #expect(driver.fire(.digest).popups.map(\.body) == ["Nr 2\nNr 1"])
        #expect(driver.waits[.digest] == nil)
    }

    @Test("A notification that is read before its digest is not in it") func withdrawn() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("news")))
        driver.arrive((1...3).map { Self.notification($0) })
        driver.receive(.read(PopupsDriver.reference(2)))
        #expect(driver.fire(.digest).popups.map(\.body) == ["Nr 3\nNr 1"])
        #expect(driver.fire(.digest) == [])
    }

    @Test("A pause holds a digest back, and a collected notification starts no server") func held() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("news")), server: nil)
        #expect(driver.arrive([Self.notification(1), Self.notification(2)]) == [])
        driver.receive(.held(.pause, exceptCritical: false))
        #expect(driver.fire(.digest) == [])
        #expect(driver.receive(.released(.pause, now: driver.now)) == [.needServer])
        let effects = driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        #expect(effects.headlines == ["2 new notifications"])
    }

    @Test("What was collected when the agent ends is collected again") func restart() throws {
        let policy = Self.policy(try Self.rule("news"))
        var driver = PopupsDriver(policy: policy)
        driver.receive(.caughtUp(account: "work", newest: 0))
        driver.arrive([Self.notification(1), Self.notification(2)])
        driver.receive(.caughtUp(account: "work", newest: Timestamp(milliseconds: 10_000_000)))
        driver.restart(policy: policy)
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        #expect(driver.marks["work"]?.watermark.map { $0 < PopupsDriver.created(1) } == true)
        driver.arrive([Self.notification(1), Self.notification(2)], isCatchUp: true)
        #expect(driver.fire(.catchUp) == [])
        #expect(driver.fire(.digest).headlines == ["2 new notifications"])
    }

    @Test("A digest that is no longer configured is shown") func change() throws {
        var driver = PopupsDriver(policy: Self.policy(try Self.rule("news")))
        driver.arrive([Self.notification(1)])
        #expect(driver.receive(.policyChanged(PopupPolicy())).headlines == ["Nr 1"])
    }
}
