import Basics
import ClientKit
import Inbox
import MagicBell
import ServiceModels
import TestSupport
import Testing

@testable import Agent

/// MagicBell and a ``InboxMirror``, driven as ``InboxFollower`` does.
struct MagicBellMirror: SimulatedMirror {
    enum Question {
        case page(PageRequest)
        /// The notifications after the first part of a page.
        case rest(PageRequest, of: StorePage)
        case single(InboxMirror.SingleRequest)
        case count(CountRequest)
        /// After a change of a notification that is not loaded.
        case own(InboxMirror.SingleRequest, ChangeStep)
        case check(String, number: UInt64)
        case write(Write, ChangeStep)
    }

    /// A request that changes something.
    enum Write {
        case change(String, StateChange)
        case delete(String)
        case all(StateChange)
    }

    enum Answer {
        case page(StorePage)
        case part(StorePage)
        case row(InboxNotification?)
        case counts(StoreCounts)
        case done
        case missing
    }

    static let rules = MagicBellInbox.rules
    static let capabilities = Capabilities([.delete, .seen] as APICapabilities)
    static let beginsPagesAfterRows = true
    static let keepsEvents = true
    static let longestStep: Int64 = 700
    private static let predicates = [
        (id: "ci", predicate: StorePredicate(categories: ["ci"])),
        (id: "unread", predicate: StorePredicate(read: false)),
    ]
    let tabs: [InboxTab]
    /// Whether the service's pages have its counts. Otherwise it only counts unread notifications, when it is asked.
    private let pagesHaveCounts: Bool
    private var service = MagicBellModel()
    private var inbox: InboxMirror
    private var questions: [Question] = []
    private var outcomes: [ChangeOutcome] = []
    /// The requests that are left of each change.
    private var rest: [TimestampedChange: [Write]] = [:]
    private var isRunning = true
    /// The counts of the last load without answer. The next load begins after them.
    private var counting = 0
    /// Whether the last first page came in parts.
    private var wasInParts = false

