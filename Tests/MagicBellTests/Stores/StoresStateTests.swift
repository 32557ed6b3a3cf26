import Basics
import ClientKit
import Testing

@testable import MagicBell

@Suite("All stores of a user as a value")
struct StoresStateTests {
    /// Stores with their first page from `inbox`, running.
    private static func running(
        _ inbox: SimulatedInbox,
        _ predicates: [StorePredicate],
        pageSize: Int = 3
    ) -> StoresState {
        var state = StoresState(pageSize: pageSize)
        for predicate in predicates {
            let number = state.build(predicate)
            fetch(number, inbox, in: &state)
        }
        state.start()
        _ = state.takeReports()
        return state
    }

    @discardableResult
    private static func fetch(_ number: StoreNumber, _ inbox: SimulatedInbox, in state: inout StoresState)
        -> LoadOutcome
    {
        guard let load = state.beginFetch(number) else { return .loaded([]) }
        return state.finish(load, .success(inbox.page(load.predicate, load.cursor, load.size)), jitter: 0)
    }

    /// Performs what is due until nothing is, and returns the requests.
    private static func settle(_ state: inout StoresState, _ inbox: SimulatedInbox) -> [StoresState.Effect] {
        var requests: [StoresState.Effect] = []
        var effects = state.takeEffects()
        while !effects.isEmpty {
            let effect = effects.removeFirst()
            switch effect {
            case .load(let load):
                requests.append(effect)
                _ = state.finish(load, .success(inbox.page(load.predicate, load.cursor, load.size)), jitter: 0)
            case .count(let load):
                requests.append(effect)
                state.finish(load, .success(inbox.counts(load.predicate)), jitter: 0)
            case .item(let request):
                requests.append(effect)
                let row = inbox.rows[request.id]
                state.finishItem(request, row.map { .success($0) } ?? .failure(.missing))
            case .startTimer(let timer, _): state.timerFired(timer)
            }
            effects += state.takeEffects()
        }
        return requests
    }

    private static func inbox(_ count: Int) -> SimulatedInbox {
        var inbox = SimulatedInbox()
        inbox.add((0..<count).map { notification("n\($0)", minute: Int64($0)) })
        return inbox
    }

    @Test("A new notification is requested once for all stores and inserted in those that it matches")
    func created() throws {
        var inbox = Self.inbox(5)
        let predicates = [StorePredicate(), StorePredicate(read: false), StorePredicate(read: true)]
        var state = Self.running(inbox, predicates)
        for event in inbox.create(notification("new", minute: 60)) { state.receive(event, now: base) }
        let requests = Self.settle(&state, inbox)
        #expect(requests.count == 1)
        #expect(requests.contains { if case .item(let request) = $0 { request.id == "new" } else { false } })
        for predicate in predicates {
            let number = try #require(state.numbers[predicate])
            let contents = try #require(state.stores[number]).contents
            #expect(counts(contents) == truth(of: predicate, in: inbox))
            #expect(contents.contains { $0.id == "new" } == (predicate.read != true))
        }
    }

