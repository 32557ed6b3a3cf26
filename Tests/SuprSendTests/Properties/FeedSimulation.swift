import Basics
import ClientKit
import TestSupport
import Testing

@testable import SuprSend

/// A ``FeedState``, driven as ``Feed`` does, with a ``SimulatedService`` and a random network.
///
/// Each step is one event: a change at the service, a user action, or one request or event getting one step
/// further. Requests are answered as of some moment after they were made, and the answers take any time and any order.
struct FeedSimulation {
    private enum Question {
        /// `isJob`: asked by the feed itself; else by the app.
        case load(FeedState.Load, isJob: Bool)
        case scan(CatchUpScan, FeedCall)
        case count(FeedState.Count, isJob: Bool)
        case details(FeedState.DetailRequest)
        case row(id: String, number: UInt64)
        case action(FeedAction, number: UInt64)

        /// Ends with run().
        var isOfLife: Bool {
            switch self {
            case .load(_, let isJob), .count(_, let isJob): isJob
            case .scan, .details: true
            case .row, .action: false
            }
        }
    }

    private enum Answer {
        case page(NotificationPage)
        case counts(NotificationCounts)
        case row(FeedNotification?)
        case done
        case failure
    }

    private struct Request {
        var question: Question
        /// Nil: not yet at the service.
        var answer: Answer?
    }

    /// The possible faults.
    struct Trouble {
        /// No request fails and no connection is lost, so that nothing is ever loaded again to hide a mistake.
        var isAbsent = false
        /// Rows expire and are archived without an event, so the truth needs a look.
        var isSilent = false
    }

    /// Of rows that expire, in milliseconds.
    private static let lifetime: Int64 = 400

