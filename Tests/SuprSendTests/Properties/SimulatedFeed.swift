import Basics
import ClientKit
import ServiceModels
import TestSupport
import Testing

@testable import SuprSend

/// A ``FeedState``, driven as ``Feed`` does for an app: its list, its stores, its actions.
struct SimulatedFeed: SimulatedSystem {
    enum Question {
        /// `isJob`: asked by the feed itself; else by the app.
        case load(FeedState.Load, isJob: Bool)
        case scan(CatchUpScan, FeedCall)
        case count(FeedState.Count, isJob: Bool)
        case details(FeedState.DetailRequest)
        case row(id: String, number: UInt64)
        case action(FeedAction, number: UInt64)

        /// Such as "load".
        var name: String { "\(self)".prefix { $0 != "(" }.description }
    }

    enum Answer {
        case page(NotificationPage)
        case counts(NotificationCounts)
        case row(FeedNotification?)
        case done
    }

    static let keepsEvents = true
    static let longestStep: Int64 = 20
    /// Of rows that expire, in milliseconds.
    static let lifetime: Int64 = 400

    let stores: [NotificationStore]
    /// Whether a row that is unknown is never searched in the list, which would hide a mistake.
    private let isSteady: Bool
    /// Whether rows expire and are archived without an event, so the truth needs a look.
    let isSilent: Bool
    let maximumRows: Int
    /// The list according to the reported differences.
    private var followed: [String: FeedNotification] = [:]
    private let pageSize: Int
    private(set) var state: FeedState
    private(set) var service = SuprSendModel()
    private(set) var announced = ArrivalLog()
    /// The names of the events so far.
    private(set) var covered: Set<String> = []
    private var order = ActionOrder()
    /// The requests to send.
    private var questions: [Question] = []
    private var isLoading = false
    private var isRunning = true
    private var published: Int64 = 0

    init(seed: UInt64) {
        stores = [
            NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
            NotificationStore(id: "Promo", query: .init(categories: ["promo"])),
            NotificationStore(id: "Archive", query: .init(archived: true)),
        ]
        isSteady = seed % 2 == 0
        isSilent = seed % 8 == 1
        pageSize = [1, 2, 5, 20][Int(seed / 4 % 4)]
        maximumRows = max(pageSize, [pageSize, 8, 40][Int(seed % 3)])
        state = FeedState(pageSize: pageSize, stores: stores, maximumRows: maximumRows)
    }

    // MARK: The service

    mutating func publish(_ chance: inout SeededGenerator, now: Timestamp) -> [RealtimeEvent] {
        let (pinned, promo) = (oneIn(8, &chance), oneIn(2, &chance))
        let expires = isSilent && oneIn(6, &chance)
        published += 1
        // Several rows a millisecond.
        service.publish(created: base.advanced(milliseconds: published / 3)) { row in
            row.isPinned = pinned
            if promo { row.category = "promo" }
            row.expiry = expires ? now.advanced(milliseconds: Self.lifetime - 1) : nil
        }
        return service.takeEvents()
    }

    mutating func changeElsewhere(_ chance: inout SeededGenerator, now: Timestamp) -> [RealtimeEvent] {
        let id = service.ids.randomElement(using: &chance) ?? "none"
        switch Int.random(in: 0..<10, using: &chance) {
        case 0: service.change(id) { $0.isPinned.toggle() }
        case 1: service.change(id) { $0.read = $0.read == nil ? now : nil }
        case 2: service.change(id) { $0.isArchived.toggle() }
        case 3: service.change(id) { $0.category = $0.category == "promo" ? "system" : "promo" }
        case 4: service.perform(.markBulkAsSeen([id]), now: now)
        case 5: service.perform(.markAllAsRead, now: now)
        case 6: service.perform(.resetBadgeCount, now: now)
        case 7: if isSilent { service.remove(id) }
        case 8: return [strangeEvent(id, &chance)]
        default: service.change(id) { $0.message.text += "!" }
        }
        return service.takeEvents()
    }

    private func strangeEvent(_ id: String, _ chance: inout SeededGenerator) -> RealtimeEvent {
        // A row that cannot be loaded is searched in the list.
        let unknown = isSteady ? id : "unknown"
        return [
            .newNotification(id: unknown), .notificationUpdate(id: unknown), .seen(ids: ["unknown"]),
            .newNotification(id: id), .notificationUpdate(id: id), .seen(ids: []),
        ]
        .randomElement(using: &chance)!
    }

    mutating func serve(_ question: Question, now: Timestamp) -> (Answer, [RealtimeEvent]) {
        switch question {
        case .action(let action, _):
            service.perform(action, now: now)
            return (.done, service.takeEvents())
        case .load(let load, _): return (.page(service.page(load.call, now: now)), [])
        case .scan(_, let call): return (.page(service.page(call, now: now)), [])
        case .count: return (.counts(service.counts(stores, now: now)), [])
        case .details(let request): return (.row(service.rows[request.id]), [])
        case .row(let id, _): return (.row(service.rows[id]), [])
        }
    }

