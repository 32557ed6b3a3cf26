import Basics
import Inbox
import TestSupport

@testable import Agent

/// The table of an inbox, with pages of views that a user asks for.
struct SimulatedTable {
    private static let owner = "work"

    /// A page that was requested, and has not arrived.
    private struct Request {
        var request: ViewPageRequest
        /// As the service had it when it was asked.
        var page: ViewPage
    }

    private let tabs: [InboxTab]
    private let rules: ServiceRules
    private let beginsPagesAfterRows: Bool
    private let storage = StateDatabase(path: nil, of: .inboxes) { _ in }
    private var chance: SeededGenerator
    private(set) var table: InboxTable
    private var request: Request?
    /// What the differences add up to.
    private var visible: [NotificationID: Notification] = [:]
    private var signalled: Set<String> = []
    /// The first failure, or difference that has no sense.
    private(set) var problems: [String] = []

    init(tabs: [InboxTab], rules: ServiceRules, beginsPagesAfterRows: Bool, seed: UInt64) {
        (self.tabs, self.rules, self.beginsPagesAfterRows) = (tabs, rules, beginsPagesAfterRows)
        chance = SeededGenerator(seed: seed)
        table = InboxTable(storage, tabs: tabs, rules: rules) { simulationStart }
        open()
    }

    private mutating func open() {
        table = InboxTable(storage, tabs: tabs, rules: rules) { simulationStart }
        (request, visible) = (nil, [:])
        change { (table) throws(StoreError) in
            try table.open(Self.owner)
            return []
        }
    }

    // MARK: Events

    /// The agent was killed, and begins again with these pending changes.
    ///
    /// - Parameter size: How much of what was kept is listed.
    mutating func restart(_ entries: [InboxTable.Entry], size: Int) -> [InboxTable.Difference] {
        open()
        return change { (table) throws(StoreError) in try table.restore(size) + table.restore(entries) }
    }

    @discardableResult
    mutating func change(
        _ body: (inout InboxTable) throws(StoreError) -> [InboxTable.Difference]
    ) -> [InboxTable.Difference] {
        do throws(StoreError) {
            let differences = try body(&table)
            for difference in differences { apply(difference) }
            for difference in differences { signalled.insert(difference.id.rawValue) }
            return differences
        } catch {
            problems.append("\(error)")
            return []
        }
    }

    private mutating func apply(_ difference: InboxTable.Difference) {
        switch difference {
        case .added(let row):
            if visible.updateValue(row, forKey: row.id) != nil { problems.append("\(row.id) was added twice.") }
        case .changed(let row):
            if visible.updateValue(row, forKey: row.id) == nil { problems.append("\(row.id) was not there.") }
        case .removed(let id), .unloaded(let id):
            if visible.removeValue(forKey: id) == nil { problems.append("\(id) was removed twice.") }
        }
    }

    mutating func takeSignalled() -> Set<String> {
        defer { signalled = [] }
        return signalled
    }

    // MARK: Pages

    /// Asks for the next page of a view, or receives the one that was asked for.
    ///
    /// - Parameter list: The unarchived notifications, in the service's order.
    mutating func page(_ list: [Notification], isOnline: Bool) {
        guard isOnline, table.isReported else { return request = nil }
        guard Bool.random(using: &chance) else { return }
        if request != nil { return receivePage(list) }
        let view = views.randomElement(using: &chance) ?? .inbox
        var next: ViewPageRequest?
        change { (table) throws(StoreError) in
            next = try table.nextPage(of: view)
            return []
        }
        if let next { ask(next, list) }
    }

    private mutating func receivePage(_ list: [Notification]) {
        guard let asked = request else { return }
        request = nil
        var next: ViewPageRequest?
        change { (table) throws(StoreError) in
            let result = try table.add(asked.page, for: asked.request)
            next = result.next
            return result.differences
        }
        if let next { ask(next, list) }
    }

    private mutating func ask(_ asked: ViewPageRequest, _ list: [Notification]) {
        let matching = list.filter(asked.predicate.matches)
        // The service knows the row while it is in the list, if the agent does.
        let isAfterRow = beginsPagesAfterRows && Bool.random(using: &chance)
        let last = isAfterRow ? matching.firstIndex { $0.id == asked.place?.id } : nil
        let start =
            last.map { $0 + 1 }
            ?? matching.firstIndex { row in
                guard let place = asked.place else { return true }
                let key = SortKey(isPinned: row.isPinned, time: row.sortTime, id: place.id)
                return asked.skipsTies ? place < key : place <= key
            }
        let rest = start.map { matching[$0...] } ?? []
        let size = 3 + asked.ties
        request = Request(request: asked, page: ViewPage(Array(rest.prefix(size)), hasMore: rest.count > size))
    }

