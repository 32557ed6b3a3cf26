import Inbox
import TestSupport
import Testing

/// Servers that appear late, are replaced, are full, or emit every signal twice.
@Suite struct PopupsServerTests {
    private static func appeared(
        _ server: String = "s1",
        _ features: ServerFeatures = PopupsDriver.features,
        alias: String? = nil
    ) -> Popups.Event {
        .serverAppeared(server: server, features, alias: alias, now: PopupsDriver.now)
    }

    // MARK: Before the server is known

    @Test("A click before its server is known counts once") func earlyClick() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.show(2)
        driver.restart()
        #expect(driver.send(token: "tok", of: 1) == [])
        #expect(driver.invoke(1) == [])
        #expect(driver.close(2, reason: 2) == [])
        #expect(driver.invoke(2, server: "s9") == [], "of another program's server")
        #expect(
            driver.receive(Self.appeared()) == [
                .respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: "tok")), .close(id: 1),
                .respond(.seen([PopupsDriver.reference(2)])),
            ]
        )
        #expect(driver.receive(Self.appeared()) == [])
        #expect(driver.invoke(1) == [])
        #expect(driver.kept["s1"] == [:])
    }

    @Test("Signals before the server is known are kept for our own popups only") func earlySignalsOfOthers() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.restart()
        for id in 100..<200 { #expect(driver.close(UInt32(id), reason: 1) == []) }
        #expect(driver.invoke(1) == [])
        #expect(
            driver.receive(Self.appeared()) == [
                .respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 1),
            ]
        )
    }

    // MARK: A server that ended

    @Test("A Notify call to a server that ended is not a refusal") func lostServer() {
        var driver = PopupsDriver()
        for _ in 1...3 {
            let request = driver.arrive(1).requests
            #expect(driver.receive(.serverLost("s9")) == [])
            #expect(driver.receive(.serverLost("s1")) == [.needServer])
            #expect(driver.receive(.serverLost("s1")) == [])
            #expect(request.count <= 1)
            driver.fire(.burst)
            #expect(driver.receive(Self.appeared()).headlines == ["Nr 1"])
        }
    }

    // MARK: A server with unknown capabilities

    @Test("A popup is shown again when its server returns its capabilities") func lateCapabilities() {
        var driver = PopupsDriver(server: nil)
        driver.receive(Self.appeared("s1", ServerFeatures(capabilities: ["body"], isKnown: false)))
        var notification = PopupsDriver.notification(1)
        notification.body = "**a** & b"
        let first = driver.arrive([notification])
        #expect(first.popups.map(\.body) == ["a &amp; b"])
        driver.arrive(2)
        let features = ServerFeatures(capabilities: ["actions", "body", "body-markup"])
        #expect(driver.receive(Self.appeared("s1", features)) == [])
        #expect(!driver.popups.needs(first.requests[0]))
        let second = driver.showAll(driver.fire(.burst), id: 1).calls.popups
        #expect(second.map(\.body) == ["<b>a</b> &amp; b", ""])
        #expect(second.allSatisfy { !$0.buttons.isEmpty }, "also the one behind it")
        #expect(driver.showings == ["1": 1, "2": 1])
    }

    // MARK: A server that emits everything twice

    @Test("Of two copies of a signal the first counts", arguments: [false, true])
    func twoCopies(isBroadcastFirst: Bool) {
        var driver = PopupsDriver(server: nil)
        driver.receive(Self.appeared(alias: "shell"))
        driver.answer(driver.arrive(1, 2, 3, 4), id: 5)
        driver.fire(.burst)
        // The summary is being replaced under the same id when it is clicked.
        let replacing = driver.arrive(6, 7, 8, 9)
        #expect(replacing.replaced == [5])
        let (first, second) = isBroadcastFirst ? ("shell", "s1") : ("s1", "shell")
        #expect(
            driver.invoke(5, server: first) == [
                .respond(.seen([1, 2, 3, 4].map { PopupsDriver.reference($0) })),
                .respond(.openInbox(accounts: ["work"], newest: PopupsDriver.reference(4), token: nil)), .close(id: 5),
            ]
        )
        #expect(driver.invoke(5, server: second) == [])
        #expect(driver.answer(replacing, id: 5) == [])
        #expect(driver.kept["s1"]?[5] != nil)
        #expect(driver.invoke(5, server: first).count == 3, "a second click")
    }

    @Test("A broadcast click on a popup of the previous run counts") func broadcastAlone() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.show(2)
        driver.restart()
        #expect(driver.invoke(1, server: "shell") == [])
        #expect(
            driver.receive(Self.appeared(alias: "shell"))
                == [.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 1)]
        )
        #expect(
            driver.invoke(2, server: "shell") == [
                .respond(.activated(PopupsDriver.reference(2), PopupsDriver.url(2), token: nil)), .close(id: 2),
            ]
        )
    }

    // MARK: A full server

    @Test("On a full server the new popup replaces our oldest") func roomIsMade() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.show(2)
        driver.fire(.burst)
        let refused = driver.arrive(3).requests
        let effects = driver.receive(.refusedAsFull(refused[0], now: driver.now))
        #expect(effects.headlines == ["Nr 3"] && effects.replaced == [1])
        #expect(driver.popups.closesReplaced(effects.requests[0]))
        #expect(driver.answer(effects, id: 3) == [])
        #expect(driver.kept["s1"]?.keys.sorted() == [2, 3])
        #expect(driver.showings["3"] == 1)
    }

    @Test("A popup that a full server refuses is reported, kept and shown later") func noRoom() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.fire(.burst)
        let refused = driver.arrive(2).requests
        let again = driver.receive(.refusedAsFull(refused[0], now: driver.now)).requests
        #expect(driver.receive(.refusedAsFull(again[0], now: driver.now)) == [.respond(.serverIsFull(true))])
        driver.fire(.burst)
        #expect(driver.arrive(3) == [], "nothing is sent meanwhile")
        #expect(driver.waits[.full] == Popups.fullInterval)
        let later = driver.fire(.full)
        #expect(later.headlines == ["Nr 2"])
        let next = driver.receive(.refusedAsFull(later.requests[0], now: driver.now))
        #expect(next.headlines == ["Nr 3"])
        #expect(driver.receive(.refusedAsFull(next.requests[0], now: driver.now)) == [])
        #expect(driver.waits[.full] == Popups.fullInterval)
        driver.fire(.burst)
        let (last, others) = driver.showAll(driver.fire(.full), id: 8)
        #expect(last.headlines.sorted() == ["Nr 2", "Nr 3"])
        #expect(others == [.respond(.serverIsFull(false))])
        #expect(driver.showings == ["1": 1, "2": 1, "3": 1])
    }

    @Test("Popups kept for a full server are shown by the next server") func theNextServer() {
        var driver = PopupsDriver()
        let refused = driver.arrive(1).requests
        #expect(driver.receive(.refusedAsFull(refused[0], now: driver.now)) == [.respond(.serverIsFull(true))])
        #expect(driver.receive(.serverVanished) == [.respond(.serverIsFull(false)), .needServer])
        driver.fire(.burst)
        #expect(driver.receive(Self.appeared("s2")).headlines == ["Nr 1"])
    }
}