    func maySend(_ question: Question) -> Bool {
        if case .action(_, let number) = question { order.isNext(number) } else { true }
    }

    func isPage(_ question: Question) -> Bool {
        switch question {
        case .load, .scan: true
        case .count, .details, .row, .action: false
        }
    }

    func commute(_ first: RealtimeEvent, _ second: RealtimeEvent) -> Bool { first.commutes(with: second) }

    // MARK: The connection

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        covered.insert(isContinuous ? "recovered" : "joined")
        state.joined(recovered: isContinuous, now: now)
    }

    mutating func receive(_ event: RealtimeEvent, now: Timestamp) {
        covered.insert("\(event)".prefix { $0 != "(" }.description)
        check(state.receive(event, now: now), now)
    }

    func endsWithRun(_ question: Question) -> Bool {
        switch question {
        case .load(_, let isJob), .count(_, let isJob): isJob
        case .scan, .details: true
        case .row, .action: false
        }
    }

    mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        covered.insert("suspended")
        isRunning = false
        for question in questions {
            // At the end of run() these requests fail, and those for details are dropped.
            if case .details = question { continue }
            finish(question, .failure(.cancelled), now: now)
        }
        self.questions.removeAll(where: endsWithRun)
        state.suspend()
    }

    mutating func resume(now: Timestamp) { isRunning = true }

    var nextDeadline: Timestamp? { state.nextDeadline }

    mutating func wake(now: Timestamp) { check(state.wake(now: now), now) }

    // MARK: The user

    mutating func act(_ chance: inout SeededGenerator, now: Timestamp) {
        let id = service.ids.randomElement(using: &chance) ?? "none"
        guard oneIn(2, &chance) else { return ask(id, &chance) }
        let other = service.ids.randomElement(using: &chance) ?? id
        let action: FeedAction =
            [
                .markAsRead(id), .markAsUnread(id), .markAsSeen(id), .markAsInteracted(id), .markAsArchived(id),
                .markAllAsRead, .resetBadgeCount, .markBulkAsSeen([id, other]), .markAsRead("unknown"),
            ].randomElement(using: &chance)!
        guard let (number, effects) = state.begin(action, now: now) else { return }
        order.begin(number, on: action.ids.map(Set.init))
        questions.append(.action(action, number: number))
        check(effects, now)
    }

    private mutating func ask(_ id: String, _ chance: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: if let load = try? state.beginFetch() { questions.append(.load(load, isJob: false)) }
        case 1, 2: if let load = try? state.beginNextPage() { questions.append(.load(load, isJob: false)) }
        case 3: questions.append(.load(state.beginRefresh(), isJob: false))
        case 4:
            let store = stores.randomElement(using: &chance)!
            if let load = try? state.changeStore(store.id) {
                covered.insert("store \(store.id)")
                questions.append(.load(load, isJob: false))
            }
        default:
            let isRow = oneIn(2, &chance)
            questions.append(
                isRow ? .row(id: id, number: state.beginRow()) : .count(state.beginCount(), isJob: false)
            )
        }
    }

    // MARK: The feed's own requests

    /// With the requests that `Feed` starts after each event.
    mutating func takeQuestions(now: Timestamp) -> [Question] {
        if isRunning {
            while let request = state.beginDetails() { questions.append(.details(request)) }
            if state.wantsCount { questions.append(.count(state.beginCount(), isJob: true)) }
            if state.isStale, !isLoading {
                isLoading = true
                questions.append(.load(state.beginRefresh(isQuiet: true), isJob: true))
                questions.append(.count(state.beginCount(), isJob: true))
                for scan in state.scans() { ask(scan) }
            }
        }
        defer { questions = [] }
        return questions
    }

    private mutating func ask(_ scan: CatchUpScan) {
        if let call = scan.call { questions.append(.scan(scan, call)) }
    }

    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp) {
        if case .load(_, isJob: true) = question { isLoading = false }
        let error: SuprSendError
        switch answer {
        case .success(let answer): return finish(question, answer, now)
        case .failure(let failure): error = SuprSendError(failure)
        }
        covered.insert("failed \(question.name)")
        switch question {
        case .load(let load, let isJob):
            check(state.finish(load, .failure(error), now: now).effects, now)
            if isJob { state.becomeStale() }
        case .scan: state.becomeStale()
        case .count(let count, _): check(state.finish(count, nil, now: now), now)
        case .details(let request): fail(request, error, now)
        case .row(_, let number): check(state.finishRow(number, nil, now: now), now)
        case .action(_, let number):
            order.end(number)
            check(state.finish(number, succeeded: false, now: now), now)
        }
    }

    private mutating func finish(_ question: Question, _ answer: Answer, _ now: Timestamp) {
        switch (question, answer) {
        case (.load(let load, let isJob), .page(let page)):
            let (outcome, effects) = state.finish(load, .success(page), now: now)
            covered.insert("page \(load.kind) \(outcome)")
            check(effects, now)
            if outcome == .outdated, let next = try? state.beginNextPage() {
                questions.append(.load(next, isJob: isJob))
                if isJob { isLoading = true }
            }
        case (.scan(var scan, _), .page(let page)):
            check(state.proceed(&scan, page, now: now), now)
            ask(scan)
        case (.count(let count, _), .counts(let counts)): check(state.finish(count, counts, now: now), now)
        case (.details(let request), .row(let row?)): check(state.finishDetails(request, row, now: now), now)
        case (.details(let request), _): fail(request, SuprSendError(.notFound, "no"), now)
        case (.row(_, let number), .row(let row)): check(state.finishRow(number, row, now: now), now)
        case (.action(_, let number), _):
            order.end(number)
            check(state.finish(number, succeeded: true, now: now), now)
        default: Issue.record("an answer of another request")
        }
    }

    private mutating func fail(_ request: FeedState.DetailRequest, _ error: SuprSendError, _ now: Timestamp) {
        let (delay, effects) = state.failDetails(request, error, now: now)
        check(effects, now)
        if delay != nil, let next = state.beginDetailsAgain(request) { questions.append(.details(next)) }
    }

    // MARK: Invariants

    private mutating func check(_ effects: [FeedState.Effect], _ now: Timestamp) {
        let differences = state.takeUpdate().rows
        for row in differences.changed { followed[row.id] = row }
        for id in differences.removed + differences.unloaded { followed[id] = nil }
        #expect(Set(followed.values) == Set(state.data.notifications), "the differences lead to the list")
        for case .report(.announced(let row, _)) in effects {
            announced.add(row.id)
            #expect(!SuprSendRules.isOver(row, at: now))
        }
        let data = state.data
        #expect(Set(data.notifications.map(\.id)).count == data.notifications.count)
        #expect(data.notifications.map(\.id) == SuprSendRules.sorted(data.notifications).map(\.id))
        #expect(data.notifications.allSatisfy { SuprSendRules.belongs($0, to: data.store.query) })
        #expect(data.notifications.count <= maximumRows)
        #expect(data.meta.badge >= 0 && data.meta.stores.values.allSatisfy { $0 >= 0 })
        #expect(data.pageInfo.total >= data.notifications.count)
    }

    /// The feed shows what the service has.
    func expectTruth(now: Timestamp, _ comment: Comment) {
        let data = state.data
        let truth = service.list(data.store.query, now: now)
        let counts = service.counts(stores, now: now)
        // Changes of rows that are not loaded do not change the total.
        let total = data.pageInfo.hasMore ? data.pageInfo.total : truth.count
        let shown = ShownInbox(
            data.notifications.map(Look.init),
            hasMore: data.pageInfo.hasMore,
            isComplete: data.status == .success,
            counts: data.meta.stores.merging(["badge": data.meta.badge, "total": data.pageInfo.total]) { $1 }
        )
        let expected = counts.stores.merging(["badge": counts.badge, "total": total]) { $1 }
        #expect(shown.differences(from: truth.map(Look.init), counts: expected) == [], comment)
        #expect(announced.problems(fresh: [], old: []) == [], comment)
        #expect(order == ActionOrder(), comment)
    }

    /// A row without the exact times of its actions, which bulk events do not contain.
    private struct Look: Equatable, CustomStringConvertible {
        var row: FeedNotification
        var description: String {
            "\(row.id)\(row.isPinned ? " pinned" : "")\(row.isRead ? " read" : "")\(row.isSeen ? " seen" : "")"
                + "\(row.interacted != nil ? " followed" : "") \(row.category) \(row.message.text)"
        }

        init(_ row: FeedNotification) {
            self.row = row
            if row.seen != nil { self.row.seen = 0 }
            if row.read != nil { self.row.read = 0 }
            if row.interacted != nil { self.row.interacted = 0 }
        }
    }

    /// The number of stored elements, without the recent ids, which have their own limit.
    var footprint: Int { Self.count(state) }

    static func count(_ value: Any) -> Int {
        if value is RecentIDs { return 0 }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .set, .dictionary: return mirror.children.count
        case .struct: return mirror.children.reduce(0) { $0 + count($1.value) }
        default: return 0
        }
    }
}

private func oneIn(_ number: Int, _ chance: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<number, using: &chance) == 0
}
