import Basics
import ClientKit

/// One store: its loaded notifications, the service's counts, and how complete both are. A change of a notification
/// and an answer of the service in; no clock, no network.
struct StoreState: Sendable {
    /// How much of the list is loaded.
    enum Extent: Sendable, Equatable {
        case unfetched
        /// Everything up to `boundary` and nothing behind it, where further pages begin.
        case partial(next: InboxPageCursor, boundary: NotificationOrderKey?)
        case complete
    }

    /// The data to request because it may differ from the service's.
    enum Need: Int, Sendable, Comparable {
        case nothing, counts, list

        static func < (left: Need, right: Need) -> Bool { left.rawValue < right.rawValue }
    }

    /// Counts, or a page, that were requested after the other rows may contain a change whose event is still on its
    /// way: it is then counted twice, and has moved the page.
    enum Settling: Sendable, Equatable {
        case settled
        /// They arrived a short time ago; the timer with this number runs. `Need`: the data to request if the store
        /// changes meanwhile.
        case settling(UInt64, Need)
        /// The store changed.
        case unverified(UInt64, Need)
    }

    let predicate: StorePredicate
    let pageSize: Int
    private(set) var rows = OrderedRows<InboxNotification>()
    private(set) var extent = Extent.unfetched
    /// The service's counts, with every change since.
    private(set) var counts = StoreCounts()
    private var required = Need.nothing
    /// Whether its contents are followed, so that the first page is loaded, too.
    var isFollowed = false
    /// Increased by every change that makes earlier answers of the service unreliable.
    private(set) var version: UInt64 = 0
    /// How many rows have left the loaded part.
    private(set) var departures = 0
    /// How many of them had, when the last page was requested.
    private var earlierDepartures = 0
    /// Whether the counts are of the same moment as the rows, or of one whose events have arrived.
    private(set) var settling = Settling.settled
    /// The number of consecutive times that counts had to be requested again after ``Settling/unverified(_:_:)``.
    private(set) var recounts = 0
    /// Whether the list was replaced since the last report.
    private(set) var isReplaced = false
    private var reported = StoreContents()
    /// The contents before the first page: those of a previous run.
    private var restored = StoreContents()

    /// The list request in flight, and how the last one ended.
    var load: PageLoad?
    var lastLoad: (number: UInt64, result: Result<[InboxNotification], MagicBellError>)?
    /// The request of counts in flight.
    var countLoad: CountLoad?

    init(_ predicate: StorePredicate, pageSize: Int) {
        self.predicate = predicate
        self.pageSize = pageSize
    }

    var isFetched: Bool { extent != .unfetched }

    /// What is to be requested.
    var need: Need { isFollowed && !isFetched && load == nil ? .list : required }

    /// How many rows have left the loaded part since the last page, or while it was requested: the service's pages may
    /// have moved by that number.
    var shrinkage: Int { departures - earlierDepartures }

    var contents: StoreContents {
        guard isFetched else { return restored }
        let all = rows.all
        return StoreContents(
            notifications: all,
            totalCount: counts.total ?? all.count,
            unreadCount: counts.unread ?? all.count { !$0.isRead },
            unseenCount: counts.unseen ?? all.count { !$0.isSeen },
            hasNextPage: extent != .complete,
            countsAreComplete: extent == .complete
                || (counts.total != nil && counts.unread != nil && counts.unseen != nil)
        )
    }

    /// Shows what a previous run has kept, until the first page arrives.
    mutating func restore(_ contents: StoreContents) {
        var contents = contents
        contents.notifications = OrderedRows(contents.notifications.filter(predicate.matches)).all
        restored = contents
    }

    /// The changes since the last report.
    mutating func takeReport() -> StoreReport {
        let contents = contents
        defer {
            reported = contents
            isReplaced = false
        }
        return StoreReport(
            contents: contents,
            changes: StoreChange.changes(from: reported, to: contents, isReplaced: isReplaced),
            counts: CountChange.changes(from: reported, to: contents)
        )
    }

    /// Whether the store is kept up to date: fetched, or with its first page in flight.
    var isActive: Bool { isFetched || load != nil }

