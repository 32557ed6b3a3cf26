import Basics
import Inbox
import MagicBell
import ServiceModels
import TestSupport
import Testing

@testable import Services

/// A service, a connection that loses events, and an inbox that follows it, in random order.
struct InboxSimulation {
    private enum Request {
        case page(PageRequest)
        /// The notifications after the first part of a page.
        case rest(PageRequest, of: StorePage)
        case single(FollowedInbox.SingleRequest)
        case count(CountRequest)
        case own(FollowedInbox.SingleRequest)
        case check(UInt64, String)
    }

    private enum Answer {
        case page(PageRequest, StorePage?)
        case part(PageRequest, StorePage)
        case single(FollowedInbox.SingleRequest, InboxNotification?)
        case count(CountRequest, StoreCounts)
        case own(FollowedInbox.SingleRequest, InboxNotification?)
        case check(UInt64, InboxNotification?)
        /// To an own change; `isKnown`: the answer was not lost.
        case change(String, StateChange, isKnown: Bool)
    }

    /// The inbox according to all reports.
    struct View {
        var rows: [NotificationID: Inbox.Notification] = [:]
        var counts = Counts()
        var hasMore = true
        var isCounted = false
        var arrivals: [NotificationID] = []
        var caughtUp: Timestamp?
        var problems: [String] = []
    }

    private static let tabs = [
        (id: "ci", predicate: StorePredicate(categories: ["ci"])),
        (id: "unread", predicate: StorePredicate(read: false)),
    ]

