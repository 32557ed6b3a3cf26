import Basics
import ClientKit
import Inbox
@testable import Agent
import ServiceModels
import TestSupport
import Testing

@testable import SuprSend

/// SuprSend and a ``FeedState``, driven as ``Feed`` does for the agent.
struct SuprSendMirror: SimulatedMirror {
    enum Question {
        case load(FeedState.Load)
        case scan(CatchUpScan, FeedCall)
        case count(FeedState.Count, isOfLoad: Bool)
        case details(FeedState.DetailRequest)
        case row(id: String, number: UInt64)
        case action(FeedAction, number: UInt64, ChangeStep)
    }

    enum Answer {
        case page(NotificationPage)
        case counts(NotificationCounts)
        case row(FeedNotification?)
        case done
    }

    /// A load of the list: its requests without answer, and whether one failed.
    private struct Loading {
        var left = 0
        var failure: RequestFailure?
        var hasScans = false
    }

    static let rules = SuprSendInbox.rules
    static let capabilities: Capabilities = [.archive, .seen, .pinOrder, .serverBadge, .tabs]
    static let keepsEvents = true
    static let longestStep: Int64 = 200
    let tabs = [InboxTab(id: "promo", label: "Promo", predicate: InboxPredicate(categories: ["promo"]))]
    private let counted: [NotificationStore]
    private let pageSize: Int
    private var service = SuprSendModel()
    private var state: FeedState
    private var order = ActionOrder()
    private var questions: [Question] = []
    private var reports: [ServiceEvent] = []
    private var outcomes: [ChangeOutcome] = []
    /// The requests that are left of each change.
    private var rest: [TimestampedChange: [FeedAction]] = [:]
    private var isRunning = true
    private var loading: Loading?
    private var pause = LoadPause()
    private var now: Timestamp = 0

    init(seed: UInt64) {
        counted = tabs.map { NotificationStore(id: $0.id, query: .init($0.predicate)) } + [.unread]
        pageSize = [2, 5, 20][Int(seed % 3)]
        state = FeedState(pageSize: pageSize, counted: counted)
    }

    // MARK: The service

    var states: [String: RowState] {
        service.rows.mapValues { RowState(isArchived: $0.isArchived, isSeen: $0.isSeen, isRead: $0.isRead) }
    }

    func unarchived(by event: RealtimeEvent) -> String? { nil }

    func unknowable(after marks: DeliveryMarks) -> [NotificationID] { [] }

    /// One that was in the archive when it arrived is not known to be caught up.
    var leastCaughtUp: Timestamp { 0 }

    var list: [Inbox.Notification] { service.list(.init(), now: now).map { Notification($0) } }

    func counts(like shown: Counts, hasMore: Bool) -> [String: Int] {
        let counts = service.counts(counted, now: now)
        var expected = ["badge": counts.badge, "unread": counts.stores[NotificationStore.unread.id] ?? 0]
        for tab in tabs { expected["tab \(tab.id)"] = counts.stores[tab.id] }
        // Changes of notifications that are not loaded do not change the total.
        if !hasMore { expected["total"] = list.count }
        return expected
    }

    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [RealtimeEvent] {
        let (pinned, promo) = (Int.random(in: 0..<8, using: &chance) == 0, Bool.random(using: &chance))
        service.publish(created: now) { row in
            row.isPinned = pinned
            if promo { row.category = "promo" }
        }
        return service.takeEvents()
    }

    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [RealtimeEvent] {
        guard let id = service.ids.randomElement(using: &chance) else { return [] }
        switch Int.random(in: 0..<10, using: &chance) {
        case 0: service.change(id) { $0.isPinned.toggle() }
        case 1, 2: service.change(id) { $0.read = $0.read == nil ? now : nil }
        case 3: service.change(id) { $0.isArchived.toggle() }
        case 4: service.change(id) { $0.category = $0.category == "promo" ? "system" : "promo" }
        case 5: service.perform(.markBulkAsSeen([id]), now: now)
        case 6: service.perform(.markAllAsRead, now: now)
        case 7: service.perform(.resetBadgeCount, now: now)
        default: service.change(id) { $0.message.text += "!" }
        }
        return service.takeEvents()
    }

    mutating func serve(_ question: Question, now: Timestamp) -> (Answer, [RealtimeEvent]) {
        switch question {
        case .action(let action, _, _):
            service.perform(action, now: now)
            return (.done, service.takeEvents())
        case .load(let load): return (.page(service.page(load.call, now: now)), [])
        case .scan(_, let call): return (.page(service.page(call, now: now)), [])
        case .count: return (.counts(service.counts(counted, now: now)), [])
        case .details(let request): return (.row(service.rows[request.id]), [])
        case .row(let id, _): return (.row(service.rows[id]), [])
        }
    }

