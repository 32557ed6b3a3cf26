import Basics
import ClientKit
import TestSupport
import Testing

@testable import MagicBell

/// A ``StoresState``, driven as ``Stores`` does, with a ``SimulatedInbox`` and a random network.
///
/// Each step is one event: a change at the service, a call of the app, or one request or event getting one step
/// further. Requests are answered as of some moment after they were made, and the answers take any time and any order.
struct StoreSimulation {
    private enum Question {
        case page(PageLoad)
        case count(CountLoad)
        case item(StoresState.ItemRequest)
        case action(InboxNotification, StateChange, UInt64)
        case deletion(String, UInt64)
        case all(StorePredicate, StateChange, UInt64)

        /// Whether it ends with the realtime feed.
        var isBackground: Bool {
            switch self {
            case .page(let load): !load.isRequested
            case .count, .item: true
            case .action, .deletion, .all: false
            }
        }
    }

    private enum Answer {
        case page(StorePage)
        case counts(StoreCounts)
        case item(InboxNotification?)
        case done
        case failure(MagicBellError)
    }

    private struct Request {
        var question: Question
        /// nil: not yet at the service.
        var answer: Answer?
    }

    private static let predicates = [
        StorePredicate(), StorePredicate(read: false), StorePredicate(read: true), StorePredicate(seen: false),
        StorePredicate(seen: true), StorePredicate(archived: true), StorePredicate(categories: ["a", "b"]),
        StorePredicate(read: false, topics: ["t"]),
    ]

