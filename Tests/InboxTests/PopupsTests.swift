import Inbox
import TestSupport
import Testing

@Suite struct PopupsTests {
    static let features = ServerFeatures(capabilities: ["actions", "body"])
    static let now = Timestamp(milliseconds: 1_000)

    static func item(_ number: Int, expires: Int64? = nil) -> Item {
        var item = Item(id: ItemID("\(number)"), title: "Nr \(number)", created: now)
        item.url = "https://example.com/\(number)"
        item.expires = expires.map(Timestamp.init(milliseconds:))
        return item
    }

    static func subject(_ number: Int, _ account: String = "work") -> Popups.Subject {
        Popups.Subject(account: account, item: ItemID("\(number)"))
    }

    static func arrived(_ numbers: Int...) -> Popups.Event {
        .arrived(account: "work", numbers.map { item($0) }, now: now)
    }

    /// A machine with a server, and the popups it already shows with ids 1, 2, …
    static func machine(policy: PopupPolicy = PopupPolicy(), showing count: Int = 0) -> Popups {
        var popups = Popups(policy: policy)
        _ = popups.receive(.serverAppeared(owner: ":1.1", features, now: Self.now))
        for number in 0..<count {
            let effects = popups.receive(arrived(number + 1))
            guard case .notify(let request, _)? = effects.first else { continue }
            _ = popups.receive(.shown(request, id: UInt32(number + 1), now: Self.now))
        }
        return popups
    }

    static func requests(_ effects: [Popups.Effect]) -> [Popups.Request] {
        effects.compactMap { effect in
            guard case .notify(let request, _) = effect else { return nil }
            return request
        }
    }

    static func summaries(_ effects: [Popups.Effect]) -> [String] {
        effects.compactMap { effect in
            guard case .notify(_, let popup) = effect else { return nil }
            return popup.summary
        }
    }

