import Inbox
import TestSupport
import Testing

@Suite struct PopupsTests {
    @Test func clickOpensAndCounts() {
        var desk = Desk()
        desk.show(1)
        desk.show(2)
        #expect(desk.receive(.activationToken(server: "s1", id: 2, token: "tok")) == [])
        #expect(desk.invoke(2) == [.activated(Desk.subject(2), Desk.url(2), token: "tok"), .close(id: 2)])
        #expect(desk.invoke(2) == [], "once is enough")
        #expect(desk.close(2, reason: 2) == [])
    }

    @Test func signalsOfOthersMeanNothing() {
        var desk = Desk()
        desk.show(1)
        #expect(desk.invoke(1, server: "s9") == [])
        #expect(desk.invoke(77) == [])
        #expect(desk.invoke(1, "never-offered") == [])
    }

    @Test(arguments: [
        (UInt32(2), PopupPolicy.MarkSeen.dismissed, true), (1, .dismissed, false), (3, .dismissed, false),
        (2, .never, false),
    ])
    func onlyADismissalIsSeen(_ reason: UInt32, _ markSeen: PopupPolicy.MarkSeen, _ isSeen: Bool) {
        var desk = Desk(policy: PopupPolicy(markSeen: markSeen))
        desk.show(1)
        #expect(desk.close(1, reason: reason) == (isSeen ? [.seen([Desk.subject(1)])] : []))
    }

    @Test(
        "Only a click counts as a click, whatever else becomes of a popup (12.29)",
        arguments: [PopupPolicy.MarkSeen.never, .shown, .dismissed],
        [1, 2, 3, 4, 99] as [UInt32]
    )
    func onlyAClickIsAClick(markSeen: PopupPolicy.MarkSeen, reason: UInt32) {
        var desk = Desk(policy: PopupPolicy(markSeen: markSeen))
        var effects: [Popups.Effect] = []
        for number in 1...4 { effects += desk.show(number) }
        effects += desk.receive(.activationToken(server: "s1", id: 1, token: "tok"))
        effects += desk.close(1, reason: reason)
        effects += desk.invoke(1)
        effects += desk.receive(.withdrawn(Desk.subject(2)))
        effects += desk.invoke(2)
        effects += desk.receive(.locked(true)) + desk.receive(.locked(false))
        effects += desk.receive(.serverVanished)
        effects += desk.receive(.serverAppeared(server: "s2", Desk.features, now: desk.now))
        effects += desk.close(3, reason: reason, server: "s2")
        effects += desk.receive(.accountRemoved("work"))
        #expect(!effects.contains { if case .activated = $0 { true } else { false } }, "\(effects)")
    }

    @Test func shownCanBeSeen() {
        var desk = Desk(policy: PopupPolicy(markSeen: .shown))
        #expect(desk.show(1) == [.seen([Desk.subject(1)])])
    }

