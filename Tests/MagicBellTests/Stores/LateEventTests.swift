import Basics
import ClientKit
import Testing

@testable import MagicBell

@Suite("Answers and events that come late, or in another order")
struct LateEventTests {
    private var inbox = SimulatedInbox()
    private var state = StoresState(pageSize: 3)
    private var requestedItems: [String] = []

    init() {
        inbox.add((0..<6).map { notification("n\($0)", minute: Int64($0)) })
        state.start()
    }

    /// A store with its first page.
    private mutating func build(_ predicate: StorePredicate) throws -> StoreNumber {
        let number = state.build(predicate)
        finish(try beginFetch(number))
        return number
    }

    private mutating func beginFetch(_ number: StoreNumber) throws -> PageLoad {
        let load = state.beginFetch(number)
        return try #require(load)
    }

    /// Begins the request of counts.
    private mutating func beginCount(_ number: StoreNumber) throws -> CountLoad {
        state.change(number) { $0.require(.counts) }
        state.scheduleReload()
        for case .startTimer(let timer, _) in state.takeEffects() { state.timerFired(timer) }
        var load: CountLoad?
        for case .count(let count) in state.takeEffects() { load = count }
        return try #require(load)
    }

    private mutating func finish(_ load: PageLoad) {
        _ = state.finish(load, .success(inbox.page(load.predicate, load.cursor, load.size)), jitter: 0)
    }

