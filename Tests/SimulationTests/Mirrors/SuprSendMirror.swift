import Basics
import ClientKit
import Inbox
import ServiceModels
import SuprSend
import TestSupport
import Testing

@testable import Agent

/// SuprSend and a ``FeedDriver`` with the agent's changes.
struct SuprSendMirror: SimulatedMirror {
    typealias Question = FeedDriver.Question
    typealias Answer = FeedDriver.Answer

    static let rules = SuprSendInbox.rules
    static let capabilities: Capabilities = [.archive, .seen, .pinOrder, .serverBadge, .tabs]
    static let beginsPagesAfterRows = false
    static let keepsEvents = true
    static let longestStep: Int64 = 200
    let tabs = [InboxTab(id: "promo", label: "Promo", predicate: InboxPredicate(categories: ["promo"]))]
    private let counted: [NotificationStore]
    private let pageSize: Int
    private var service = SuprSendModel()
    private var feed: FeedDriver
    private var outcomes: [ChangeOutcome] = []
    /// The requests that are left of each change.
    private var rest: [TimestampedChange: [FeedAction]] = [:]
    /// The changes of the actions without answer.
    private var steps: [UInt64: ChangeStep] = [:]
    private var now: Timestamp = 0

    init(seed: UInt64) {
        counted = tabs.map { NotificationStore(id: $0.id, query: .init($0.predicate)) } + [.unread]
        pageSize = [2, 5, 20][Int(seed % 3)]
        feed = Self.feed(FeedState(pageSize: pageSize, counted: counted))
    }

    private static func feed(_ state: FeedState) -> FeedDriver { FeedDriver(state, pause: 1_000) }

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
        service.answer(question, counting: counted, now: now)
    }

    func maySend(_ question: Question) -> Bool { feed.maySend(question) }

    func isPage(_ question: Question) -> Bool { question.isPage }

    func commute(_ first: RealtimeEvent, _ second: RealtimeEvent) -> Bool { first.commutes(with: second) }

    func change(of question: Question) -> ChangeStep? {
        if case .action(_, let number) = question { steps[number] } else { nil }
    }

    // MARK: The connection

    mutating func start(after marks: DeliveryMarks, now: Timestamp) {
        var state = FeedState(pageSize: pageSize, counted: counted)
        state.resume(after: marks.watermark, announced: marks.shown.keys.map(\.rawValue))
        feed = Self.feed(state)
        (outcomes, rest, steps) = ([], [:], [:])
    }

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        feed.connected(isContinuous: isContinuous, now: now)
    }

    mutating func receive(_ event: RealtimeEvent, now: Timestamp) { feed.receive(event, now: now) }

    func endsWithRun(_ question: Question) -> Bool { question.endsWithRun }

    mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        feed.suspend(cancelling: questions, now: now)
    }

    mutating func resume(now: Timestamp) { feed.resume() }

    var nextDeadline: Timestamp? { feed.nextDeadline }

    mutating func wake(now: Timestamp) { feed.wake(now: now) }

    // MARK: Clients of the agent

    /// They look at a notification. Not while the list is loaded: the first page removes no row that was loaded before.
    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        guard !feed.state.isStale, let id = service.ids.randomElement(using: &chance) else { return }
        feed.ask(.row(id: id, number: feed.state.beginRow()))
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
            if let number = feed.begin(action, isShown: false, now: now) {
                steps[number] = step
                return
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
        feed.takeUpdates().compactMap { update in
            switch update {
            case .contents(let contents): .contents(InboxUpdate(contents))
            case .report(.announced(let row, let isCatchUp)): .arrived([Notification(row)], isCatchUp: isCatchUp)
            case .report(.changed(let row)): .updated(Notification(row))
            case .report(.seen(let ids)): .seen(ids.map { NotificationID($0) })
            case .report(.allRead): .allRead
            case .caughtUp(let newest): .caughtUp(newest)
            case .connection: nil
            }
        }
    }

    // MARK: Requests

    mutating func takeQuestions(now: Timestamp) -> [Question] {
        self.now = now
        return feed.takeQuestions(now: now)
    }

    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp) {
        self.now = now
        if let outcome = feed.finish(question, answer.mapError { SuprSendError($0) }, now: now) {
            #expect(outcome == .applied)
        }
        guard case .action(_, let number) = question, var step = steps.removeValue(forKey: number) else { return }
        switch answer {
        case .success:
            step.index += 1
            sendNext(of: step, now)
        case .failure(let failure):
            rest[step.change] = nil
            let failure = ServiceFailure(changing: SuprSendError(failure))
            outcomes.append(ChangeOutcome(change: step.change, failure: failure))
        }
    }
}