    @Test("A new notification that the API does not have yet is requested again, and after that the lists")
    func late() throws {
        var inbox = Self.inbox(2)
        var state = Self.running(inbox, [StorePredicate()])
        let number = try #require(state.numbers[StorePredicate()])
        let events = inbox.create(notification("new", minute: 60))
        for event in events { state.receive(event, now: base) }
        func item(_ effects: [StoresState.Effect]) -> StoresState.ItemRequest? {
            if case .item(let request)? = effects.first { request } else { nil }
        }
        var effects = state.takeEffects()
        for delay in [Duration.milliseconds(300), .seconds(1), .seconds(3)] {
            let request = try #require(item(effects))
            state.finishItem(request, .failure(.missing))
            let timer = StoreTimer.item(request)
            check(state.takeEffects(), [.startTimer(timer, after: delay)])
            state.timerFired(timer)
            effects = state.takeEffects()
        }
        let last = try #require(item(effects))
        var other = state
        other.finishItem(last, .success(try #require(inbox.rows["new"])))
        #expect(other.stores[number]?.contents.first?.id == "new")
        state.finishItem(last, .failure(.missing))
        let requests = Self.settle(&state, inbox)
        #expect(requests.contains { if case .load = $0 { true } else { false } })
        #expect(state.stores[number]?.contents.first?.id == "new")
    }

    @Test("A store that is followed and was not fetched is loaded, also after an attempt without a network")
    func followed() throws {
        let inbox = Self.inbox(2)
        var state = StoresState(pageSize: 3)
        let number = state.build(StorePredicate())
        state.follow(number)
        #expect(state.takeEffects() == [], "not before the user's feed runs")
        state.start()
        for isReachable in [false, true] {
            guard case .startTimer(let timer, _)? = state.takeEffects().first else {
                Issue.record("there is no attempt")
                return
            }
            state.timerFired(timer)
            guard case .load(let load)? = state.takeEffects().first else {
                Issue.record("nothing is requested")
                return
            }
            let page = inbox.page(load.predicate, load.cursor, load.size)
            _ = state.finish(load, isReachable ? .success(page) : .failure(MagicBellError(.unreachable, "")), jitter: 0)
        }
        #expect(state.stores[number]?.contents.count == 2)
        #expect(Self.settle(&state, inbox) == [])
    }

    private func truth(of predicate: StorePredicate, in inbox: SimulatedInbox) -> [Int] {
        let counts = inbox.counts(predicate)
        return [counts.total!, counts.unread!, counts.unseen!]
    }

    @Test("A burst of 20 new notifications causes at most two list requests per store")
    func burst() throws {
        var inbox = Self.inbox(5)
        let predicates = (0..<10).map { StorePredicate(categories: $0 == 0 ? [] : ["c\($0)"]) }
        var state = Self.running(inbox, predicates, pageSize: 50)
        for index in 0..<20 {
            let new = notification("new\(index)", minute: Int64(60 + index), category: "c\(index % 10)")
            for event in inbox.create(new) { state.receive(event, now: base) }
        }
        let requests = Self.settle(&state, inbox)
        for number in state.stores.keys {
            let lists = requests.count { if case .load(let load) = $0 { load.store == number } else { false } }
            let counted = requests.count { if case .count(let load) = $0 { load.store == number } else { false } }
            #expect(lists + counted <= 2)
        }
        #expect(requests.count { if case .item = $0 { true } else { false } } <= StoresState.itemCapacity)
        for store in state.stores.values {
            #expect(store.contents.notifications == inbox.list(store.predicate))
            #expect(counts(store.contents) == truth(of: store.predicate, in: inbox))
        }
    }

    @Test("An event about a notification that no store has loaded requests it, and then the counts")
    func unknownState() throws {
        var inbox = Self.inbox(9)
        var state = Self.running(inbox, [StorePredicate(), StorePredicate(read: false)])
        // The oldest is not on the first page.
        for event in inbox.change("n0", .read) { state.receive(event, now: base) }
        let requests = Self.settle(&state, inbox)
        #expect(requests.count { if case .item = $0 { true } else { false } } == 1)
        #expect(requests.count { if case .count = $0 { true } else { false } } == 2)
        #expect(requests.count == 3)
        for store in state.stores.values {
            #expect(counts(store.contents) == truth(of: store.predicate, in: inbox))
        }
    }

    @Test("The deletion of a notification that is not loaded corrects the counts") func unknownDeletion() throws {
        var inbox = Self.inbox(9)
        var state = Self.running(inbox, [StorePredicate()])
        for event in inbox.delete("n0") { state.receive(event, now: base) }
        let requests = Self.settle(&state, inbox)
        #expect(requests.count == 1)
        let store = try #require(state.stores.values.first)
        #expect(counts(store.contents) == [8, 8, 8])
    }

    @Test("In a completely loaded store nothing is unknown") func completeStore() {
        var inbox = Self.inbox(2)
        var state = Self.running(inbox, [StorePredicate()])
        inbox.add([notification("old", minute: -5, archived: true)])
        state.receive(.deleted(id: "old"), now: base)
        check(state.takeEffects(), [])
    }

    @Test("After lost continuity each fetched store is loaded once, and others are not")
    func lostContinuity() {
        var inbox = Self.inbox(5)
        var state = Self.running(inbox, [StorePredicate(), StorePredicate(read: false)])
        _ = state.build(StorePredicate(archived: true))
        _ = inbox.create(notification("new", minute: 60))
        _ = inbox.change("n4", .read)
        state.connected(isContinuous: false)
        state.connected(isContinuous: false)
        let requests = Self.settle(&state, inbox)
        let stores = requests.compactMap { request -> StoreNumber? in
            if case .load(let load) = request { load.store } else { nil }
        }
        #expect(stores.count == 2 && Set(stores).count == 2)
        // The first page shows that "n4" was read, so what the other store counts may lack it: it is counted once more.
        #expect(requests.count <= 3)
        for store in state.stores.values where store.isFetched {
            #expect(store.contents.notifications == Array(inbox.list(store.predicate).prefix(3)))
        }
    }

    @Test("A resumed connection loads nothing") func continuity() {
        var state = Self.running(Self.inbox(5), [StorePredicate()])
        state.connected(isContinuous: true)
        check(state.takeEffects(), [])
    }

    @Test("A store that was not fetched stays as it is") func unfetched() throws {
        var state = StoresState(pageSize: 3)
        let number = state.build(StorePredicate())
        state.start()
        state.connected(isContinuous: false)
        for event in [InboxEvent.created(id: "a"), .changed(id: "a", .read), .deleted(id: "a"), .allRead] {
            state.receive(event, now: base)
        }
        check(state.takeEffects(), [])
        #expect(state.stores[number]?.contents == StoreContents())
        check(state.takeReports(), [:])
    }

    @Test("An answer that is older than an event does not revert it") func lateAnswer() throws {
        var inbox = Self.inbox(3)
        var state = Self.running(inbox, [StorePredicate()])
        let number = try #require(state.numbers[StorePredicate()])
        let begun = state.beginRefresh(number)
        let load = try #require(begun)
        let old = inbox.page(load.predicate, nil, load.size)
        for event in inbox.change("n1", .read) + inbox.delete("n2") { state.receive(event, now: base) }
        _ = state.finish(load, .success(old), jitter: 0)
        let contents = try #require(state.stores[number]).contents
        #expect(contents.map(\.id) == ["n1", "n0"])
        #expect(contents[0].isRead)
        // The counts of the answer may be of before or after the events.
        _ = Self.settle(&state, inbox)
        #expect(counts(try #require(state.stores[number]).contents) == [2, 1, 1])
    }

    @Test("A late answer to a store that was disposed is discarded") func disposed() throws {
        var state = StoresState(pageSize: 3)
        let number = state.build(StorePredicate())
        let begun = state.beginFetch(number)
        let load = try #require(begun)
        state.dispose(number)
        let again = state.build(StorePredicate())
        #expect(again != number)
        check(state.finish(load, .success(StorePage([notification("a")])), jitter: 0), .discarded)
        #expect(state.stores[again]?.contents == StoreContents())
    }

    @Test("The wait before a reload doubles while everything changes faster than it is loaded")
    func growingWindow() throws {
        let inbox = Self.inbox(9)
        var state = Self.running(inbox, [StorePredicate()])
        var waits: [Duration] = []
        state.receive(.deleted(id: "x0"), now: base)
        for round in 1...8 {
            var load: CountLoad?
            for effect in state.takeEffects() {
                guard case .startTimer(let timer, let delay) = effect, case .reload = timer else { continue }
                waits.append(delay)
                state.timerFired(timer)
            }
            for case .count(let count) in state.takeEffects() { load = count }
            state.receive(.deleted(id: "x\(round)"), now: base)
            state.finish(try #require(load), .success(inbox.counts(StorePredicate())), jitter: 0)
        }
        #expect(waits.prefix(4) == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2)])
        #expect(waits.max() == StoresState.longestWindow)
    }

    @Test("Counts that a late event changes once more are requested again, at growing intervals") func lateEvent()
        throws
    {
        var inbox = Self.inbox(9)
        var state = Self.running(inbox, [StorePredicate()])
        let number = try #require(state.numbers[StorePredicate()])
        var waits: [Duration] = []
        for id in ["n8", "n7", "n6"] {
            // The answer contains a change whose event arrives later.
            let events = inbox.change(id, .read)
            state.change(number) { $0.require(.counts) }
            state.scheduleReload()
            for case .startTimer(let timer, _) in state.takeEffects() { state.timerFired(timer) }
            for case .count(let load) in state.takeEffects() {
                state.finish(load, .success(inbox.counts(load.predicate)), jitter: 0)
            }
            for event in events { state.receive(event, now: base) }
            for case .startTimer(let timer, let delay) in state.takeEffects() {
                waits.append(delay)
                state.timerFired(timer)
            }
            #expect(state.stores[number]?.need == .counts)
        }
        #expect(waits == [.seconds(2), .seconds(4), .seconds(8)])
        _ = Self.settle(&state, inbox)
        #expect(counts(try #require(state.stores[number]).contents) == truth(of: StorePredicate(), in: inbox))
    }

    @Test("A failed reload is repeated after a growing delay, and one that is refused after 30 seconds and more")
    func failures() throws {
        func delays(_ error: MagicBellError) throws -> [Duration] {
            var state = Self.running(Self.inbox(3), [StorePredicate(), StorePredicate(read: false)])
            var delays: [Duration] = []
            state.requireLists()
            for _ in 0..<4 {
                for case .startTimer(let timer, let delay) in state.takeEffects() {
                    delays.append(delay)
                    state.timerFired(timer)
                }
                for case .load(let load) in state.takeEffects() {
                    _ = state.finish(load, .failure(error), jitter: 1)
                }
            }
            return Array(delays.dropFirst())
        }
        #expect(try delays(.broken) == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(try delays(MagicBellError(.unauthorized, "x")) == [.seconds(60), .seconds(120), .seconds(240)])
    }

    @Test("Pages that moved because notifications have gone leave no gap") func movedPages() throws {
        var inbox = Self.inbox(10)
        let predicate = StorePredicate(read: false)
        var state = Self.running(inbox, [predicate])
        let number = try #require(state.numbers[predicate])
        for id in ["n9", "n8"] {
            for event in inbox.change(id, .read) { state.receive(event, now: base) }
        }
        var pages = 0
        while state.stores[number]?.contents.hasNextPage == true, pages < 20 {
            Self.fetch(number, inbox, in: &state)
            pages += 1
        }
        #expect(state.stores[number]?.contents.notifications == inbox.list(predicate))
    }

    @Test("Pages that moved because notifications arrived repeat none") func repeatedPages() throws {
        var inbox = Self.inbox(10)
        var state = Self.running(inbox, [StorePredicate()])
        let number = try #require(state.numbers[StorePredicate()])
        // Without an event.
        inbox.add([notification("late1", minute: 90), notification("late2", minute: 91)])
        while state.stores[number]?.contents.hasNextPage == true { Self.fetch(number, inbox, in: &state) }
        let ids = try #require(state.stores[number]).contents.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids == (0..<10).reversed().map { "n\($0)" })
    }

    @Test("A reload keeps up to 100 loaded notifications") func reloadKeepsPages() throws {
        let inbox = Self.inbox(30)
        var state = Self.running(inbox, [StorePredicate()], pageSize: 10)
        let number = try #require(state.numbers[StorePredicate()])
        Self.fetch(number, inbox, in: &state)
        state.requireLists()
        let requests = Self.settle(&state, inbox)
        #expect(requests.count == 1)
        #expect(state.stores[number]?.contents.count == 20)
        Self.fetch(number, inbox, in: &state)
        #expect(state.stores[number]?.contents.notifications == inbox.list(StorePredicate()))
    }

    @Test("Where the service has no totals, they are those of what is loaded") func derivedCounts() throws {
        var state = StoresState(pageSize: 3)
        let number = state.build(StorePredicate())
        let rows = [notification("a", minute: 2), notification("b", minute: 1, seen: true), notification("c")]
        let begun = state.beginFetch(number)
        let load = try #require(begun)
        let page = StorePage(rows, counts: StoreCounts(unread: 7), next: .after(id: "c"))
        _ = state.finish(load, .success(page), jitter: 0)
        var contents = try #require(state.stores[number]).contents
        #expect(counts(contents) == [3, 7, 2])
        #expect(!contents.countsAreComplete)
        state.receive(.changed(id: "a", .read), now: base)
        contents = try #require(state.stores[number]).contents
        #expect(counts(contents) == [3, 6, 1])
    }

    @Test("A store shows no notification that does not match, whatever the service answers") func filtered() throws {
        var state = StoresState(pageSize: 3)
        let number = state.build(StorePredicate(read: false, categories: ["ci"]))
        let rows = [
            notification("a", category: "ci"), notification("b"), notification("c", read: true, category: "ci"),
        ]
        let begun = state.beginFetch(number)
        _ = state.finish(try #require(begun), .success(StorePage(rows)), jitter: 0)
        #expect(state.stores[number]?.contents.map(\.id) == ["a"])
    }
}
