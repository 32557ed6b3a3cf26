import Basics
import Testing

@testable import Inbox

/// Popups of a locked session whose texts are hidden.
@Suite struct HiddenTextTests {
    private typealias Driver = PopupsDriver

    private static func driver(_ name: String, _ vendor: String = "", _ version: String = "") -> Driver {
        var driver = Driver(policy: PopupPolicy(locked: .hideText), server: nil)
        let features = ServerFeatures(capabilities: ["actions", "body"], name: name, vendor: vendor, version: version)
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        driver.receive(.locked(true))
        return driver
    }

    @Test(
        "The list shows the text of a popup once the session is unlocked, without a sound or, if it can, a banner",
        arguments: [
            ("gnome-shell", "GNOME", "47.9", Popup.low), ("gnome-shell", "GNOME", "48.7", 1),
            ("gnome-shell", "GNOME", "50.2", 1), ("gnome-shell", "GNOME", "51.0", Popup.low),
            ("Xfce Notify Daemon", "Xfce", "0.9.7", 1),
        ]
    )
    func single(_ name: String, _ vendor: String, _ version: String, _ urgency: UInt8) {
        var driver = Self.driver(name, vendor, version)
        let hidden = driver.arrive(1)
        #expect(hidden.headlines == ["New notification"])
        driver.answer(hidden, id: 1)
        let revealed = driver.receive(.locked(false))
        #expect(revealed.headlines == ["Nr 1"])
        #expect(revealed.replaced == [1])
        #expect(revealed.popups.map(\.urgency) == [urgency])
        #expect(revealed.popups.map(\.sound) == [.silent])
        #expect(!driver.popups.closesReplaced(revealed.requests[0]))
        #expect(driver.answer(revealed, id: 1) == [])
        #expect(driver.kept["s1"]?[1]?.popup.summary == "Nr 1")
        #expect(driver.receive(.locked(false)) == [], "once")
        #expect(driver.invoke(1).count == 2)
    }

    @Test("A summary names its notifications once the session is unlocked") func summary() {
        var driver = Self.driver("gnome-shell", "GNOME", "48.7")
        let hidden = driver.arrive(1, 2, 3, 4)
        #expect(hidden.popups.map(\.body) == [""])
        driver.answer(hidden, id: 1)
        #expect(driver.receive(.locked(false)).popups.map(\.body) == ["Nr 4 · Nr 3 · Nr 2 · Nr 1"])
    }

    @Test("A popup that is sent while the session is being unlocked shows its text then") func inFlight() {
        var driver = Self.driver("gnome-shell", "GNOME", "48.7")
        let hidden = driver.arrive(1)
        #expect(driver.receive(.locked(false)) == [])
        #expect(driver.answer(hidden, id: 1).headlines == ["Nr 1"])
    }

    @Test("Where a replaced popup appears again, it is left as it is") func others() {
        var driver = Self.driver("Plasma", "KDE", "6.7.4")
        driver.answer(driver.arrive(1), id: 1)
        #expect(driver.receive(.locked(false)) == [])
    }

    @Test("A later summary has the title of a popup whose text was hidden") func title() {
        var driver = Self.driver("Plasma", "KDE", "6.7.4")
        driver.answer(driver.arrive(1, 2, 3), id: 1)
        driver.receive(.locked(false))
        driver.arrive(4)
        #expect(driver.fire(.burst).popups.map(\.body) == ["Nr 4\nNr 3\nNr 2\nNr 1"])
    }
}