    @Test func idsDieWithTheirServer() {
        var desk = Desk()
        desk.show(1)
        desk.show(2)
        #expect(desk.receive(.serverVanished) == [])
        #expect(
            desk.receive(.serverAppeared(server: "s5", Desk.features, now: Desk.now)) == [],
            "nothing is shown twice"
        )
        desk.answer(desk.arrive(3), id: 1)
        #expect(desk.invoke(1) == [], "the old server is gone")
        #expect(desk.invoke(2, server: "s5") == [])
        #expect(
            desk.invoke(1, server: "s5") == [.activated(Desk.subject(3), Desk.url(3), token: nil), .close(id: 1)]
        )
    }

    @Test func waitsForAServer() {
        var desk = Desk(server: nil)
        #expect(desk.arrive(1) == [.needServer])
        #expect(desk.arrive(2) == [.needServer])
        let effects = desk.receive(.serverAppeared(server: "s1", Desk.features, now: Desk.now))
        #expect(effects.headlines == ["Nr 1", "Nr 2"])
    }

    @Test func whatWasOnItsWayToALostServerIsShownByTheNext() {
        var desk = Desk()
        let request = desk.arrive(1).requests[0]
        #expect(desk.receive(.serverVanished) == [.needServer])
        #expect(desk.receive(.failed(request, retry: true, now: Desk.now)) == [.needServer])
        desk.fire(.burst)
        let effects = desk.receive(.serverAppeared(server: "s2", Desk.features, now: Desk.now))
        #expect(effects.headlines == ["Nr 1"])
    }

    @Test func refusedPopupsAreTriedOnceMoreAfterAWhile() {
        var desk = Desk()
        #expect(desk.receive(.failed(desk.arrive(1).requests[0], retry: false, now: Desk.now)) == [])
        let again = desk.fire(.burst)
        #expect(again.headlines == ["Nr 1"])
        #expect(desk.receive(.failed(again.requests[0], retry: false, now: Desk.now)) == [])
        #expect(desk.fire(.burst) == [])
        #expect(desk.receive(.serverVanished) == [])
    }

    @Test func signalsMayOvertakeTheAnswer() {
        var desk = Desk()
        let effects = desk.arrive(1)
        #expect(desk.receive(.activationToken(server: "s1", id: 9, token: "early")) == [])
        #expect(desk.invoke(9) == [])
        #expect(
            desk.answer(effects, id: 9)
                == [.activated(Desk.subject(1), Desk.url(1), token: "early"), .close(id: 9)]
        )
        #expect(desk.kept["s1"] == [:])
    }

    @Test func expiredIsNotShown() {
        var desk = Desk()
        #expect(desk.arrive([Desk.item(1, expires: 1_000), Desk.item(2, expires: 1_001)]).headlines == ["Nr 2"])
    }

    @Test func whatExpiresOnTheScreenIsClosed() {
        var desk = Desk()
        let items = [Desk.item(1, expires: 9_000), Desk.item(2, expires: 5_000), Desk.item(3)]
        desk.answer(desk.arrive(items), id: 1)
        #expect(desk.waits[.expiry] == .seconds(4))
        #expect(desk.fire(.expiry) == [.close(id: 2)])
        #expect(desk.waits[.expiry] == .seconds(4))
        // The clock is set forward.
        #expect(desk.receive(.fired(.expiry, now: Timestamp(milliseconds: 3_600_000))) == [.close(id: 1)])
    }

    @Test func whatIsGoneElsewhereIsClosed() {
        var desk = Desk()
        desk.show(1)
        desk.show(2)
        #expect(desk.receive(.withdrawn(Desk.subject(1))) == [.close(id: 1)])
        let effects = desk.arrive(3)
        #expect(desk.receive(.withdrawn(Desk.subject(3))) == [])
        #expect(desk.answer(effects, id: 3) == [.close(id: 3)])
        #expect(desk.receive(.accountRemoved("work")) == [.close(id: 2)])
    }

    @Test func aSummaryIsClosedWithTheLastOfItsNotifications() {
        var desk = Desk()
        desk.answer(desk.arrive(1, 2, 3, 4), id: 5)
        for number in 1...3 { #expect(desk.receive(.withdrawn(Desk.subject(number))) == []) }
        #expect(desk.receive(.withdrawn(Desk.subject(4))) == [.close(id: 5)])
    }

    @Test func theLockedScreenTellsNothing() throws {
        var desk = Desk(policy: PopupPolicy(groupAbove: 2, locked: .hideText))
        desk.receive(.locked(true))
        var item = Desk.item(1)
        item.body = "secret"
        item.actions = [.init(name: "Approve the raise", url: "https://example.com/yes")]
        let popup = try #require(desk.arrive([item]).popups.first)
        #expect(popup.summary == "New notification")
        #expect(popup.body == "")
        #expect(popup.buttons.map(\.label) == ["Open"])
        desk.fire(.burst)
        let summary = try #require(desk.arrive(2, 3, 4).popups.first)
        #expect(summary.summary == "3 new notifications")
        #expect(summary.body == "")
        desk.receive(.locked(false))
        desk.fire(.burst)
        #expect(desk.arrive(5).headlines == ["Nr 5"])
    }

    /// Any order of events: no trap, and no notification is activated more often than it was announced.
    @Test func anyOrderOfEvents() {
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var desk = Desk(server: nil)
            var open: [Popups.Request] = []
            var announced = 0
            var activated = 0
            for _ in 0..<200 {
                let id = UInt32.random(in: 0...6, using: &random)
                let server = "s\(Int.random(in: 1...2, using: &random))"
                let request = open.randomElement(using: &random)
                let events: [Popups.Event] = [
                    .arrived(
                        account: "work",
                        [Desk.item(announced)],
                        isCatchUp: id.isMultiple(of: 3),
                        now: desk.now
                    ),
                    .serverAppeared(server: server, Desk.features, now: desk.now), .serverVanished,
                    .actionInvoked(server: server, id: id, key: "default"),
                    .closed(server: server, id: id, reason: 2),
                    .activationToken(server: server, id: id, token: "t"), .withdrawn(Desk.subject(Int(id))),
                    request.map { .shown($0, id: id, now: desk.now) } ?? .serverVanished,
                    request.map { .failed($0, retry: id.isMultiple(of: 2), now: desk.now) } ?? .serverVanished,
                    .held(.pause, exceptCritical: false), .released(.pause, now: desk.now),
                    .fired(.burst, now: desk.now), .fired(.settled, now: desk.now), .accountOnline("work"),
                ]
                let event = events.randomElement(using: &random)!
                if case .arrived = event { announced += 1 }
                for effect in desk.receive(event) {
                    if case .notify(let request, _, _) = effect { open.append(request) }
                    if case .activated = effect { activated += 1 }
                }
            }
            #expect(activated <= announced)
        }
    }
}