    @Test func clickOpensAndCounts() {
        var popups = Self.machine(showing: 2)
        #expect(popups.receive(.activationToken(owner: ":1.1", id: 2, token: "tok")) == [])
        let url = OpenableURL("https://example.com/2", schemes: ["https"])
        #expect(
            popups.receive(.actionInvoked(owner: ":1.1", id: 2, key: "default"))
                == [.activated(Self.subject(2), url, token: "tok"), .close(id: 2)]
        )
        #expect(popups.receive(.actionInvoked(owner: ":1.1", id: 2, key: "default")) == [], "once is enough")
        #expect(popups.receive(.closed(owner: ":1.1", id: 2, reason: 2)) == [])
    }

    @Test func signalsOfOthersMeanNothing() {
        var popups = Self.machine(showing: 1)
        #expect(popups.receive(.actionInvoked(owner: ":1.9", id: 1, key: "default")) == [])
        #expect(popups.receive(.actionInvoked(owner: ":1.1", id: 77, key: "default")) == [])
        #expect(popups.receive(.actionInvoked(owner: ":1.1", id: 1, key: "never-offered")) == [])
    }

    @Test(arguments: [
        (UInt32(2), PopupPolicy.MarkSeen.dismissed, true), (1, .dismissed, false), (3, .dismissed, false),
        (2, .never, false),
    ])
    func onlyADismissalIsSeen(_ reason: UInt32, _ markSeen: PopupPolicy.MarkSeen, _ isSeen: Bool) {
        var popups = Self.machine(policy: PopupPolicy(markSeen: markSeen), showing: 1)
        #expect(
            popups.receive(.closed(owner: ":1.1", id: 1, reason: reason)) == (isSeen ? [.seen([Self.subject(1)])] : [])
        )
    }

    @Test func shownCanBeSeen() {
        var popups = Self.machine(policy: PopupPolicy(markSeen: .shown))
        let request = Self.requests(popups.receive(Self.arrived(1)))[0]
        #expect(popups.receive(.shown(request, id: 1, now: Self.now)) == [.seen([Self.subject(1)])])
    }

    @Test func idsDieWithTheirServer() {
        var popups = Self.machine(showing: 2)
        #expect(popups.receive(.serverVanished) == [])
        #expect(
            popups.receive(.serverAppeared(owner: ":1.5", Self.features, now: Self.now)) == [],
            "nothing is shown twice"
        )
        let request = Self.requests(popups.receive(Self.arrived(3)))[0]
        _ = popups.receive(.shown(request, id: 1, now: Self.now))
        let url = OpenableURL("https://example.com/3", schemes: ["https"])
        #expect(popups.receive(.actionInvoked(owner: ":1.1", id: 1, key: "default")) == [], "the old server is gone")
        #expect(popups.receive(.actionInvoked(owner: ":1.5", id: 2, key: "default")) == [])
        #expect(
            popups.receive(.actionInvoked(owner: ":1.5", id: 1, key: "default"))
                == [.activated(Self.subject(3), url, token: nil), .close(id: 1)]
        )
    }

    @Test func waitsForAServer() {
        var popups = Popups(policy: PopupPolicy())
        #expect(popups.receive(Self.arrived(1)) == [.needServer])
        #expect(popups.receive(Self.arrived(2)) == [.needServer])
        let effects = popups.receive(.serverAppeared(owner: ":1.1", Self.features, now: Self.now))
        #expect(Self.summaries(effects) == ["Nr 1", "Nr 2"])
    }

    @Test func whatWasOnItsWayToALostServerIsShownByTheNext() {
        var popups = Self.machine()
        let request = Self.requests(popups.receive(Self.arrived(1)))[0]
        #expect(popups.receive(.serverVanished) == [.needServer])
        #expect(popups.receive(.failed(request, retry: true, now: Self.now)) == [])
        let effects = popups.receive(.serverAppeared(owner: ":1.2", Self.features, now: Self.now))
        #expect(Self.summaries(effects) == ["Nr 1"])
    }

    @Test func refusedPopupsAreNotTriedAgain() {
        var popups = Self.machine()
        let request = Self.requests(popups.receive(Self.arrived(1)))[0]
        #expect(popups.receive(.failed(request, retry: false, now: Self.now)) == [])
        #expect(popups.receive(.serverVanished) == [])
    }

    @Test func signalsMayOvertakeTheAnswer() {
        var popups = Self.machine()
        let request = Self.requests(popups.receive(Self.arrived(1)))[0]
        #expect(popups.receive(.activationToken(owner: ":1.1", id: 9, token: "early")) == [])
        #expect(popups.receive(.actionInvoked(owner: ":1.1", id: 9, key: "default")) == [])
        let url = OpenableURL("https://example.com/1", schemes: ["https"])
        #expect(
            popups.receive(.shown(request, id: 9, now: Self.now)) == [
                .activated(Self.subject(1), url, token: "early"), .close(id: 9),
            ]
        )
    }

    @Test func expiredIsNotShown() {
        var popups = Self.machine()
        let items = [Self.item(1, expires: 1_000), Self.item(2, expires: 1_001)]
        #expect(Self.summaries(popups.receive(.arrived(account: "work", items, now: Self.now))) == ["Nr 2"])
    }

    @Test func manyAtOnceBecomeOne() {
        var popups = Self.machine()
        let effects = popups.receive(Self.arrived(1, 2, 3, 4))
        #expect(Self.summaries(effects) == ["4 new notifications"])
        _ = popups.receive(.shown(Self.requests(effects)[0], id: 5, now: Self.now))
        #expect(popups.receive(.withdrawn(Self.subject(1))) == [], "the others are still there")
        #expect(
            popups.receive(.actionInvoked(owner: ":1.1", id: 5, key: "default"))
                == [.seen([1, 2, 3, 4].map { Self.subject($0) }), .close(id: 5)]
        )
    }

    @Test func pauseHoldsBack() {
        var popups = Self.machine()
        #expect(popups.receive(.paused(true, now: Self.now)) == [])
        #expect(popups.receive(Self.arrived(1)) == [])
        #expect(popups.receive(.serverVanished) == [])
        #expect(popups.receive(.serverAppeared(owner: ":1.3", Self.features, now: Self.now)) == [])
        #expect(Self.summaries(popups.receive(.paused(false, now: Self.now))) == ["Nr 1"])
    }

    @Test func aSlowServerGetsASummaryOfTheRest() {
        var popups = Self.machine()
        var requests: [Popups.Request] = []
        for number in 0..<(Popups.inFlightLimit + 10) {
            requests += Self.requests(popups.receive(Self.arrived(number)))
        }
        #expect(requests.count == Popups.inFlightLimit)
        #expect(Self.summaries(popups.receive(.shown(requests[0], id: 1, now: Self.now))) == ["10 new notifications"])
    }

    @Test func whatIsGoneElsewhereIsClosed() {
        var popups = Self.machine(showing: 2)
        #expect(popups.receive(.withdrawn(Self.subject(1))) == [.close(id: 1)])
        let request = Self.requests(popups.receive(Self.arrived(3)))[0]
        #expect(popups.receive(.withdrawn(Self.subject(3))) == [])
        #expect(popups.receive(.shown(request, id: 3, now: Self.now)) == [.close(id: 3)])
        #expect(popups.receive(.accountRemoved("work")) == [.close(id: 2)])
    }

    @Test func memoryIsBounded() {
        var popups = Popups(policy: PopupPolicy(groupAbove: 1_000))
        for number in 0..<500 { _ = popups.receive(Self.arrived(number)) }
        let effects = popups.receive(.serverAppeared(owner: ":1.1", Self.features, now: Self.now))
        #expect(effects.count == Popups.waitingLimit)
        #expect(Self.summaries(effects).last == "Nr 499")
    }

    /// Any order of events: no trap, and no notification is activated more often than it was announced.
    @Test func anyOrderOfEvents() {
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var popups = Popups(policy: PopupPolicy())
            var open: [Popups.Request] = []
            var announced = 0
            var activated = 0
            for _ in 0..<200 {
                let id = UInt32.random(in: 0...6, using: &random)
                let owner = ":1.\(Int.random(in: 1...2, using: &random))"
                let events: [Popups.Event] = [
                    Self.arrived(announced), .serverAppeared(owner: owner, Self.features, now: Self.now),
                    .serverVanished,
                    .actionInvoked(owner: owner, id: id, key: "default"), .closed(owner: owner, id: id, reason: 2),
                    .activationToken(owner: owner, id: id, token: "t"), .withdrawn(Self.subject(Int(id))),
                    open.randomElement(using: &random).map { .shown($0, id: id, now: Self.now) } ?? .serverVanished,
                    open.randomElement(using: &random).map { .failed($0, retry: id.isMultiple(of: 2), now: Self.now) }
                        ?? .serverVanished,
                    .paused(id.isMultiple(of: 2), now: Self.now),
                ]
                let event = events.randomElement(using: &random)!
                if case .arrived = event { announced += 1 }
                for effect in popups.receive(event) {
                    if case .notify(let request, _) = effect { open.append(request) }
                    if case .activated = effect { activated += 1 }
                }
            }
            #expect(activated <= announced)
        }
    }
}