    private(set) var service = MagicBellModel()
    private(set) var view = View()
    private var inbox: FollowedInbox
    /// Whether the service's pages have its counts. Otherwise it only counts unread notifications, when it is asked.
    let pagesHaveCounts: Bool
    let hasTabs: Bool
    private var chance: SeededGenerator
    private(set) var now = Timestamp(milliseconds: 1_700_000_000_000)
    /// Events on their way; nil: there is no connection.
    private var events: [InboxEvent]? = []
    private var requests: [Request] = []
    private var answers: [Answer] = []
    /// Published after the first load, and never seen, read, archived or deleted since.
    private(set) var fresh: Set<String> = []
    /// The ids of the notifications that existed at the start.
    private(set) var old: Set<String>

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        (pagesHaveCounts, hasTabs) = (seed % 2 == 0, seed % 4 < 2)
        inbox = FollowedInbox(pageSize: 5, tabs: hasTabs ? InboxSimulation.tabs : [])
        for index in 0..<Int.random(in: 0...30, using: &chance) {
            let time = now.advanced(milliseconds: -Int64(index) * Int64.random(in: 0...90_000, using: &chance))
            let category = Bool.random(using: &chance) ? "ci" : nil
            _ = service.publish(sent: time, category: category, read: Bool.random(using: &chance) ? time : nil)
        }
        old = Set(service.rows.keys)
    }

    var newestPart: [InboxNotification] { service.list() }

    mutating func run(steps: Int) {
        for _ in 0..<steps {
            now = now.advanced(milliseconds: Int64.random(in: 0...700, using: &chance))
            switch Int.random(in: 0..<12, using: &chance) {
            case 0...3: act()
            case 4...5: deliver()
            case 6...7: serve()
            case 8...10: answer()
            default: if Int.random(in: 0..<6, using: &chance) == 0 { toggleConnection() }
            }
            drain()
        }
        settle()
    }

    /// Delivers everything, until nothing is left to do.
    private mutating func settle() {
        if events == nil { toggleConnection() }
        for _ in 0..<10_000 {
            drain()
            if events?.isEmpty == false {
                deliver()
            } else if !requests.isEmpty {
                serve(failing: false)
            } else if !answers.isEmpty {
                answer()
            } else if let time = inbox.loadTime {
                now = max(now, time)
            } else {
                return
            }
        }
        view.problems.append("It never settles.")
    }

    // MARK: Steps

    private mutating func act() {
        let id = service.rows.keys.sorted().randomElement(using: &chance) ?? ""
        let event: InboxEvent?
        switch Int.random(in: 0..<16, using: &chance) {
        case 0...6:
            for _ in 0..<(Int.random(in: 0..<8, using: &chance) == 0 ? 15 : 1) {
                let category = Bool.random(using: &chance) ? "ci" : nil
                let created = service.publish(sent: now, category: category)
                if case .created(let id) = created { fresh.insert(id) }
                events?.append(created)
            }
            return
        case 7: event = service.changeAll(to: .read, of: filter(), at: now)
        case 8: event = service.changeAll(to: .seen, of: filter(), at: now)
        case 9: event = service.delete(id)
        case 10: return own(id, StateChange.allCases.randomElement(using: &chance) ?? .read)
        default: event = changing(id, StateChange.allCases.randomElement(using: &chance) ?? .read)
        }
        if let event { events?.append(event) }
        removeStale()
    }

    private mutating func changing(_ id: String, _ change: StateChange) -> InboxEvent? {
        // A notification from the archive may be new or not.
        if change == .unarchived {
            fresh.remove(id)
            old.remove(id)
        }
        return service.change(id, to: change, at: now)
    }

    /// The event of a change of all notifications does not name its filter.
    private mutating func filter() -> StorePredicate {
        Bool.random(using: &chance) ? StorePredicate() : StorePredicate(categories: ["ci"])
    }

    /// The user's own change, whose event may come before its answer. Sometimes the notification is checked before.
    private mutating func own(_ id: String, _ change: StateChange) {
        if Bool.random(using: &chance) { requests.append(.check(inbox.beginCheck(), id)) }
        inbox.begin(change, on: id)
        let isSent = Int.random(in: 0..<8, using: &chance) > 0
        let event = isSent ? changing(id, change) : nil
        // The user knows it.
        if event != nil { fresh.remove(id) }
        if let event { events?.append(event) }
        let isKnown = event != nil && Int.random(in: 0..<8, using: &chance) > 0
        answers.append(.change(id, change, isKnown: isKnown))
        removeStale()
    }

    private mutating func removeStale() {
        fresh = fresh.filter { id in
            service.rows[id].map { !$0.isSeen && !$0.isRead && !$0.isArchived } ?? false
        }
    }

    private mutating func deliver() {
        guard let event = events?.first else { return }
        events?.removeFirst()
        inbox.receive(event, now: now)
    }

    /// The service handles a request; its answer is on its way.
    private mutating func serve(failing: Bool = true) {
        guard !requests.isEmpty else { return }
        let isFailure = failing && Int.random(in: 0..<6, using: &chance) == 0
        switch requests.remove(at: Int.random(in: requests.indices, using: &chance)) {
        case .page(let request):
            var page = service.page(of: StorePredicate(), after: request.cursor, size: request.size)
            if !pagesHaveCounts { page.counts = StoreCounts() }
            // A notification that exists at the first load need not arrive, and does if its event comes.
            if view.caughtUp == nil { fresh = [] }
            if request.isFirst, page.next != nil, Bool.random(using: &chance) {
                let length = Int.random(in: 1..<request.size, using: &chance)
                let part = Array(page.notifications.prefix(length))
                answers.append(.part(request, StorePage(part, counts: page.counts, next: page.next)))
            } else {
                answers.append(.page(request, isFailure ? nil : page))
            }
        case .rest(let request, let part):
            if view.caughtUp == nil { fresh = [] }
            var page = service.page(from: part, size: request.size)
            if !pagesHaveCounts { page.counts = StoreCounts() }
            answers.append(.page(request, isFailure ? nil : page))
        case .single(let request): answers.append(.single(request, isFailure ? nil : service.rows[request.id]))
        case .own(let request): answers.append(.own(request, isFailure ? nil : service.rows[request.id]))
        case .check(let number, let id): answers.append(.check(number, isFailure ? nil : service.rows[id]))
        case .count(let request):
            var counts = service.counts(of: request.predicate)
            if !pagesHaveCounts { counts = StoreCounts(unread: counts.unread) }
            answers.append(.count(request, counts))
        }
    }

    private mutating func answer() {
        guard !answers.isEmpty else { return }
        switch answers.remove(at: Int.random(in: answers.indices, using: &chance)) {
        case .part(let request, let part):
            inbox.show(part, of: request, now: now)
            requests.append(.rest(request, of: part))
        case .page(let request, let page?):
            if let next = inbox.finish(request, page, now: now) {
                requests.append(.page(next))
            } else if inbox.phase == .current {
                requests += inbox.beginCounts(now: now).map { .count($0) }
            }
        case .page(let request, nil): inbox.fail(request)
        case .single(let request, let row?): inbox.finish(request, row, now: now)
        case .single(let request, nil):
            let isAbsent = service.rows[request.id] == nil
            let error = MagicBellError(isAbsent ? .notFound : .serverFailure, "It could not be loaded.")
            if inbox.fail(request, error, now: now) != nil, let next = inbox.beginAgain(request) {
                requests.append(.single(next))
            }
        case .own(let request, let row): inbox.finish(own: request, row, now: now)
        case .count(let request, let counts): inbox.finish(request, counts, now: now)
        case .check(let number, let row): inbox.finishCheck(number, row)
        case .change(let id, let change, isKnown: true):
            if let request = inbox.performed(change, on: id, now: now) { requests.append(.own(request)) }
        case .change(let id, let change, isKnown: false): inbox.failed(change, on: id, now: now)
        }
    }

    private mutating func toggleConnection() {
        if events == nil {
            events = []
            inbox.missedEvents()
        } else {
            events = nil
            if Bool.random(using: &chance) {
                requests = []
                answers.removeAll { if case .change = $0 { false } else { true } }
                inbox.suspend()
            }
        }
    }

    /// Starts what is due, and applies the reports.
    private mutating func drain() {
        if let time = inbox.loadTime, time <= now, let request = inbox.beginLoad(now: now) {
            requests.append(.page(request))
        }
        while let request = inbox.beginSingle() { requests.append(.single(request)) }
        for event in inbox.takeReports() { apply(event) }
    }

    private mutating func apply(_ event: ServiceEvent) {
        switch event {
        case .contents(let update):
            for id in update.removed + update.unloaded { view.rows[id] = nil }
            for notification in update.changed {
                if view.rows[notification.id] == notification { view.problems.append("No change: \(notification.id)") }
                view.rows[notification.id] = notification
            }
            (view.counts, view.hasMore, view.isCounted) = (update.counts, update.hasMore, update.isCounted)
        case .arrived(let notifications, _):
            for id in notifications.map(\.id) {
                if view.arrivals.contains(id) { view.problems.append("\(id) arrived twice") }
                view.arrivals.append(id)
            }
            if notifications.map(\.created) != notifications.map(\.created).sorted() {
                view.problems.append("Not oldest first: \(notifications.map(\.id))")
            }
        case .caughtUp(let newest): view.caughtUp = newest
        case .updated, .allRead, .seen, .connection, .identified, .delayed, .refused: break
        }
    }
}