    private(set) var state: StoresState
    private(set) var inbox = SimulatedInbox()
    /// The names of what has happened.
    private(set) var covered: Set<String> = []
    private var requests: [Request] = []
    private var timers: [StoreTimer] = []
    private var events: [InboxEvent] = []
    private var isConnected = false
    private var isRunning = false
    /// Whether requests may fail.
    private let mayFail: Bool
    /// Whether the connection lasts, so that nothing is ever loaded again to hide a mistake.
    private let isSteady: Bool
    /// The lists according to the reported changes.
    private var followed: [StoreNumber: [InboxNotification]] = [:]
    private var followedCounts: [StoreNumber: [Int]] = [:]
    private var chance: SeededGenerator
    private var created = 0
    private var time = base

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        mayFail = seed % 2 == 1
        isSteady = seed % 3 == 0
        inbox.reportsRepetitions = seed % 5 < 3
        state = StoresState(pageSize: [1, 2, 5, 50][Int(seed / 2 % 4)])
        for _ in 0..<Int.random(in: 0...12, using: &chance) { _ = inbox.create(makeNotification()) }
        if isSteady {
            start()
            connect()
        }
    }

    private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &chance) == 0 }

    // MARK: Running

    mutating func live(steps: Int) {
        for _ in 0..<steps {
            time = time.advanced(milliseconds: 1)
            step()
            work()
        }
    }

    /// No further changes; the connection is there, and everything in flight arrives.
    mutating func comeToRest() {
        if !isRunning { start() }
        if !isConnected { connect() }
        finishEverything()
    }

    private mutating func finishEverything() {
        var stepsLeft = 5_000
        while stepsLeft > 0 {
            stepsLeft -= 1
            work()
            if !events.isEmpty, requests.isEmpty || oneIn(2) {
                state.receive(events.removeFirst(), now: time)
            } else if let index = requests.indices.randomElement(using: &chance) {
                advance(index, mayFail: false)
            } else if !timers.isEmpty {
                state.timerFired(timers.removeFirst())
            } else {
                break
            }
        }
        work()
        #expect(stepsLeft > 0, "it does not come to rest")
    }

    private mutating func step() {
        switch Int.random(in: 0..<20, using: &chance) {
        case 0..<4: changeElsewhere()
        case 4..<7: callOfTheApp()
        case 7..<11:
            if isConnected, !events.isEmpty {
                let event = events.removeFirst()
                covered.insert("event \(name(event))")
                state.receive(event, now: time)
                // Delivered twice.
                if oneIn(10) { state.receive(event, now: time) }
            }
        case 11..<17: if let index = requests.indices.randomElement(using: &chance) { advance(index, mayFail: mayFail) }
        case 17:
            if let index = timers.indices.randomElement(using: &chance) { fire(index) }
        case 18: if !isSteady, oneIn(6) { changeConnection() }
        default: if !isSteady, oneIn(10) { isRunning ? stop() : start() }
        }
    }

    /// An event is never later than the settling time.
    private mutating func fire(_ index: Int) {
        if case .settled = timers[index], !events.isEmpty { return }
        state.timerFired(timers.remove(at: index))
    }

    private mutating func start() {
        isRunning = true
        state.start()
        covered.insert("start")
    }

    private mutating func stop() {
        isRunning = false
        isConnected = false
        events = []
        state.stop()
        timers = []
        // Their tasks are cancelled: they are finished all the same.
        let background = requests.filter(\.question.isBackground)
        requests.removeAll(where: \.question.isBackground)
        for request in background { finish(request.question, .failure(.cancelled)) }
        covered.insert("stop")
    }

    private mutating func changeConnection() {
        guard isRunning else { return }
        if isConnected {
            isConnected = false
            // Some events are lost with the connection.
            events = []
            covered.insert("lost")
        } else {
            connect()
        }
    }

    private mutating func connect() {
        isConnected = true
        events = []
        state.connected(isContinuous: false)
    }

    private func name(_ event: InboxEvent) -> String {
        switch event {
        case .created: "created"
        case .changed(_, let change): "\(change)"
        case .deleted: "deleted"
        case .allRead: "allRead"
        case .allSeen: "allSeen"
        }
    }

    // MARK: The service

    private mutating func makeNotification() -> InboxNotification {
        created += 1
        // Of some moments, several notifications.
        return notification(
            "n\(created)",
            minute: Int64(created / 2),
            category: ["a", "b", "c", nil].randomElement(using: &chance)!,
            topic: ["t", nil].randomElement(using: &chance)!
        )
    }

    private mutating func changeElsewhere() {
        let id = inbox.rows.keys.sorted().randomElement(using: &chance) ?? ""
        switch Int.random(in: 0..<12, using: &chance) {
        case 0..<4: publish(inbox.create(makeNotification()))
        case 4..<10:
            publish(inbox.change(id, StateChange.allCases.randomElement(using: &chance)!))
        case 10: publish(inbox.delete(id))
        default:
            let predicate = Self.predicates.randomElement(using: &chance)!
            publish(inbox.changeAll(predicate, oneIn(2) ? .read : .seen))
        }
    }

    private mutating func publish(_ new: [InboxEvent]) {
        if isConnected { events += new }
    }

    // MARK: The app

    private mutating func callOfTheApp() {
        let predicate = Self.predicates.randomElement(using: &chance)!
        let number = state.build(predicate)
        guard let store = state.stores[number] else { return }
        let row = store.rows.all.randomElement(using: &chance)
        switch (Int.random(in: 0..<12, using: &chance), row) {
        case (0..<4, _): if store.load == nil, let load = state.beginFetch(number) { ask(.page(load)) }
        case (4, _): if store.load == nil, let load = state.beginRefresh(number) { ask(.page(load)) }
        case (5, _):
            if oneIn(3) {
                state.dispose(number)
                followed[number] = nil
                followedCounts[number] = nil
                covered.insert("dispose")
            }
        case (6, _):
            let change = oneIn(2) ? StateChange.read : .seen
            let action = state.beginActionOnAll(change)
            ask(.all(predicate, change, action))
        case (7, let row?): ask(.deletion(row.id, state.beginAction(nil, on: row.id)))
        case (_, let row?):
            let change = StateChange.allCases.randomElement(using: &chance)!
            ask(.action(row, change, state.beginAction(change, on: row.id)))
        case (_, nil): break
        }
    }

    private mutating func ask(_ question: Question) { requests.append(Request(question: question)) }

    /// Starts what the state wants, and follows its reports.
    private mutating func work() {
        for effect in state.takeEffects() {
            guard isRunning else { continue }
            switch effect {
            case .load(let load): ask(.page(load))
            case .count(let load): ask(.count(load))
            case .item(let request): ask(.item(request))
            case .startTimer(let timer, _): timers.append(timer)
            }
        }
        for (number, report) in state.takeReports() { follow(number, report) }
        for store in state.stores.values {
            let contents = store.contents
            #expect(contents.totalCount >= 0 && contents.unreadCount >= 0 && contents.unseenCount >= 0)
            #expect(Set(contents.map(\.id)).count == contents.count)
            #expect(contents.allSatisfy(store.predicate.matches))
        }
    }

    /// Applies the reported indexes to a copy of the list, as a table view does.
    private mutating func follow(_ number: StoreNumber, _ report: StoreReport) {
        var list = followed[number] ?? []
        for change in report.changes {
            switch change.kind {
            case .reload: list = change.contents.notifications
            case .inserted(let indexes):
                for index in indexes { list.insert(change.contents[index], at: index) }
            case .deleted(let indexes): for index in indexes.reversed() { list.remove(at: index) }
            case .changed(let indexes): for index in indexes { list[index] = change.contents[index] }
            case .hasNextPage: break
            }
            #expect(list == change.contents.notifications)
        }
        followed[number] = list
        var values = followedCounts[number] ?? [0, 0, 0]
        for change in report.counts {
            switch change {
            case .total(let value): values[0] = value
            case .unread(let value): values[1] = value
            case .unseen(let value): values[2] = value
            }
        }
        followedCounts[number] = values
        #expect(values == MagicBellTests.counts(report.contents))
        #expect(list == report.contents.notifications)
    }

    // MARK: The network

    /// A request arrives at the service, or its answer here.
    private mutating func advance(_ index: Int, mayFail: Bool) {
        let request = requests[index]
        if let answer = request.answer {
            requests.remove(at: index)
            return finish(request.question, answer)
        }
        if !isNext(request.question) { return }
        if mayFail, oneIn(6) {
            requests[index].answer = .failure(oneIn(3) ? .refused : .broken)
            covered.insert("failure")
            // The answer was lost, and not the request.
            if oneIn(2) { return }
        }
        let answer = perform(request.question)
        if requests[index].answer == nil { requests[index].answer = answer }
    }

    private func isNext(_ question: Question) -> Bool {
        switch question {
        case .action(_, _, let number), .deletion(_, let number), .all(_, _, let number):
            state.actions.isNext(number)
        case .page, .count, .item: true
        }
    }

    private mutating func perform(_ question: Question) -> Answer {
        switch question {
        case .page(let load): return .page(inbox.page(load.predicate, load.cursor, load.size))
        case .count(let load): return .counts(inbox.counts(load.predicate))
        case .item(let request): return .item(inbox.rows[request.id])
        case .action(let row, let change, _):
            guard inbox.rows[row.id] != nil else { return .failure(.missing) }
            publish(inbox.change(row.id, change))
            return .done
        case .deletion(let id, _): publish(inbox.delete(id))
        case .all(let predicate, let change, _): publish(inbox.changeAll(predicate, change))
        }
        return .done
    }

    private mutating func finish(_ question: Question, _ answer: Answer) {
        switch (question, answer) {
        case (.page(let load), .page(let page)):
            covered.insert("page \(load.kind)")
            _ = state.finish(load, .success(page), jitter: 0.5)
        case (.page(let load), .failure(let error)): _ = state.finish(load, .failure(error), jitter: 0.5)
        case (.count(let load), .counts(let counts)):
            covered.insert("counts")
            state.finish(load, .success(counts), jitter: 0.5)
        case (.count(let load), .failure(let error)): state.finish(load, .failure(error), jitter: 0.5)
        case (.item(let request), .item(let row)):
            covered.insert(row == nil ? "item missing" : "item")
            state.finishItem(request, row.map { .success($0) } ?? .failure(.missing))
        case (.item(let request), .failure(let error)): state.finishItem(request, .failure(error))
        case (.action(let row, let change, let number), .done):
            covered.insert("action \(change)")
            _ = state.finishAction(number, change, on: row, now: time)
        case (.action(let row, let change, let number), .failure(let error)):
            state.failAction(number, on: row.id, change, error)
        case (.deletion(let id, let number), .done):
            covered.insert("deletion")
            state.finishDeletion(number, of: id, now: time)
        case (.deletion(let id, let number), .failure(let error)): state.failAction(number, on: id, nil, error)
        case (.all(let predicate, let change, let number), .done):
            covered.insert("all \(change)")
            state.finishActionOnAll(number, change, of: predicate, now: time)
        case (.all(_, let change, let number), .failure(let error)):
            state.failAction(number, on: nil, change, error)
        default: Issue.record("an answer of another request")
        }
    }

    // MARK: The truth

    /// Compares every fetched store with the service.
    func expectTruth() {
        for (number, store) in state.stores where store.isFetched {
            let contents = store.contents
            let truth = inbox.list(store.predicate)
            let counts = inbox.counts(store.predicate)
            #expect(MagicBellTests.counts(contents) == [counts.total!, counts.unread!, counts.unseen!])
            let (shown, expected) = (contents.map(Fact.init), truth.map(Fact.init))
            #expect(shown == Array(expected.prefix(shown.count)), "\(store.predicate)")
            if !contents.hasNextPage { #expect(shown.count == expected.count) }
            if let list = followed[number] { #expect(list == contents.notifications) }
        }
    }

    /// A notification without its times, which an event does not tell.
    private struct Fact: Equatable {
        var id: String
        var isRead: Bool
        var isSeen: Bool
        var isArchived: Bool

        init(_ row: InboxNotification) {
            id = row.id
            isRead = row.readAt != nil
            isSeen = row.seenAt != nil
            isArchived = row.archivedAt != nil
        }
    }
}