    /// Whether a request that keeps the store up to date is in flight.
    var isReloading: Bool { countLoad != nil || load?.purpose == .update }

    mutating func require(_ need: Need) {
        if isActive { required = max(required, need) }
    }

    /// The list request in flight ended.
    mutating func endLoad() {
        load = nil
        if !isFetched { required = .nothing }
    }

    /// A request for what is needed begins; ``require(_:)`` states it again if the request fails.
    mutating func clearNeed() { required = .nothing }

    /// Counts or a page are of a later moment than the other rows. If the store changes before the timer with this
    /// number fires, `need` is requested.
    mutating func settle(_ timer: UInt64, _ need: Need) {
        switch settling {
        case .settled: settling = .settling(timer, need)
        case .settling(_, let earlier): settling = .settling(timer, max(need, earlier))
        case .unverified(_, let earlier): settling = .unverified(timer, max(need, earlier))
        }
    }

    /// The timer fired: the events of what the answers contained have arrived.
    mutating func settled(_ timer: UInt64) {
        switch settling {
        case .settling(timer, _):
            settling = .settled
            recounts = 0
        case .unverified(timer, let need):
            settling = .settled
            recounts += 1
            require(need)
        case .settled, .settling, .unverified: break
        }
    }

    // MARK: Changes

    /// A notification changed from `old` to `new`.
    ///
    /// - Parameters:
    ///   - old: The state before, from another store; nil: there was none, or it is unknown.
    ///   - new: The present state; nil: it was deleted.
    mutating func update(_ id: String, from old: InboxNotification?, to new: InboxNotification?) {
        guard isFetched else { return }
        let loaded = rows[id]
        guard loaded == nil || loaded != new else { return }
        let matches = new.map(predicate.matches) ?? false
        guard let matched = wasMatching(loaded: loaded, old: old, new: new) else {
            version += 1
            require(.counts)
            return
        }
        let previous = loaded ?? old
        // A notification of unknown states before may have been counted meanwhile.
        let mayBeCounted = previous == nil && new.map(predicate.matchesFixedFields) ?? true
        guard matched || matches || mayBeCounted else { return }
        version += 1
        if case .settling(let timer, let need) = settling { settling = .unverified(timer, need) }
        guard matched || matches else { return }
        // Whether the counts contained the change already is unknown.
        let isCertain =
            loaded != nil || extent == .complete
            || new.map { contains($0) } ?? old.map { contains($0) } ?? false
        if !isCertain, previous.map({ !$0.hasSameState(as: new) }) ?? true { require(.counts) }
        counts.adjust(from: matched ? previous : nil, to: matches ? new : nil)
        if let new, matches, contains(new) {
            rows.put(Shared(new))
        } else if loaded != nil {
            departures += 1
            rows.remove(id)
        }
    }

    /// Whether the notification matched before its change and was counted; nil: unknown. The loaded part of the list
    /// has no gaps.
    private func wasMatching(
        loaded: InboxNotification?,
        old: InboxNotification?,
        new: InboxNotification?
    ) -> Bool? {
        if loaded != nil { return true }
        if let old { return predicate.matches(old) && !contains(old) }
        if extent == .complete { return false }
        if let new, contains(new) || !predicate.matchesFixedFields(of: new) { return false }
        return nil
    }

    /// Whether a matching notification would be in the loaded part of the list.
    private func contains(_ notification: InboxNotification) -> Bool {
        switch extent {
        case .unfetched: false
        case .complete: true
        case .partial(_, let boundary?): notification.orderKey <= boundary
        case .partial(_, nil): false
        }
    }

    /// Every notification of `scope` changed; nil: every notification of the user.
    mutating func updateAll(_ change: StateChange, of scope: StorePredicate?, at time: Timestamp) {
        guard isFetched else { return }
        version += 1
        for row in rows.all where scope?.matches(row) ?? true {
            var new = row
            new.apply(change, at: time)
            update(row.id, from: row, to: new)
        }
        let (isEmptied, mayGrow) =
            switch change {
            case .read: (predicate.read == false || predicate.seen == false, predicate.read == true)
            case .seen: (predicate.seen == false, false)
            case .archived: (!predicate.archived, predicate.archived)
            case .unread: (predicate.read == true, predicate.read == false)
            case .unarchived: (predicate.archived, !predicate.archived)
            }
        guard scope?.covers(predicate) ?? true else {
            if extent != .complete || mayGrow || predicate.seen == true { require(.list) }
            return
        }
        if isEmptied {
            rows = OrderedRows()
            extent = .complete
            counts = StoreCounts(total: 0, unread: 0, unseen: 0)
            return
        }
        switch change {
        case .read, .seen: counts.clear(change)
        case .unread: counts.unread = counts.total
        case .archived, .unarchived: break
        }
        if mayGrow || predicate.seen == true { require(.list) }
    }