    /// The listed notifications that the user has not seen.
    var unseen: [NotificationID] { (try? table.listedIDs(where: "seen = 0")) ?? [] }

    // MARK: The law

    /// A list for a face.
    func list(_ predicate: InboxPredicate, _ filter: NotificationFilter) -> [Notification]? {
        guard table.isKnown else { return nil }
        return try? table.list(predicate, filter)
    }

    private var views: [InboxPredicate] {
        [.inbox, InboxPredicate(read: false), InboxPredicate(read: true), InboxPredicate(seen: false)]
            + tabs.map(\.predicate)
    }

    /// Lists each view to its end, at rest. Before, only the newest part has to be what the service has: what is
    /// beyond is reported as far as the service reports it.
    ///
    /// - Parameters:
    ///   - list: The unarchived notifications, in the service's order.
    ///   - newest: The newest part of them.
    mutating func loadAll(_ list: [Notification], newest: [Notification]) {
        let ids = Set(newest.map(\.id))
        let listed = listed(.inbox).filter { ids.contains($0.id) }
        if listed.map(Facts.init) != newest.inDisplayOrder.map(Facts.init).sorted(by: Facts.precedes) {
            problems.append("The newest part is \(listed.map(Facts.init)), not \(newest.map(Facts.init)).")
        }
        change { (table) throws(StoreError) in try table.connected() }
        request = nil
        for view in views.shuffled(using: &chance) {
            for _ in 0..<500 {
                var next: ViewPageRequest?
                change { (table) throws(StoreError) in
                    next = try table.nextPage(of: view)
                    return []
                }
                guard let asked = next else { break }
                ask(asked, list)
                receivePage(list)
                while request != nil { receivePage(list) }
            }
        }
    }

    private func listed(_ view: InboxPredicate) -> [Notification] {
        (try? table.list(view, NotificationFilter())) ?? []
    }

    /// What differs from the service, after ``loadAll(_:newest:)``.
    func differences(from list: [Notification], counts: [String: Int]) -> [String] {
        guard let shown = try? table.shownCounts() else { return ["The table cannot be read."] }
        var found: [String] = []
        for (name, count) in [("unread", shown.unread), ("badge", shown.badge)] {
            guard let wanted = counts[name], wanted != count else { continue }
            found.append("The count \(name) is \(count), not \(wanted).")
        }
        for view in views {
            let have = listed(view).map(Facts.init)
            let want = list.filter(view.matches).map(Facts.init).sorted(by: Facts.precedes)
            if table.hasMore(view) { found.append("\(view) is not whole.") }
            guard have != want else { continue }
            let (more, less) = (have.filter { !want.contains($0) }, want.filter { !have.contains($0) })
            found.append("\(view): too much \(more), too little \(less), in order \(more.isEmpty && less.isEmpty)")
        }
        let (listed, added) = (Set(listed(.inbox).map(Facts.init)), Set(visible.values.map(Facts.init)))
        if listed != added {
            let others = listed.symmetricDifference(added).map(\.description).sorted()
            found.append("The differences add up to others: \(others)")
        }
        return found
    }

    private struct Facts: Hashable, CustomStringConvertible {
        var id: String
        var time: Int64
        var title: String
        var (isPinned, isRead, isSeen, isInteracted): (Bool, Bool, Bool, Bool)

        init(_ row: Notification) {
            (id, time, title, isPinned) = (row.id.rawValue, row.sortTime.milliseconds, row.title, row.isPinned)
            (isRead, isSeen, isInteracted) = (row.read != nil, row.seen != nil, row.interacted != nil)
        }

        var description: String {
            "\(id)@\(time)\(isPinned ? " pinned" : "")\(isRead ? " read" : "")\(isSeen ? " seen" : "")"
        }

        /// The user's order.
        static func precedes(_ a: Facts, _ b: Facts) -> Bool {
            func place(_ row: Facts) -> (Int, Int64, String) { (row.isPinned && !row.isRead ? 1 : 0, row.time, row.id) }
            return place(a) > place(b)
        }
    }
}

extension InboxTable.Difference {
    fileprivate var id: NotificationID {
        switch self {
        case .added(let row), .changed(let row): row.id
        case .removed(let id), .unloaded(let id): id
        }
    }
}