    init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        pagesHaveCounts = seed % 2 == 0
        let categories = InboxTab(id: "ci", label: "CI", predicate: InboxPredicate(categories: ["ci"]))
        let unread = InboxTab(id: "unread", label: "Unread", predicate: InboxPredicate(read: false))
        tabs = seed % 4 < 2 ? [categories, unread] : []
        inbox = InboxMirror(pageSize: 5, tabs: tabs.isEmpty ? [] : Self.predicates)
        for index in 0..<Int.random(in: 0...30, using: &chance) {
            let time = simulationStart.advanced(
                milliseconds: -Int64(index) * Int64.random(in: 0...90_000, using: &chance)
            )
            let isRead = Bool.random(using: &chance)
            _ = service.publish(sent: time, category: category(&chance), read: isRead ? time : nil)
        }
    }

    private func category(_ chance: inout SeededGenerator) -> String? { Bool.random(using: &chance) ? "ci" : nil }

    // MARK: The service

    var states: [String: RowState] {
        service.rows.mapValues { RowState(isArchived: $0.isArchived, isSeen: $0.isSeen, isRead: $0.isRead) }
    }

    func unarchived(by event: InboxEvent) -> String? {
        if case .changed(let id, .unarchived) = event { id } else { nil }
    }

    /// The times are whole seconds. One that was sent in the second of the newest notification of the first start, and
    /// was not shown before the run ended, has the time of those that are not new.
    func unknowable(after marks: DeliveryMarks) -> [NotificationID] {
        guard let watermark = marks.watermark, !marks.shown.values.contains(watermark) else { return [] }
        return service.rows.values.filter { $0.sent == watermark }.map { NotificationID($0.id) }
    }

    var leastCaughtUp: Timestamp { service.rows.values.lazy.filter { !$0.isArchived }.map(\.sent).max() ?? 0 }

    var list: [Inbox.Notification] { service.list().map { Notification($0) } }

    func counts(like shown: Counts, hasMore: Bool) -> [String: Int] {
        let counts = service.counts(of: StorePredicate())
        var expected = ["unread": counts.unread ?? 0]
        if pagesHaveCounts {
            expected["total"] = counts.total
            expected["unseen"] = counts.unseen
            expected["badge"] = counts.unseen
        }
        if !tabs.isEmpty {
            for tab in Self.predicates { expected["tab \(tab.id)"] = unread(tab.predicate) }
        }
        return expected
    }

    private func unread(_ predicate: StorePredicate) -> Int { service.list(predicate).count { !$0.isRead } }

    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [InboxEvent] {
        let count = Int.random(in: 0..<12, using: &chance) == 0 ? 15 : 1
        return (0..<count).map { _ in service.publish(sent: now, category: category(&chance)) }
    }

    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [InboxEvent] {
        let id = service.rows.keys.sorted().randomElement(using: &chance) ?? ""
        // The event of a change of all notifications does not name its filter.
        let filter = Bool.random(using: &chance) ? StorePredicate() : StorePredicate(categories: ["ci"])
        let event: InboxEvent? =
            switch Int.random(in: 0..<9, using: &chance) {
            case 0: service.changeAll(to: .read, of: filter, at: now)
            case 1: service.changeAll(to: .seen, of: filter, at: now)
            case 2: service.delete(id)
            default: service.change(id, to: StateChange.allCases.randomElement(using: &chance)!, at: now)
            }
        return event.map { [$0] } ?? []
    }

    mutating func serve(_ question: Question, now: Timestamp) -> (Answer, [InboxEvent]) {
        switch question {
        case .page(let request):
            let page = reported(service.page(of: StorePredicate(), after: request.cursor, size: request.size))
            // A slow answer is shown in parts.
            guard request.isFirst, page.next != nil else { return (.page(page), []) }
            wasInParts.toggle()
            guard wasInParts else { return (.page(page), []) }
            let part = Array(page.notifications.prefix(request.size / 2))
            return (.part(StorePage(part, counts: page.counts, next: page.next)), [])
        case .rest(let request, let part): return (.page(reported(service.page(from: part, size: request.size))), [])
        case .single(let request), .own(let request, _): return (.row(service.rows[request.id]), [])
        case .check(let id, _): return (.row(service.rows[id]), [])
        case .count(let request):
            let counts = service.counts(of: request.predicate)
            return (.counts(pagesHaveCounts ? counts : StoreCounts(unread: counts.unread)), [])
        case .write(let write, _):
            let event: InboxEvent? =
                switch write {
                case .change(let id, let change): service.change(id, to: change, at: now)
                case .delete(let id): service.delete(id)
                case .all(let change): service.changeAll(to: change, at: now)
                }
            return event.map { (.done, [$0]) } ?? (.missing, [])
        }
    }

    private func reported(_ page: StorePage) -> StorePage {
        var page = page
        if !pagesHaveCounts { page.counts = StoreCounts() }
        return page
    }

    /// A failed count is not repeated: the last one stays until the next load.
    func mayFail(_ question: Question) -> Bool { if case .count = question { false } else { true } }

    func isPage(_ question: Question) -> Bool {
        switch question {
        case .page, .rest: true
        case .single, .count, .own, .check, .write: false
        }
    }

    func commute(_ first: InboxEvent, _ second: InboxEvent) -> Bool { first.commutes(with: second) }

    func change(of question: Question) -> ChangeStep? {
        if case .write(_, let step) = question { step } else { nil }
    }

    // MARK: The connection

    mutating func start(after marks: DeliveryMarks, now: Timestamp) {
        inbox = InboxMirror(pageSize: 5, tabs: tabs.isEmpty ? [] : Self.predicates)
        inbox.resume(after: marks, now: now)
        (questions, outcomes, rest, isRunning, counting) = ([], [], [:], true, 0)
    }

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        inbox.retryNow()
        if !isContinuous { inbox.missedEvents() }
    }

    mutating func receive(_ event: InboxEvent, now: Timestamp) { inbox.receive(event, now: now) }

    func endsWithRun(_ question: Question) -> Bool {
        switch question {
        case .page, .rest, .single, .count: true
        case .own, .check, .write: false
        }
    }

    mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        (isRunning, counting) = (false, 0)
        self.questions.removeAll(where: endsWithRun)
        inbox.suspend()
    }

    mutating func resume(now: Timestamp) { isRunning = true }

    mutating func setClock(by milliseconds: Int64, now: Timestamp) {
        inbox.retryNow()
        inbox.missedEvents()
    }

    var nextDeadline: Timestamp? { isRunning ? inbox.loadTime : nil }

    mutating func wake(now: Timestamp) {}

    // MARK: Clients of the agent

    /// They look at a notification.
    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        guard let id = service.rows.keys.sorted().randomElement(using: &chance) else { return }
        questions.append(.check(id, number: inbox.beginCheck()))
    }

    mutating func begin(_ change: TimestampedChange, isDelayed: Bool, now: Timestamp) {
        let hasNewer = isDelayed && service.list().contains { $0.sent > change.time }
        let writes: [Write] =
            switch change.change {
            case .interacted(let id), .read(let id): [.change(id.rawValue, .read)]
            case .unread(let id): [.change(id.rawValue, .unread)]
            case .archive(let id): [.change(id.rawValue, .archived)]
            case .unarchive(let id): [.change(id.rawValue, .unarchived)]
            case .delete(let id): [.delete(id.rawValue)]
            case .seen(let ids): ids.map { .change($0.rawValue, .seen) }
            case .allRead where hasNewer: older(StorePredicate(read: false), .read, change.time)
            case .badgeReset where hasNewer: older(StorePredicate(seen: false), .seen, change.time)
            case .allRead: [.all(.read)]
            case .badgeReset: [.all(.seen)]
            }
        rest[change] = writes
        sendNext(of: ChangeStep(change: change))
    }

    /// One request for each notification that was sent until then.
    private func older(_ predicate: StorePredicate, _ change: StateChange, _ last: Timestamp) -> [Write] {
        service.list(predicate).filter { $0.sent <= last }.map { .change($0.id, change) }
    }

    private mutating func sendNext(of step: ChangeStep) {
        guard let write = rest[step.change]?.first else {
            rest[step.change] = nil
            return outcomes.append(ChangeOutcome(change: step.change))
        }
        rest[step.change]?.removeFirst()
        switch write {
        case .change(let id, let change): inbox.beginAction(change, on: id)
        case .delete(let id): inbox.beginAction(nil, on: id)
        case .all: break
        }
        questions.append(.write(write, step))
    }

    mutating func takeOutcomes() -> [ChangeOutcome] {
        defer { outcomes = [] }
        return outcomes
    }

    mutating func takeReports() -> [ServiceEvent] { inbox.takeReports() }

    // MARK: Requests

    mutating func takeQuestions(now: Timestamp) -> [Question] {
        if isRunning {
            if counting == 0, let time = inbox.loadTime, time <= now, let request = inbox.beginLoad(now: now) {
                questions.append(.page(request))
            }
            while let request = inbox.beginSingle() { questions.append(.single(request)) }
        }
        defer { questions = [] }
        return questions
    }

    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp) {
        switch (question, answer) {
        case (.page(let request), .success(.part(let part))):
            inbox.show(part, of: request, now: now)
            questions.append(.rest(request, of: part))
        case (.page(let request), .success(.page(let page))), (.rest(let request, _), .success(.page(let page))):
            if let next = inbox.finish(request, page, now: now) {
                questions.append(.page(next))
            } else {
                let counts = inbox.beginCounts(now: now)
                counting = counts.count
                questions += counts.map { .count($0) }
            }
        case (.page(let request), .failure(let failure)), (.rest(let request, _), .failure(let failure)):
            inbox.fail(request)
            inbox.postponeLoad(until: failure.pauseEnd(from: now))
        case (.single(let request), .success(.row(let row?))): inbox.finish(request, row, now: now)
        case (.single(let request), .success): fail(request, MagicBellError(.notFound, "no"), now)
        case (.single(let request), .failure(let failure)): fail(request, MagicBellError(failure), now)
        case (.count(let request), .success(.counts(let counts))):
            inbox.finish(request, counts, now: now)
            counting -= 1
        // The last counts stay.
        case (.count, .failure): counting -= 1
        case (.own(let request, let step), .success(.row(let row))):
            inbox.finish(own: request, row, now: now)
            sendNext(of: step)
        case (.own(let request, let step), .failure):
            inbox.finish(own: request, nil, now: now)
            sendNext(of: step)
        case (.check(_, let number), .success(.row(let row))): inbox.finishCheck(number, row)
        case (.check(_, let number), _): inbox.finishCheck(number, nil)
        case (.write(let write, let step), .success(.done)): performed(write, step, now)
        case (.write(let write, let step), .success): fail(write, step, MagicBellError(.notFound, "no"), now)
        case (.write(let write, let step), .failure(let failure)): fail(write, step, MagicBellError(failure), now)
        default: Issue.record("an answer of another request")
        }
    }

    private mutating func fail(_ request: InboxMirror.SingleRequest, _ error: MagicBellError, _ now: Timestamp) {
        if inbox.fail(request, error, now: now) != nil, let next = inbox.beginAgain(request) {
            questions.append(.single(next))
        }
    }

    private mutating func performed(_ write: Write, _ step: ChangeStep, _ now: Timestamp) {
        var step = step
        step.index += 1
        switch write {
        case .change(let id, let change):
            if let request = inbox.finishAction(change, on: id, now: now) {
                return questions.append(.own(request, step))
            }
        case .delete(let id): inbox.finishDeletion(of: id, now: now)
        case .all(let change): inbox.finishActionOnAll(change, upTo: step.change.time, now: now)
        }
        sendNext(of: step)
    }

    private mutating func fail(_ write: Write, _ step: ChangeStep, _ error: MagicBellError, _ now: Timestamp) {
        switch write {
        case .change(let id, let change): inbox.failAction(change, on: id, now: now)
        case .delete(let id): inbox.failAction(nil, on: id, now: now)
        case .all: break
        }
        // One of several was deleted meanwhile.
        let isOneOfAll = step.change.change == .allRead || step.change.change == .badgeReset
        if error.kind == .notFound, isOneOfAll { return sendNext(of: step) }
        rest[step.change] = nil
        outcomes.append(ChangeOutcome(change: step.change, failure: ServiceFailure(changing: error)))
    }
}
