import Basics
import ClientKit
import ServiceModels
import TestSupport
import Testing

@testable import MagicBell

/// A ``StoresState`` with a ``SimulatedInbox``, driven as ``Stores`` does, and what is kept for the app's next run.
///
/// A clock that is set concerns no store, and popups are not the library's.
struct SimulatedStores: SimulatedSystem {
    enum Question {
        case page(PageLoad)
        case count(CountLoad)
        case item(StoresState.ItemRequest)
        case action(InboxNotification, StateChange, UInt64)
        case deletion(String, UInt64)
        case all(StorePredicate, StateChange, UInt64)
    }

    enum Answer {
        case page(StorePage)
        case counts(StoreCounts)
        case item(InboxNotification?)
        case done
        case missing
    }

    private static let predicates = [
        StorePredicate(), StorePredicate(read: false), StorePredicate(read: true), StorePredicate(seen: false),
        StorePredicate(seen: true), StorePredicate(archived: true), StorePredicate(categories: ["a", "b"]),
        StorePredicate(read: false, topics: ["t"]),
    ]

    static let keepsEvents = false
    static let longestStep: Int64 = 20

    private(set) var state: StoresState
    private(set) var inbox = SimulatedInbox()
    /// The names of what has happened.
    private(set) var covered: Set<String> = []
    /// The requests to send.
    private var questions: [Question] = []
    private var timers: [(timer: StoreTimer, end: Timestamp)] = []
    private var isRunning = true
    /// What is on disk.
    private var kept: [StorePredicate: StoreSnapshot] = [:]
    private var isDiskFull = false
    /// The lists according to the reported changes.
    private var followed: [StoreNumber: [InboxNotification]] = [:]
    private var followedCounts: [StoreNumber: [Int]] = [:]
    private var created = 0