    // MARK: Answers

    /// A page arrived. Returns its rows that were not loaded.
    ///
    /// - Parameter entries: The changes since it was requested.
    mutating func apply(
        _ page: StorePage,
        of load: PageLoad,
        since entries: ArraySlice<Journal.Entry>
    ) -> [InboxNotification] {
        // Whether the service's counts contain these changes is unknown, also of notifications of further pages.
        let isTouched = version != load.version || entries.contains(where: mayConcern)
        // A row that left meanwhile may have moved the page.
        let mayHaveGap = load.kind == .next && departures != load.departures
        let end = page.notifications.map(\.orderKey).max()
        let present = Self.applying(entries, to: page.notifications)
        let old = rows
        switch load.kind {
        case .first:
            settling = .settled
            let next = page.next?.converted(from: load.size, to: pageSize)
            extent = next.map { .partial(next: $0, boundary: end) } ?? .complete
            rows = OrderedRows(present.filter { predicate.matches($0) && contains($0) })
            isReplaced = isReplaced || load.purpose == .refresh
        case .next:
            var boundary = end
            if case .partial(_, let before?) = extent { boundary = end.map { max($0, before) } ?? before }
            let next = page.next?.converted(from: load.size, to: pageSize)
            extent = next.map { .partial(next: $0, boundary: boundary) } ?? .complete
            for row in present where predicate.matches(row) && contains(row) { rows.put(Shared(row)) }
        }
        counts = page.counts
        earlierDepartures = load.departures
        version += 1
        if isTouched { require(.counts) }
        if mayHaveGap { require(.list) }
        return load.kind == .first ? rows.all : rows.all.filter { !old.contains($0.id) }
    }

    /// Counts arrived. If they may be older than what happened meanwhile, they are needed again.
    mutating func apply(_ counts: StoreCounts, of load: CountLoad) {
        guard version == load.version else { return require(.counts) }
        self.counts = counts
    }

    /// Whether the store contains, or contained, the changed notification. The journal does not have its earlier state.
    private func mayConcern(_ entry: Journal.Entry) -> Bool {
        switch entry {
        case .update(_, let new?): predicate.matchesFixedFields(of: new)
        case .update(_, nil), .all: true
        }
    }

    /// `rows` as they are after `entries`, and the rows that only `entries` contain.
    private static func applying(
        _ entries: ArraySlice<Journal.Entry>,
        to rows: [InboxNotification]
    ) -> [InboxNotification] {
        var present = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        for entry in entries {
            switch entry {
            case .update(let id, let new): present[id] = new
            case .all(let change, let scope, let time):
                for (id, row) in present where scope?.matches(row) ?? true { present[id]?.apply(change, at: time) }
            }
        }
        return Array(present.values)
    }
}

/// The report of a store to its listeners.
struct StoreReport: Sendable, Equatable {
    var contents: StoreContents
    var changes: [StoreChange]
    var counts: [CountChange]

    var isEmpty: Bool { changes.isEmpty && counts.isEmpty }
}

extension StorePredicate {
    /// Whether everything that matches `other` matches this as well.
    func covers(_ other: StorePredicate) -> Bool {
        func covers(_ lists: KeyPath<StorePredicate, [String]>) -> Bool {
            let (own, others) = (self[keyPath: lists], other[keyPath: lists])
            return own.isEmpty || (!others.isEmpty && Set(own).isSuperset(of: others))
        }
        return (read == nil || read == other.read) && (seen == nil || seen == other.seen)
            && archived == other.archived && covers(\.categories) && covers(\.topics)
    }
}