    func maySend(_ question: Question) -> Bool {
        if case .action(_, let number, _) = question { order.isNext(number) } else { true }
    }

    func isPage(_ question: Question) -> Bool {
        switch question {
        case .load, .scan: true
        case .count, .details, .row, .action: false
        }
    }

    func commute(_ first: RealtimeEvent, _ second: RealtimeEvent) -> Bool { first.commutes(with: second) }

    func change(of question: Question) -> ChangeStep? {
        if case .action(_, _, let step) = question { step } else { nil }
    }

    // MARK: The connection

    mutating func start(after marks: DeliveryMarks, now: Timestamp) {
        state = FeedState(pageSize: pageSize, counted: counted)
        state.resume(after: marks.watermark, announced: marks.shown.keys.map(\.rawValue))
        (order, questions, reports, outcomes, rest) = (ActionOrder(), [], [], [], [:])
        (isRunning, loading, pause) = (true, nil, LoadPause())
    }

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        state.joined(recovered: isContinuous, now: now)
        pause.finish()
    }

    mutating func receive(_ event: RealtimeEvent, now: Timestamp) { apply(state.receive(event, now: now)) }

    func endsWithRun(_ question: Question) -> Bool {
        switch question {
        case .load, .scan, .count, .details: true
        case .row, .action: false
        }
    }

    mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        isRunning = false
        for question in questions {
            // At the end of run() these requests fail, and those for details are dropped.
            if case .details = question { continue }
            finish(question, .failure(.cancelled), now: now)
        }
        self.questions.removeAll(where: endsWithRun)
        loading = nil
        pause.finish()
        state.suspend()
    }

    mutating func resume(now: Timestamp) { isRunning = true }

    var nextDeadline: Timestamp? {
        [state.nextDeadline, state.isStale && loading == nil ? pause.end : nil].compactMap { $0 }.min()
    }

    mutating func wake(now: Timestamp) {
        if pause.isOver(at: now) { pause.finish() }
        apply(state.wake(now: now))
    }

    // MARK: Clients of the agent

    /// They look at a notification. Not while the list is loaded: the first page removes no row that was loaded before.
    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        guard !state.isStale, let id = service.ids.randomElement(using: &chance) else { return }
        questions.append(.row(id: id, number: state.beginRow()))
    }

    mutating func begin(_ change: TimestampedChange, isDelayed: Bool, now: Timestamp) {
        let hasNewer = isDelayed && service.list(.init(), now: now).contains { $0.created > change.time }
        let actions: [FeedAction] =
            switch change.change {
            case .interacted(let id): [.markAsInteracted(id.rawValue)]
            case .seen(let ids): [.markBulkAsSeen(ids.map(\.rawValue))]
            case .read(let id): [.markAsRead(id.rawValue)]
            case .unread(let id): [.markAsUnread(id.rawValue)]
            case .archive(let id): [.markAsArchived(id.rawValue)]
            case .allRead where hasNewer:
                service.list(.init(read: false), now: now).filter { $0.created <= change.time }
                    .map { .markAsRead($0.id) }
            case .badgeReset where hasNewer: []
            case .allRead: [.markAllAsRead]
            case .badgeReset: [.resetBadgeCount]
            case .unarchive, .delete: []
            }
        rest[change] = actions
        sendNext(of: ChangeStep(change: change), now)
    }

    private mutating func sendNext(of step: ChangeStep, _ now: Timestamp) {
        var (step, isUnneeded) = (step, false)
        while let action = rest[step.change]?.first {
            rest[step.change]?.removeFirst()
            if let number = state.beginUnshown(action, now: now) {
                order.begin(number, on: action.ids.map(Set.init))
                return questions.append(.action(action, number: number, step))
            }
            isUnneeded = step.index == 0
            step.index += 1
        }
        rest[step.change] = nil
        outcomes.append(ChangeOutcome(change: step.change, isUnneeded: isUnneeded))
    }

    mutating func takeOutcomes() -> [ChangeOutcome] {
        defer { outcomes = [] }
        return outcomes
    }

    mutating func takeReports() -> [ServiceEvent] {
        defer { reports = [] }
        return reports
    }

    private mutating func apply(_ effects: [FeedState.Effect]) {
        let isUpdated = effects.contains(.updated)
        if isUpdated { reports.append(.contents(InboxUpdate(state.takeUpdate()))) }
        for case .report(let report) in effects {
            let event: ServiceEvent =
                switch report {
                case .announced(let row, let isCatchUp): .arrived([Notification(row)], isCatchUp: isCatchUp)
                case .changed(let row): .updated(Notification(row))
                case .seen(let ids): .seen(ids.map { NotificationID($0) })
                case .allRead: .allRead
                }
            reports.append(event)
        }
        if isUpdated, let newest = state.caughtUp { reports.append(.caughtUp(newest)) }
    }

    // MARK: Requests

    mutating func takeQuestions(now: Timestamp) -> [Question] {
        self.now = now
        if isRunning {
            while let request = state.beginDetails() { questions.append(.details(request)) }
            if state.wantsCount { questions.append(.count(state.beginCount(), isOfLoad: false)) }
            if state.isStale, loading == nil, pause.isOver(at: now) {
                loading = Loading(left: 2)
                questions.append(.load(state.beginRefresh(isQuiet: true)))
                questions.append(.count(state.beginCount(), isOfLoad: true))
            }
        }
        defer { questions = [] }
        return questions
    }

    /// A request of the present load ended.
    private mutating func endPart(_ failure: RequestFailure? = nil, _ now: Timestamp) {
        guard var load = loading else { return }
        load.left -= 1
        load.failure = load.failure ?? failure
        loading = load
        guard load.left == 0 else { return }
        if let failure = load.failure {
            loading = nil
            state.becomeStale()
            pause.begin(after: failure, now: now)
        } else if load.hasScans {
            loading = nil
            apply(state.finishScans())
        } else {
            let scans = state.scans()
            loading = Loading(left: scans.count + 1, hasScans: true)
            for scan in scans { ask(scan, now) }
            endPart(nil, now)
        }
    }

    private mutating func ask(_ scan: CatchUpScan, _ now: Timestamp) {
        if let call = scan.call { questions.append(.scan(scan, call)) } else { endPart(nil, now) }
    }

    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp) {
        self.now = now
        switch (question, answer) {
        case (.load(let load), .success(.page(let page))):
            let (outcome, effects) = state.finish(load, .success(page), now: now)
            apply(effects)
            #expect(outcome == .applied)
            endPart(nil, now)
        case (.load(let load), .failure(let failure)):
            apply(state.finish(load, .failure(SuprSendError(failure)), now: now).effects)
            endPart(failure, now)
        case (.scan(var scan, _), .success(.page(let page))):
            apply(state.proceed(&scan, page, now: now))
            ask(scan, now)
        case (.scan, .failure(let failure)): endPart(failure, now)
        case (.count(let count, let isOfLoad), .success(.counts(let counts))):
            apply(state.finish(count, counts, now: now))
            if isOfLoad { endPart(nil, now) }
        case (.count(let count, let isOfLoad), .failure(let failure)):
            apply(state.finish(count, nil, now: now))
            if isOfLoad { endPart(failure, now) }
        case (.details(let request), .success(.row(let row?))):
            apply(state.finishDetails(request, row, now: now))
        case (.details(let request), .success): fail(request, SuprSendError(.notFound, "no"), now)
        case (.details(let request), .failure(let failure)): fail(request, SuprSendError(failure), now)
        case (.row(_, let number), .success(.row(let row))): apply(state.finishRow(number, row, now: now))
        case (.row(_, let number), _): apply(state.finishRow(number, nil, now: now))
        case (.action(_, let number, var step), .success):
            order.end(number)
            apply(state.finish(number, succeeded: true, now: now))
            step.index += 1
            sendNext(of: step, now)
        case (.action(_, let number, let step), .failure(let failure)):
            order.end(number)
            let effects = state.finish(number, succeeded: false, now: now)
            let error = SuprSendError(failure)
            if error.isOutcomeUnknown { state.becomeStale() }
            apply(effects)
            rest[step.change] = nil
            outcomes.append(ChangeOutcome(change: step.change, failure: ServiceFailure(changing: error)))
        default: Issue.record("an answer of another request")
        }
    }

    private mutating func fail(_ request: FeedState.DetailRequest, _ error: SuprSendError, _ now: Timestamp) {
        let (delay, effects) = state.failDetails(request, error, now: now)
        apply(effects)
        if delay != nil, let next = state.beginDetailsAgain(request) { questions.append(.details(next)) }
    }
}
