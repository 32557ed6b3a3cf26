import Inbox
import TestSupport
import Testing

/// Servers that come late, are replaced, have no room, or emit everything twice.
@Suite struct PopupsServerTests {
    private static func appeared(
        _ server: String = "s1",
        _ features: ServerFeatures = Desk.features,
        alias: String? = nil
    ) -> Popups.Event {
        .serverAppeared(server: server, features, alias: alias, now: Desk.now)
    }

    // MARK: Before the server is known

    @Test("A click that comes before its server is known is counted once (11.10)") func earlyClick() {
        var desk = Desk()
        desk.show(1)
        desk.show(2)
        desk.restart()
        #expect(desk.receive(.activationToken(server: "s1", id: 1, token: "tok")) == [])
        #expect(desk.invoke(1) == [])
        #expect(desk.close(2, reason: 2) == [])
        #expect(desk.invoke(2, server: "s9") == [], "of another program's server")
        #expect(
            desk.receive(Self.appeared()) == [
                .activated(Desk.subject(1), Desk.url(1), token: "tok"), .close(id: 1), .seen([Desk.subject(2)]),
            ]
        )
        #expect(desk.receive(Self.appeared()) == [])
        #expect(desk.invoke(1) == [])
        #expect(desk.kept["s1"] == [:])
    }

    @Test("What comes before the server is known is limited to our own popups (11.10)") func earlySignalsOfOthers() {
        var desk = Desk()
        desk.show(1)
        desk.restart()
        for id in 100..<200 { #expect(desk.close(UInt32(id), reason: 1) == []) }
        #expect(desk.invoke(1) == [])
        #expect(
            desk.receive(Self.appeared()) == [.activated(Desk.subject(1), Desk.url(1), token: nil), .close(id: 1)]
        )
    }

    // MARK: A server that is gone

    @Test("A call that finds its server gone is no refusal (11.18)") func lostServer() {
        var desk = Desk()
        for _ in 1...3 {
            let request = desk.arrive(1).requests
            #expect(desk.receive(.serverLost("s9")) == [])
            #expect(desk.receive(.serverLost("s1")) == [.needServer])
            #expect(desk.receive(.serverLost("s1")) == [])
            #expect(request.count <= 1)
            desk.fire(.burst)
            #expect(desk.receive(Self.appeared()).headlines == ["Nr 1"])
        }
    }

    // MARK: A server that did not say what it can do

    @Test("A popup is made anew when its server says what it can do (11.16)") func lateCapabilities() {
        var desk = Desk(server: nil)
        desk.receive(Self.appeared("s1", ServerFeatures(capabilities: ["body"], isKnown: false)))
        var item = Desk.item(1)
        item.body = "**a** & b"
        let first = desk.arrive([item])
        #expect(first.popups.map(\.body) == ["a &amp; b"])
        desk.receive(Self.appeared("s1", ServerFeatures(capabilities: ["body", "body-markup"])))
        let second = desk.receive(.unsent(first.requests[0], now: Desk.now))
        #expect(second.popups.map(\.body) == ["<b>a</b> &amp; b"])
        desk.answer(second, id: 1)
        #expect(desk.showings == ["1": 1])
    }

    // MARK: A server that emits everything twice

    @Test("Of two copies of a signal one counts, whichever comes first (11.17c)", arguments: [false, true])
    func twoCopies(isBroadcastFirst: Bool) {
        var desk = Desk(server: nil)
        desk.receive(Self.appeared(alias: "shell"))
        desk.answer(desk.arrive(1, 2, 3, 4), id: 5)
        desk.fire(.burst)
        // The summary is being replaced under the same id when it is clicked.
        let replacing = desk.arrive(6, 7, 8, 9)
        #expect(replacing.replaced == [5])
        let (first, second) = isBroadcastFirst ? ("shell", "s1") : ("s1", "shell")
        #expect(desk.invoke(5, server: first) == [.seen([1, 2, 3, 4].map { Desk.subject($0) }), .close(id: 5)])
        #expect(desk.invoke(5, server: second) == [])
        #expect(desk.answer(replacing, id: 5) == [])
        #expect(desk.kept["s1"]?[5] != nil)
        #expect(desk.invoke(5, server: first).count == 2, "a second click")
    }

    @Test("A broadcast click on a popup of the previous run counts (11.17c)") func broadcastAlone() {
        var desk = Desk()
        desk.show(1)
        desk.show(2)
        desk.restart()
        #expect(desk.invoke(1, server: "shell") == [])
        #expect(
            desk.receive(Self.appeared(alias: "shell"))
                == [.activated(Desk.subject(1), Desk.url(1), token: nil), .close(id: 1)]
        )
        #expect(
            desk.invoke(2, server: "shell") == [.activated(Desk.subject(2), Desk.url(2), token: nil), .close(id: 2)]
        )
    }

    // MARK: A server without room

    @Test("A server without room gets the new popup in place of our oldest (11.17b)") func roomIsMade() {
        var desk = Desk()
        desk.show(1)
        desk.show(2)
        desk.fire(.burst)
        let refused = desk.arrive(3).requests
        let effects = desk.receive(.refusedAsFull(refused[0], now: desk.now))
        #expect(effects.first == .close(id: 1))
        #expect(effects.headlines == ["Nr 3"])
        #expect(desk.answer(effects, id: 3) == [])
        #expect(desk.kept["s1"]?.keys.sorted() == [2, 3])
        #expect(desk.showings["3"] == 1)
    }

    @Test("What has no room is kept, reported, and shown later (11.17b)") func noRoom() {
        var desk = Desk()
        desk.show(1)
        desk.fire(.burst)
        let refused = desk.arrive(2).requests
        let again = desk.receive(.refusedAsFull(refused[0], now: desk.now)).requests
        #expect(desk.receive(.refusedAsFull(again[0], now: desk.now)) == [.serverIsFull(true)])
        desk.fire(.burst)
        #expect(desk.arrive(3) == [], "nothing is sent meanwhile")
        #expect(desk.waits[.full] == Popups.fullInterval)
        let later = desk.fire(.full)
        #expect(later.headlines == ["Nr 2", "Nr 3"])
        for request in later.requests { #expect(desk.receive(.refusedAsFull(request, now: desk.now)) == []) }
        #expect(desk.waits[.full] == Popups.fullInterval)
        desk.fire(.burst)
        let last = desk.fire(.full)
        #expect(last.headlines.sorted() == ["Nr 2", "Nr 3"])
        #expect(desk.answer(last, id: 8) == [.serverIsFull(false)])
        #expect(desk.showings == ["1": 1, "2": 1, "3": 1])
    }

    @Test("The next server has room again (11.17b)") func theNextServer() {
        var desk = Desk()
        let refused = desk.arrive(1).requests
        #expect(desk.receive(.refusedAsFull(refused[0], now: desk.now)) == [.serverIsFull(true)])
        #expect(desk.receive(.serverVanished) == [.serverIsFull(false), .needServer])
        desk.fire(.burst)
        #expect(desk.receive(Self.appeared("s2")).headlines == ["Nr 1"])
    }
}
