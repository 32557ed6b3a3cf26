import Basics
import ClientKit
import ServiceModels
import TestSupport
import Testing

@testable import SuprSend

/// A ``FeedDriver`` with an app: its list, its stores, its actions.
struct SimulatedFeed: SimulatedSystem {
    typealias Question = FeedDriver.Question
    typealias Answer = FeedDriver.Answer

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
    private var feed: FeedDriver
    private(set) var service = SuprSendModel()
    private(set) var announced = ArrivalLog()
    /// The names of the events so far.
    private(set) var covered: Set<String> = []
    private var published: Int64 = 0

    init(seed: UInt64) {
        stores = [
            NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
            NotificationStore(id: "Promo", query: .init(categories: ["promo"])),
            NotificationStore(id: "Archive", query: .init(archived: true)),
        ]
        isSteady = seed % 2 == 0
        isSilent = seed % 8 == 1
        let pageSize = [1, 2, 5, 20][Int(seed / 4 % 4)]
        maximumRows = max(pageSize, [pageSize, 8, 40][Int(seed % 3)])
        feed = FeedDriver(FeedState(pageSize: pageSize, stores: stores, maximumRows: maximumRows), pause: 10)
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
        service.answer(question, counting: stores, now: now)
    }

    func maySend(_ question: Question) -> Bool { feed.maySend(question) }

    func isPage(_ question: Question) -> Bool { question.isPage }

    func commute(_ first: RealtimeEvent, _ second: RealtimeEvent) -> Bool { first.commutes(with: second) }

    // MARK: The connection

    mutating func connected(isContinuous: Bool, now: Timestamp) {
        covered.insert(isContinuous ? "recovered" : "joined")
        feed.connected(isContinuous: isContinuous, now: now)
    }

    mutating func receive(_ event: RealtimeEvent, now: Timestamp) {
        covered.insert("\(event)".prefix { $0 != "(" }.description)
        feed.receive(event, now: now)
        check(now)
    }

    func endsWithRun(_ question: Question) -> Bool { question.endsWithRun }

    mutating func suspend(cancelling questions: [Question], now: Timestamp) {
        covered.insert("suspended")
        feed.suspend(cancelling: questions, now: now)
        check(now)
    }

    mutating func resume(now: Timestamp) { feed.resume() }

    var nextDeadline: Timestamp? { feed.nextDeadline }

    mutating func wake(now: Timestamp) {
        feed.wake(now: now)
        check(now)
    }

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
        _ = feed.begin(action, isShown: true, now: now)
        check(now)
    }

    private mutating func ask(_ id: String, _ chance: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: if let load = try? feed.state.beginFetch() { feed.ask(.load(load, .app)) }
        case 1, 2: if let load = try? feed.state.beginNextPage() { feed.ask(.load(load, .app)) }
        case 3: feed.ask(.load(feed.state.beginRefresh(), .app))
        case 4:
            let store = stores.randomElement(using: &chance)!
            if let load = try? feed.state.changeStore(store.id) {
                covered.insert("store \(store.id)")
                feed.ask(.load(load, .app))
            }
        default:
            let isRow = oneIn(2, &chance)
            feed.ask(isRow ? .row(id: id, number: feed.state.beginRow()) : .count(feed.state.beginCount(), .app))
        }
    }

    // MARK: Requests

    mutating func takeQuestions(now: Timestamp) -> [Question] { feed.takeQuestions(now: now) }

    mutating func finish(_ question: Question, _ answer: Result<Answer, RequestFailure>, now: Timestamp) {
        let outcome = feed.finish(question, answer.mapError { SuprSendError($0) }, now: now)
        if case .load(let load, _) = question, let outcome { covered.insert("page \(load.kind) \(outcome)") }
        if case .failure = answer { covered.insert("failed \("\(question)".prefix { $0 != "(" })") }
        check(now)
    }

    // MARK: Invariants

    private mutating func check(_ now: Timestamp) {
        for update in feed.takeUpdates() {
            switch update {
            case .contents(let contents): follow(contents.rows)
            case .report(.announced(let row, _)):
                announced.add(row.id)
                #expect(!SuprSendRules.isOver(row, at: now))
            case .report, .caughtUp, .connection: break
            }
        }
        follow(feed.state.takeUpdate().rows)
        let data = feed.state.data
        #expect(Set(followed.values) == Set(data.notifications), "the differences lead to the list")
        #expect(Set(data.notifications.map(\.id)).count == data.notifications.count)
        #expect(data.notifications.map(\.id) == SuprSendRules.sorted(data.notifications).map(\.id))
        #expect(data.notifications.allSatisfy { SuprSendRules.belongs($0, to: data.store.query) })
        #expect(data.notifications.count <= maximumRows)
        #expect(data.meta.badge >= 0 && data.meta.stores.values.allSatisfy { $0 >= 0 })
        #expect(data.pageInfo.total >= data.notifications.count)
    }

    private mutating func follow(_ differences: RowDifferences<FeedNotification>) {
        for row in differences.changed { followed[row.id] = row }
        for id in differences.removed + differences.unloaded { followed[id] = nil }
    }

    /// The feed shows what the service has.
    func expectTruth(now: Timestamp, _ comment: Comment) {
        let data = feed.state.data
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
        #expect(feed.order == ActionOrder(), comment)
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
    var footprint: Int { Self.count(feed.state) }

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