    let stores: [NotificationStore]
    let trouble: Trouble
    let maximumRows: Int
    /// The list according to the reported differences.
    private var followed: [String: FeedNotification] = [:]
    let pageSize: Int
    private(set) var state: FeedState
    private(set) var service = SimulatedService()
    private(set) var announced: Set<String> = []
    /// The names of the events so far.
    private(set) var covered: Set<String> = []
    private var order = ActionOrder()
    private var requests: [Request] = []
    private var isRunning = true
    private var isJoined = false
    /// Whether the server still has the session, so that nothing sent meanwhile is lost.
    private var hasSession = false
    private var now = base
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        stores = [
            NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
            NotificationStore(id: "Promo", query: .init(categories: ["promo"])),
            NotificationStore(id: "Archive", query: .init(archived: true)),
        ]
        trouble = Trouble(isAbsent: seed % 2 == 0, isSilent: seed % 8 == 1)
        pageSize = [1, 2, 5, 20][Int(seed / 4 % 4)]
        maximumRows = max(pageSize, [pageSize, 8, 40][Int(seed % 3)])
        state = FeedState(pageSize: pageSize, stores: stores, maximumRows: maximumRows)
    }

    // MARK: Running

    mutating func live(steps: Int) {
        for _ in 0..<steps {
            now = Timestamp(milliseconds: now.milliseconds + Int64.random(in: 0...20, using: &chance))
            step()
            work()
        }
    }

    /// No further events; everything in flight arrives.
    mutating func comeToRest() {
        isRunning = true
        if trouble.isSilent {
            // Everything has expired that does: no event would show it in the archive later.
            now = Timestamp(milliseconds: now.milliseconds + Self.lifetime)
            join(recovered: false)
        }
        if !isJoined { join(recovered: hasSession && oneIn(2)) }
        var stepsLeft = 3_000
        while stepsLeft > 0 {
            stepsLeft -= 1
            work()
            if !service.events.isEmpty, requests.isEmpty || oneIn(2) {
                deliver()
            } else if !requests.isEmpty {
                advance(requests.indices.randomElement(using: &chance)!, mayFail: false)
            } else if let next = state.nextDeadline, next.milliseconds < now.milliseconds + 100_000 {
                now = max(now, next)
                check(state.wake(now: now))
            } else if !state.isStale, !state.wantsCount {
                break
            }
        }
        #expect(stepsLeft > 0, "it does not come to rest")
    }

    private mutating func step() {
        // An event follows its change closely while there is a connection.
        if isJoined, let first = service.events.first, now.milliseconds - first.sent.milliseconds > 500 {
            return deliver()
        }
        let id = service.ids.randomElement(using: &chance) ?? "none"
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<40: if !requests.isEmpty { advance(requests.indices.randomElement(using: &chance)!, mayFail: true) }
        case 40..<60: deliver()
        case 60..<68: publish()
        case 68..<75: changeElsewhere(id)
        case 75..<85: act(id)
        case 85..<92: ask(id)
        case 92..<94: check(state.wake(now: now))
        case 94..<96:
            if !isRunning { break }
            if !isJoined { join(recovered: hasSession && oneIn(2)) } else if !trouble.isAbsent { drop() }
        case 96: strangeEvent(id)
        case 97: if trouble.isSilent { service.remove(id) }
        case 98: if !trouble.isAbsent { isRunning ? suspend() : resume() }
        default:
            if let time = state.nextDeadline {
                now = max(now, min(time, Timestamp(milliseconds: now.milliseconds + 2000)))
            }
        }
    }

    // MARK: The service

    private mutating func publish() {
        let (pinned, promo) = (oneIn(8), oneIn(2))
        let expiry = trouble.isSilent && oneIn(6) ? Timestamp(milliseconds: now.milliseconds + Self.lifetime - 1) : nil
        service.publish(
            { row in
                row.isPinned = pinned
                if promo { row.category = "promo" }
                row.expiry = expiry
            },
            now: now
        )
        if oneIn(5), let last = service.events.last { service.events.append(last) }
    }

    private mutating func changeElsewhere(_ id: String) {
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: service.change(id, now: now) { $0.isPinned.toggle() }
        case 1: service.change(id, now: now) { [now] in $0.read = $0.read == nil ? now : nil }
        case 2: service.change(id, now: now) { $0.isArchived.toggle() }
        case 3: service.change(id, now: now) { $0.category = $0.category == "promo" ? "system" : "promo" }
        case 4: service.perform(.markBulkAsSeen([id]), now: now)
        case 5: service.perform(.markAllAsRead, now: now)
        case 6: service.perform(.resetBadgeCount, now: now)
        default: service.change(id, now: now) { $0.message.text += "!" }
        }
    }

    private mutating func strangeEvent(_ id: String) {
        // A row that cannot be loaded is searched in the list.
        let unknown = trouble.isAbsent ? id : "unknown"
        let event: RealtimeEvent =
            [
                .newNotification(id: unknown), .notificationUpdate(id: unknown), .seen(ids: ["unknown"]),
                .newNotification(id: id), .notificationUpdate(id: id), .seen(ids: []),
            ].randomElement(using: &chance)!
        service.events.append((now, event))
    }

    // MARK: The socket

    private mutating func deliver() {
        guard isJoined, isRunning, !service.events.isEmpty else { return }
        let event = service.events.removeFirst().event
        covered.insert("\(event)".prefix { $0 != "(" }.description)
        check(state.receive(event, now: now))
    }

    private mutating func join(recovered: Bool) {
        if !recovered { service.events = [] }
        (isJoined, hasSession) = (true, true)
        covered.insert(recovered ? "recovered" : "joined")
        state.joined(recovered: recovered, now: now)
    }

    private mutating func drop() {
        isJoined = false
        if oneIn(3) { hasSession = false }
    }

    private mutating func suspend() {
        covered.insert("suspended")
        (isRunning, isJoined, hasSession) = (false, false, false)
        for request in requests where request.question.isOfLife {
            // At the end of run() these requests fail, and those for details are dropped.
            if case .details = request.question { continue }
            finish(request.question, .failure)
        }
        requests.removeAll { $0.question.isOfLife }
        state.suspend()
    }

    private mutating func resume() { isRunning = true }

    // MARK: The user

    private mutating func act(_ id: String) {
        let other = service.ids.randomElement(using: &chance) ?? id
        let action: FeedAction =
            [
                .markAsRead(id), .markAsUnread(id), .markAsSeen(id), .markAsInteracted(id), .markAsArchived(id),
                .markAllAsRead, .resetBadgeCount, .markBulkAsSeen([id, other]), .markAsRead("unknown"),
            ].randomElement(using: &chance)!
        guard let (number, effects) = state.begin(action, now: now) else { return }
        let ids: Set<String>? =
            switch action {
            case .markAsRead(let id), .markAsUnread(let id), .markAsSeen(let id), .markAsInteracted(let id),
                .markAsArchived(let id):
                [id]
            case .markBulkAsSeen(let ids): Set(ids)
            case .markAllAsRead: nil
            case .resetBadgeCount: []
            }
        order.begin(number, on: ids)
        requests.append(Request(question: .action(action, number: number)))
        check(effects)
    }

    private mutating func ask(_ id: String) {
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: if let load = try? state.beginFetch() { requests.append(Request(question: .load(load, isJob: false))) }
        case 1, 2:
            if let load = try? state.beginNextPage() { requests.append(Request(question: .load(load, isJob: false))) }
        case 3: requests.append(Request(question: .load(state.beginRefresh(), isJob: false)))
        case 4:
            let store = stores.randomElement(using: &chance)!
            if let load = try? state.changeStore(store.id) {
                covered.insert("store \(store.id)")
                requests.append(Request(question: .load(load, isJob: false)))
            }
        default:
            if oneIn(2) {
                requests.append(Request(question: .row(id: id, number: state.beginRow())))
            } else {
                requests.append(Request(question: .count(state.beginCount(), isJob: false)))
            }
        }
    }

    // MARK: The feed's own requests

    /// The requests that `Feed` starts after each event.
    private mutating func work() {
        guard isRunning else { return }
        while let request = state.beginDetails() { requests.append(Request(question: .details(request))) }
        if state.wantsCount { requests.append(Request(question: .count(state.beginCount(), isJob: true))) }
        let isLoading = requests.contains { if case .load(_, true) = $0.question { true } else { false } }
        if state.isStale, !isLoading {
            requests.append(Request(question: .load(state.beginRefresh(isQuiet: true), isJob: true)))
            requests.append(Request(question: .count(state.beginCount(), isJob: true)))
            for scan in state.scans() { ask(scan) }
        }
    }

    private mutating func ask(_ scan: CatchUpScan) {
        if let call = scan.call { requests.append(Request(question: .scan(scan, call))) }
    }

    /// To the service, or back from it.
    private mutating func advance(_ index: Int, mayFail: Bool) {
        let request = requests[index]
        if case .action(_, let number) = request.question, request.answer == nil, !order.isNext(number) { return }
        if let answer = request.answer {
            requests.remove(at: index)
            return finish(request.question, answer)
        }
        let fails = mayFail && !trouble.isAbsent && oneIn(6)
        if fails { covered.insert("failed \("\(request.question)".prefix { $0 != "(" })") }
        requests[index].answer = answer(request.question, fails: fails)
    }

    private mutating func answer(_ question: Question, fails: Bool) -> Answer {
        switch question {
        case .action(let action, _):
            // It may have taken effect although its answer is lost.
            if !fails || oneIn(2) { service.perform(action, now: now) }
            return fails ? .failure : .done
        case _ where fails: return .failure
        case .load(let load, _): return .page(service.page(load.call, now: now))
        case .scan(_, let call): return .page(service.page(call, now: now))
        case .count: return .counts(service.counts(stores, now: now))
        case .details(let request): return .row(service.rows[request.id])
        case .row(let id, _): return .row(service.rows[id])
        }
    }

    private mutating func finish(_ question: Question, _ answer: Answer) {
        switch (question, answer) {
        case (.load(let load, let isJob), .page(let page)):
            let (fit, effects) = state.finish(load, .success(page), now: now)
            covered.insert("page \(load.kind) \(fit)")
            check(effects)
            if fit == .outdated, let next = try? state.beginNextPage() {
                requests.append(Request(question: .load(next, isJob: isJob)))
            }
        case (.load(let load, let isJob), _):
            check(state.finish(load, .failure(SuprSendError(.serverFailure, "no")), now: now).effects)
            if isJob { state.becomeStale() }
        case (.scan(var scan, _), .page(let page)):
            check(state.proceed(&scan, page, now: now))
            ask(scan)
        case (.scan, _): state.becomeStale()
        case (.count(let count, _), .counts(let counts)): check(state.finish(count, counts, now: now))
        case (.count(let count, _), _): check(state.finish(count, nil, now: now))
        case (.details(let request), .row(let row?)): check(state.finishDetails(request, row, now: now))
        case (.details(let request), let answer):
            let isAbsent = if case .row(nil) = answer { true } else { false }
            let error = SuprSendError(isAbsent ? .notFound : .serverFailure, "no")
            let (delay, effects) = state.failDetails(request, error, now: now)
            check(effects)
            if delay != nil, let next = state.beginDetailsAgain(request) {
                requests.append(Request(question: .details(next)))
            }
        case (.row(_, let number), .row(let row)): check(state.finishRow(number, row, now: now))
        case (.row(_, let number), _): check(state.finishRow(number, nil, now: now))
        case (.action(_, let number), let answer):
            order.end(number)
            let succeeded = if case .done = answer { true } else { false }
            check(state.finish(number, succeeded: succeeded, now: now))
        }
    }

    // MARK: Invariants

    private mutating func check(_ effects: [FeedState.Effect]) {
        let differences = state.takeUpdate().rows
        for row in differences.changed { followed[row.id] = row }
        for id in differences.removed + differences.unloaded { followed[id] = nil }
        #expect(Set(followed.values) == Set(state.data.notifications), "the differences lead to the list")
        for case .report(.announced(let row, _)) in effects {
            #expect(announced.insert(row.id).inserted, "\(row.id) is announced twice")
            #expect(!ServiceRules.isOver(row, at: now))
        }
        let data = state.data
        #expect(Set(data.notifications.map(\.id)).count == data.notifications.count)
        #expect(data.notifications.map(\.id) == ServiceRules.sorted(data.notifications).map(\.id))
        #expect(data.notifications.allSatisfy { ServiceRules.belongs($0, to: data.store.query) })
        #expect(data.notifications.count <= maximumRows)
        #expect(data.meta.badge >= 0 && data.meta.stores.values.allSatisfy { $0 >= 0 })
        #expect(data.pageInfo.total >= data.notifications.count)
    }

    /// The feed shows what the service has.
    func expectTruth() {
        let data = state.data
        let query = data.store.query
        let truth = ServiceRules.sorted(
            service.rows.values.map { ServiceRules.current($0, at: now) }
                .filter { ServiceRules.belongs($0, to: query) }
        )
        let shown = data.notifications.map(Look.init)
        let expected = truth.prefix(shown.count).map(Look.init)
        if let place = shown.indices.first(where: { shown[$0] != expected[safe: $0] }) {
            Issue.record("row \(place): \(shown[place]), not \(expected[safe: place].map { "\($0)" } ?? "none")")
        }
        // Changes of rows that are not loaded do not change the counts.
        #expect(data.pageInfo.hasMore || (shown.count == truth.count && data.pageInfo.total == truth.count))
        let counts = service.counts(stores, now: now)
        #expect(data.meta == .init(badge: counts.badge, stores: counts.stores))
        #expect(data.status == .success)
        #expect(requests.isEmpty && order == ActionOrder())
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

    private mutating func oneIn(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &chance) == 0 }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