    /// Answers the requests that are due, until there are none.
    private mutating func settle() {
        var effects = state.takeEffects()
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .load(let load): finish(load)
            case .count(let load): state.finish(load, .success(inbox.counts(load.predicate)), jitter: 0)
            case .item(let request):
                requestedItems.append(request.id)
                state.finishItem(request, inbox.rows[request.id].map { .success($0) } ?? .failure(.missing))
            case .startTimer(let timer, _): state.timerFired(timer)
            }
            effects += state.takeEffects()
        }
    }

    private func contents(_ number: StoreNumber) throws -> StoreContents {
        try #require(state.stores[number]).contents
    }

    /// The service performs an action, and its answer arrives before the event. Returns the event.
    private mutating func perform(_ change: StateChange, on id: String) throws -> [InboxEvent] {
        let row = try #require(inbox.rows[id])
        let number = state.beginAction(change, on: id)
        let events = inbox.change(id, change)
        _ = state.finishAction(number, change, on: row, now: base)
        return events
    }

    @Test("The late event of an own change that was undone since does not show it again") mutating func undone() throws
    {
        let number = try build(StorePredicate(read: false))
        var events = try perform(.read, on: "n5")
        #expect(try contents(number).map(\.id) == ["n4", "n3"])
        events += try perform(.unread, on: "n5")
        settle()
        let before = try contents(number)
        #expect(before.first?.id == "n5")
        _ = state.takeReports()
        for event in events {
            state.receive(event, now: base)
            check(state.takeReports(), [:])
        }
        check(state.takeEffects(), [])
        #expect(try contents(number) == before)
    }

    @Test("An event like an undone own change is applied when another client caused it")
    mutating func changedElsewhere() throws {
        let number = try build(StorePredicate())
        var events = try perform(.read, on: "n5")
        events += try perform(.unread, on: "n5")
        events += inbox.change("n5", .read)
        for event in events { state.receive(event, now: base) }
        #expect(try contents(number).first?.isRead == true)
    }

    @Test("An own change is in effect after its event, also if another client's earlier one came between")
    mutating func changedBefore() throws {
        let number = try build(StorePredicate())
        var events = inbox.change("n5", .unread)
        events += try perform(.read, on: "n5")
        for event in events { state.receive(event, now: base) }
        #expect(try contents(number).first?.isRead == true)
        check(state.takeEffects().contains { if case .item = $0 { true } else { false } }, false)
    }

    @Test("An own change of a notification that is not loaded requests it once", arguments: [false, true])
    mutating func notLoaded(isEventFirst: Bool) throws {
        let store = try build(StorePredicate())
        try #require(try contents(store).map(\.id) == ["n5", "n4", "n3"])
        let row = try #require(inbox.rows["n0"])
        let number = state.beginAction(.read, on: "n0")
        let events = inbox.change("n0", .read)
        if isEventFirst {
            for event in events { state.receive(event, now: base) }
            settle()
        }
        _ = state.finishAction(number, .read, on: row, now: base)
        settle()
        if !isEventFirst {
            for event in events { state.receive(event, now: base) }
            settle()
        }
        #expect(requestedItems == ["n0"])
        #expect(counts(try contents(store)) == [6, 5, 5])
    }

    @Test("Another client's change is requested when the same change of this client is refused")
    mutating func refused() throws {
        let store = try build(StorePredicate())
        let number = state.beginAction(.read, on: "n0")
        for event in inbox.change("n0", .read) { state.receive(event, now: base) }
        settle()
        #expect(requestedItems.isEmpty)
        state.failAction(number, on: "n0", .read, MagicBellError(.forbidden, "The service refused it.", status: 403))
        settle()
        #expect(requestedItems == ["n0"])
        #expect(counts(try contents(store)) == [6, 5, 5])
    }

    @Test("A notification that leaves while the next page is loaded leaves no gap") mutating func gap() throws {
        let number = try build(StorePredicate(read: false))
        let load = try beginFetch(number)
        let events = inbox.change("n5", .read)
        let page = inbox.page(load.predicate, load.cursor, load.size)
        for event in events { state.receive(event, now: base) }
        _ = state.finish(load, .success(page), jitter: 0)
        settle()
        let list = inbox.list(StorePredicate(read: false))
        #expect(try contents(number).notifications == Array(list.prefix(try contents(number).count)))
        #expect(try contents(number).totalCount == 5)
    }

    @Test("A change during a reload corrects the counts, also if the store did not contain the notification")
    mutating func countsOfPage() throws {
        let number = try build(StorePredicate(read: false, topics: ["t"]))
        inbox.add((0..<4).map { notification("t\($0)", minute: 60 + Int64($0), topic: "t") })
        let all = try build(StorePredicate())
        finish(try beginFetch(all))
        let begun = state.beginRefresh(number)
        let load = try #require(begun)
        // The fourth: it is counted, and not on the page.
        let page = inbox.page(load.predicate, load.cursor, load.size)
        for event in inbox.change("t0", .read) { state.receive(event, now: base) }
        _ = state.finish(load, .success(page), jitter: 0)
        settle()
        #expect(counts(try contents(number)) == [3, 3, 3])
    }

    @Test("An event whose change one store has already loaded also reaches the other stores")
    mutating func loadedBefore() throws {
        let read = try build(StorePredicate(read: true))
        let events = inbox.change("n5", .read)
        _ = try build(StorePredicate())
        #expect(try contents(read).isEmpty)
        for event in events { state.receive(event, now: base) }
        #expect(try contents(read).map(\.id) == ["n5"])
        settle()
        #expect(counts(try contents(read)) == [1, 0, 0])
    }

    @Test("A single notification that was requested before all were seen is requested again")
    mutating func seenMeanwhile() throws {
        let number = try build(StorePredicate())
        for event in inbox.create(notification("new", minute: 60)) { state.receive(event, now: base) }
        var requests: [StoresState.ItemRequest] = []
        for case .item(let request) in state.takeEffects() { requests.append(request) }
        let request = try #require(requests.first)
        let old = try #require(inbox.rows["new"])
        for event in inbox.changeAll(StorePredicate(), .seen) { state.receive(event, now: base) }
        state.finishItem(request, .success(old))
        settle()
        #expect(try contents(number).first?.isSeen == true)
        #expect(counts(try contents(number)) == [7, 7, 0])
    }

    @Test("Counts are compared with later changes only when every announced notification is loaded")
    mutating func unsettled() throws {
        let number = try build(StorePredicate())
        let events = inbox.create(notification("new", minute: 60))
        let load = try beginCount(number)
        state.finish(load, .success(inbox.counts(load.predicate)), jitter: 0)
        #expect(try contents(number).totalCount == 7)
        let timers = state.takeEffects()
        for event in events { state.receive(event, now: base) }
        let requests = state.takeEffects()
        // Its time is over before the notification arrives, which the counts contain.
        for case .startTimer(let timer, _) in timers { state.timerFired(timer) }
        for case .item(let request) in requests {
            state.finishItem(request, .success(try #require(inbox.rows[request.id])))
        }
        settle()
        #expect(counts(try contents(number)) == [7, 7, 7])
    }

    @Test("The counts of a store are exact when an announced notification never matched when it was loaded")
    mutating func neverMatched() throws {
        _ = try build(StorePredicate())
        let number = try build(StorePredicate(seen: false, categories: ["c"]))
        var events = inbox.create(notification("new", minute: 60, category: "c"))
        let load = try beginCount(number)
        let late = inbox.counts(load.predicate)
        events += inbox.change("new", .seen)
        for event in events { state.receive(event, now: base) }
        for case .item(let request) in state.takeEffects() {
            state.finishItem(request, .success(try #require(inbox.rows[request.id])))
        }
        state.finish(load, .success(late), jitter: 0)
        settle()
        #expect(counts(try contents(number)) == [0, 0, 0])
    }
}

@Suite("The events of own changes")
struct EchoTests {
    private func matches(
        _ changes: [StateChange?],
        _ events: [StateChange?],
        after delay: Int64 = 0
    ) -> [Echoes.Match] {
        var echoes = Echoes()
        for change in changes { echoes.add("a", change, now: base) }
        return events.map { echoes.take("a", $0, now: base.advanced(milliseconds: delay)) }
    }

    @Test("Each own change has one event, superseded if a later own change replaced it") func order() {
        #expect(matches([.read], [.read, .read]) == [.current, .none])
        #expect(matches([.read, .unread], [.read, .unread]) == [.superseded, .current])
        #expect(
            matches([.archived, .unarchived, .archived], [.archived, .unarchived, .archived])
                == [.superseded, .superseded, .current]
        )
        #expect(matches([.read, .archived], [.read, .archived]) == [.current, .current])
        #expect(matches([.seen, .read], [.seen, .read]) == [.superseded, .current])
        #expect(matches([.read, nil], [.read, nil]) == [.superseded, .current])
        #expect(matches([.read, .seen], [.unread]) == [.none])
    }

    @Test("An own change without an event is not expected after the event of a later one") func withoutEvent() {
        #expect(matches([.read, .unread], [.unread, .read]) == [.current, .none])
    }

    @Test("An event after ten seconds is not that of an own change") func late() {
        #expect(matches([.read], [.read], after: 9_999) == [.current])
        #expect(matches([.read], [.read], after: 10_000) == [.none])
    }

    @Test("Own changes of other notifications make no difference") func otherNotifications() {
        var echoes = Echoes()
        echoes.add("a", .read, now: base)
        echoes.add("b", .unread, now: base)
        check(echoes.take("b", .read, now: base), .none)
        check(echoes.take("a", .read, now: base), .current)
    }
}
