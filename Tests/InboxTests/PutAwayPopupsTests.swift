import Basics
import Testing

@testable import Inbox

/// Popups that are open when the screen is locked, with `locked = "hold"`: they are closed, and shown again afterwards.
@Suite struct PutAwayPopupsTests {
    /// A driver with a locked session, after popups with the numbers were shown.
    private static func driver(_ numbers: [Int], _ name: String = "", vendor: String = "", version: String = "")
        -> PopupsDriver
    {
        var driver = PopupsDriver(policy: PopupPolicy(locked: .hold), server: nil)
        let features = ServerFeatures(capabilities: ["actions", "body"], name: name, vendor: vendor, version: version)
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        for number in numbers {
            driver.show(number)
            driver.fire(.burst)
        }
        #expect(driver.lock() == numbers.map { .close(id: UInt32($0)) })
        return driver
    }

    @Test(
        "They are closed, which counts neither as seen nor as dismissed, and are shown again without a sound",
        arguments: [1, 2, 3, 4] as [UInt32]
    )
    func single(_ reason: UInt32) {
        var driver = Self.driver([1])
        #expect(driver.close(1, reason: reason) == [])
        #expect(driver.kept["s1"]?[1] != nil)
        let again = driver.unlock()
        #expect(again.headlines == ["Nr 1"] && again.popups.map(\.sound) == [.silent])
        #expect(driver.answer(again, id: 2) == [.close(id: 1)])
        #expect(driver.kept["s1"].map { Array($0.keys) } == [2])
        #expect(driver.invoke(2).count == 2)
        #expect(driver.lock() == [] && driver.unlock() == [])
    }

    @Test("Many are one summary afterwards, also where popups are replaced in place", arguments: ["", "dunst"])
    func many(_ name: String) {
        var driver = Self.driver([1, 2, 3, 4], name)
        let again = driver.unlock()
        #expect(again.headlines == ["4 new notifications"] && again.popups.map(\.body) == ["Nr 4\nNr 3\nNr 2\nNr 1"])
        #expect(again.replaced == [0])
        driver.answer(again, id: 9)
        #expect(driver.invoke(9).contains(.respond(.seen((1...4).map { PopupsDriver.reference($0) }))))
    }

    @Test("GNOME puts them back into its list without a banner", arguments: ["47.9", "48.7"])
    func gnome(_ version: String) {
        var driver = Self.driver([1], "gnome-shell", vendor: "GNOME", version: version)
        #expect(driver.unlock().popups.map(\.urgency) == [Popup.low])
    }

    @Test("What was read, seen, archived or has expired meanwhile is not shown again") func gone() {
        var driver = Self.driver([1, 2, 3])
        #expect(driver.receive(.read(PopupsDriver.reference(1))) == [.close(id: 1)])
        #expect(driver.receive(.seenElsewhere(PopupsDriver.reference(2))) == [.close(id: 2)])
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(3))) == [.close(id: 3)])
        #expect(driver.unlock() == [])
        var expiring = PopupsDriver(policy: PopupPolicy(locked: .hold))
        expiring.answer(expiring.arrive([PopupsDriver.notification(1, expires: 2_000)]), id: 1)
        #expect(expiring.lock() == [.close(id: 1)])
        expiring.fire(.expiry)
        #expect(expiring.unlock() == [])
    }

    @Test("A popup that is sent while the screen is being locked is closed then") func inFlight() {
        var driver = PopupsDriver(policy: PopupPolicy(locked: .hold))
        let sent = driver.arrive(1)
        #expect(driver.lock() == [])
        #expect(driver.answer(sent, id: 1) == [.close(id: 1)])
        #expect(driver.unlock().headlines == ["Nr 1"])
    }

    @Test("They wait for the end of a pause that has begun meanwhile") func paused() {
        var driver = Self.driver([1])
        driver.receive(.held(.pause, exceptCritical: false))
        #expect(driver.unlock() == [])
        #expect(driver.receive(.released(.pause, now: driver.now)).headlines == ["Nr 1"])
    }

    @Test("A later notification of the same thread replaces the popup that is shown again") func thread() throws {
        var effects = RuleEffects()
        effects.replace = .category
        var driver = PopupsDriver(policy: PopupPolicy(locked: .hold, rules: Rules([Rule(RuleConditions(), effects)])))
        driver.answer(driver.arrive([PopupsDriver.notification(1, category: "ci")]), id: 1)
        driver.fire(.burst)
        driver.lock()
        #expect(driver.arrive([PopupsDriver.notification(2, category: "ci")]) == [])
        let again = driver.unlock()
        #expect(again.headlines == ["Nr 1"])
        let newer = driver.reply(to: again.requests[0], id: 2)
        #expect(newer.headlines == ["Nr 2"] && newer.replaced == [2])
    }

    @Test("If texts are hidden then, they are shown again without") func hidden() {
        var driver = Self.driver([1])
        driver.receive(.policyChanged(PopupPolicy(text: .hide)))
        #expect(driver.unlock().headlines == ["New notification"])
    }
}

extension PopupsDriver {
    /// The session is locked, as the agent reports it.
    @discardableResult
    fileprivate mutating func lock() -> [Popups.Effect] {
        receive(.locked(true)) + receive(.held(.locked, exceptCritical: false))
    }

    @discardableResult
    fileprivate mutating func unlock() -> [Popups.Effect] {
        receive(.locked(false)) + receive(.released(.locked, now: now))
    }
}