    init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        inbox.reportsRepetitions = seed % 5 < 3
        state = StoresState(pageSize: [1, 2, 5, 50][Int(seed / 2 % 4)])
        for _ in 0..<Int.random(in: 0...12, using: &chance) { _ = publish(&chance, now: base) }
        resume(now: base)
    }

    // MARK: The service

    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [InboxEvent] {
        created += 1
        // Of some moments, several notifications.
        return inbox.create(
            notification(
                "n\(created)",
                minute: Int64(created / 2),
                category: ["a", "b", "c", nil].randomElement(using: &chance)!,
                topic: ["t", nil].randomElement(using: &chance)!
            )
        )
    }

    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [InboxEvent] {
        let id = inbox.rows.keys.sorted().randomElement(using: &chance) ?? ""
        switch Int.random(in: 0..<8, using: &chance) {
        case 0..<6: return inbox.change(id, StateChange.allCases.randomElement(using: &chance)!)
        case 6: return inbox.delete(id)
        default:
            let predicate = Self.predicates.randomElement(using: &chance)!
            return inbox.changeAll(predicate, Bool.random(using: &chance) ? .read : .seen)
        }
    }

    mutating func serve(_ question: Question, now: Timestamp) -> (Answer, [InboxEvent]) {
        switch question {
        case .page(let load): (.page(inbox.page(load.predicate, load.cursor, load.size)), [])
        case .count(let load): (.counts(inbox.counts(load.predicate)), [])
        case .item(let request): (.item(inbox.rows[request.id]), [])
        case .action(let row, let change, _):
            inbox.rows[row.id] == nil ? (.missing, []) : (.done, inbox.change(row.id, change))
        case .deletion(let id, _): (.done, inbox.delete(id))
        case .all(let predicate, let change, _): (.done, inbox.changeAll(predicate, change))
        }
    }

    func maySend(_ question: Question) -> Bool {
        switch question {
        case .action(_, _, let number), .deletion(_, let number), .all(_, _, let number):
            state.actions.isNext(number)
        case .page, .count, .item: true
        }
    }

    func isPage(_ question: Question) -> Bool { if case .page = question { true } else { false } }

    func commute(_ first: InboxEvent, _ second: InboxEvent) -> Bool { first.commutes(with: second) }

    // MARK: The connection

    mutating func connected(isContinuous: Bool, now: Timestamp) { state.connected(isContinuous: isContinuous) }

    mutating func disconnected(now: Timestamp) { covered.insert("lost") }

    mutating func receive(_ event: InboxEvent, now: Timestamp) {
        covered.insert("event \(event.name)")
        state.receive(event, now: now)
        work(now)
    }

    func endsWithRun(_ question: Question) -> Bool {
        switch question {
        case .page(let load): !load.isRequested
        case .count, .item: true
        case .action, .deletion, .all: false
        }
    }

    mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        isRunning = false
        state.stop()
        timers = []
        // Their tasks are cancelled: they are finished all the same.
        for question in questions { finish(question, .failure(.cancelled), now: now) }
        covered.insert("stop")
    }

    mutating func resume(now: Timestamp) {
        isRunning = true
        state.start()
        covered.insert("start")
    }

    var nextDeadline: Timestamp? { timers.map { $0.end }.min() }

    mutating func wake(now: Timestamp) {
        while let index = timers.firstIndex(where: { $0.end <= now }) {
            state.timerFired(timers.remove(at: index).timer)
        }
        work(now)
    }

    // MARK: The host

    /// The app starts again, and loads what it had kept.
    mutating func kill(now: Timestamp) {
        covered.insert("killed")
        state = StoresState(pageSize: state.pageSize)
        (questions, timers, followed, followedCounts) = ([], [], [:], [:])
        resume(now: now)
        for predicate in Self.predicates {
            guard let snapshot = kept[predicate] else { continue }
            let number = state.build(predicate)
            state.restore(snapshot.contents, in: number)
            if let load = state.beginFetch(number) { questions.append(.page(load)) }
        }
        work(now)
    }

    mutating func set(_ fault: Fault, isOn: Bool, now: Timestamp) { if fault == .fullDisk { isDiskFull = isOn } }

    // MARK: The app

    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        let predicate = Self.predicates.randomElement(using: &chance)!
        let number = state.build(predicate)
        guard let store = state.stores[number] else { return }
        let row = store.rows.all.randomElement(using: &chance)
        let change = StateChange.allCases.randomElement(using: &chance)!
        switch (Int.random(in: 0..<12, using: &chance), row) {
        case (0..<4, _): if store.load == nil, let load = state.beginFetch(number) { questions.append(.page(load)) }
        case (4, _): if store.load == nil, let load = state.beginRefresh(number) { questions.append(.page(load)) }
        case (5, _):
            guard Int.random(in: 0..<3, using: &chance) == 0 else { return }
            state.dispose(number)
            (followed[number], followedCounts[number]) = (nil, nil)
            covered.insert("dispose")
        case (6, _):
            let change = Bool.random(using: &chance) ? StateChange.read : .seen
            questions.append(.all(predicate, change, state.beginActionOnAll(change)))
        case (7, let row?): questions.append(.deletion(row.id, state.beginAction(nil, on: row.id)))
        case (_, let row?): questions.append(.action(row, change, state.beginAction(change, on: row.id)))
        case (_, nil): break
        }
    }

    mutating func takeQuestions(now: Timestamp) -> [Question] {
        work(now)
        defer { questions = [] }
        return questions
    }

    /// Starts what the state wants, and follows its reports.
    private mutating func work(_ now: Timestamp) {
        for effect in state.takeEffects() {
            guard isRunning else { continue }
            switch effect {
            case .load(let load): questions.append(.page(load))
            case .count(let load): questions.append(.count(load))
            case .item(let request): questions.append(.item(request))
            case .startTimer(let timer, let delay):
                timers.append((timer, now.advanced(milliseconds: Int64(delay / .milliseconds(1)))))
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
        if let store = state.stores[number], store.isFetched, !isDiskFull {
            kept[store.predicate] = StoreSnapshot(store.contents, of: [])
        }
    }

    // MARK: Answers

    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp) {
        let error: MagicBellError
        switch answer {
        case .success(.missing): error = .missing
        case .success(let answer): return finish(question, answer, now)
        case .failure(let failure):
            error = MagicBellError(failure)
            covered.insert("failure")
        }
        switch question {
        case .page(let load): _ = state.finish(load, .failure(error), jitter: 0.5)
        case .count(let load): state.finish(load, .failure(error), jitter: 0.5)
        case .item(let request): state.finishItem(request, .failure(error))
        case .action(let row, let change, let number): state.failAction(number, on: row.id, change, error)
        case .deletion(let id, let number): state.failAction(number, on: id, nil, error)
        case .all(_, let change, let number): state.failAction(number, on: nil, change, error)
        }
        work(now)
    }

    private mutating func finish(_ question: Question, _ answer: Answer, _ now: Timestamp) {
        switch (question, answer) {
        case (.page(let load), .page(let page)):
            covered.insert("page \(load.kind)")
            _ = state.finish(load, .success(page), jitter: 0.5)
        case (.count(let load), .counts(let counts)):
            covered.insert("counts")
            state.finish(load, .success(counts), jitter: 0.5)
        case (.item(let request), .item(let row)):
            covered.insert(row == nil ? "item missing" : "item")
            state.finishItem(request, row.map { .success($0) } ?? .failure(.missing))
        case (.action(let row, let change, let number), _):
            covered.insert("action \(change)")
            _ = state.finishAction(number, change, on: row, now: now)
        case (.deletion(let id, let number), _):
            covered.insert("deletion")
            state.finishDeletion(number, of: id, now: now)
        case (.all(let predicate, let change, let number), _):
            covered.insert("all \(change)")
            state.finishActionOnAll(number, change, of: predicate, now: now)
        default: Issue.record("an answer of another request")
        }
        work(now)
    }

    // MARK: The truth

    /// Compares every fetched store with the service.
    func expectTruth(_ comment: Comment) {
        for (number, store) in state.stores where store.isFetched {
            let contents = store.contents
            let counts = inbox.counts(store.predicate)
            let values = MagicBellTests.counts(contents)
            let shown = ShownInbox(
                contents.map(Fact.init),
                hasMore: contents.hasNextPage,
                counts: ["total": values[0], "unread": values[1], "unseen": values[2]]
            )
            let expected = ["total": counts.total!, "unread": counts.unread!, "unseen": counts.unseen!]
            let rows = inbox.list(store.predicate).map(Fact.init)
            #expect(shown.differences(from: rows, counts: expected) == [], comment)
            if let list = followed[number] { #expect(list == contents.notifications, comment) }
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

extension InboxEvent {
    /// Such as "created".
    fileprivate var name: String {
        switch self {
        case .created: "created"
        case .changed(_, let change): "\(change)"
        case .deleted: "deleted"
        case .allRead: "allRead"
        case .allSeen: "allSeen"
        }
    }
}
