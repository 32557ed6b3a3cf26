import Basics
import ClientKit
import MagicBell

/// The newest part of the inbox: all notifications from the newest one down to an end, without gaps, each in the state
/// that the service last reported.
///
/// Each state has the number of its *request*: the state of the latest request wins, in whatever order the responses
/// arrive. Changes that were reported while a request was in flight are applied to its response again.
struct FollowedRows: Sendable, Equatable {
    /// The end of the newest part. The order is the service's: notifications of the end's time, and those whose time
    /// contradicts the order, belong to the newest part if they were listed.
    private struct End: Sendable, Equatable {
        var sent: Timestamp
        var listed: Set<String>

        /// - Parameter keys: In the service's order.
        /// - Returns: nil: there are no notifications.
        init?(of keys: some BidirectionalCollection<NotificationOrderKey>) {
            // Nothing is beyond a key without a valid time, and everything seems to be before it.
            guard let last = keys.last(where: { $0.sent > 0 }) ?? keys.last else { return nil }
            sent = last.sent
            listed = Set(keys.lazy.filter { $0.sent <= last.sent }.map(\.id))
        }
    }

    private struct Logged: Sendable, Equatable {
        var number: UInt64
        /// nil: all notifications that were sent up to ``last``.
        var id: String?
        var last: Timestamp
        /// nil: deleted.
        var change: StateChange?
        var time: Timestamp

        func concerns(_ row: InboxNotification) -> Bool { id.map { $0 == row.id } ?? (row.sent <= last) }
    }

    /// The number of kept notifications; beyond it the oldest ones are unloaded.
    private let maximum: Int
    private var loaded = VisibleRows<InboxNotification>()
    /// The numbers of the requests that returned the loaded rows.
    private var requestNumbers: [String: UInt64] = [:]
    /// The counts of the loaded rows.
    private(set) var tally: RowTally
    /// The end of the newest part; nil: there is nothing beyond, or nothing was loaded yet.
    private var end: End?
    /// Whether the service has further notifications; true until the first page is loaded.
    private(set) var hasMore = true
    /// Whether the counts of the last page may lack a later notification.
    private(set) var isAmbiguous = false
    /// The number of the request that returned the first page: it lists everything in the newest part.
    private var lastPage: UInt64 = 0
    /// Changes that responses to earlier requests may lack.
    private var log: [Logged] = []

    /// The maximum number of logged changes.
    static let logLimit = 1_024

    /// - Parameter tabs: The predicates of the tabs, for ``tally``.
    init(maximum: Int, tabs: [StorePredicate] = []) {
        self.maximum = maximum
        tally = RowTally(tabs: tabs)
    }

    subscript(id: String) -> InboxNotification? { loaded[id] }

    var count: Int { loaded.rows.count }

    /// Whether a page was loaded.
    var isLoaded: Bool { lastPage > 0 }

    /// In no order.
    var all: some Collection<InboxNotification> { loaded.rows.unordered }

    /// The number of notifications of a predicate at or above a time.
    func count(of predicate: StorePredicate, downTo time: Timestamp) -> Int {
        all.count { $0.sent >= time && predicate.matches($0) }
    }

    /// Whether a notification at this place is in the newest part.
    func contains(_ row: InboxNotification) -> Bool {
        guard !row.isArchived else { return false }
        guard let end else { return true }
        return row.sent > end.sent || end.listed.contains(row.id)
    }

    // MARK: Responses

    /// The first page. Notifications that it does not list are removed, unless a later request returned them.
    ///
    /// - Returns: The known changes since the page, which its counts do not contain. nil: absent.
    mutating func replace(
        with page: StorePage,
        requestNumber: UInt64
    ) -> [(listed: InboxNotification?, present: InboxNotification?)] {
        lastPage = requestNumber
        hasMore = page.next != nil
        end = hasMore ? End(of: page.notifications.map(\.orderKey)) : nil
        var changes: [(listed: InboxNotification?, present: InboxNotification?)] = []
        let listed = Set(page.notifications.map(\.id))
        // A changed notification beyond the page is counted by it, before or after the change.
        isAmbiguous =
            hasMore
            && log.contains { entry in
                guard entry.number > requestNumber, let id = entry.id, !listed.contains(id) else { return false }
                return loaded[id].map { !contains($0) } ?? true
            }
        for row in all where !listed.contains(row.id) {
            let isLater = requestNumbers[row.id, default: 0] > requestNumber
            if isLater, contains(row) {
                changes.append((nil, row))
            } else {
                // Whether the page counts it is unknown.
                if isLater { isAmbiguous = true }
                discard(row.id, isUnloaded: end.map { row.sent <= $0.sent } ?? false)
            }
        }
        for row in page.notifications {
            let present = merge(row, requestNumber: requestNumber)
            if present != row { changes.append((row, present)) }
        }
        trim()
        return changes
    }

    /// A notification with what has changed since its request; nil: it was deleted.
    func updated(_ row: InboxNotification, since requestNumber: UInt64) -> InboxNotification? {
        var row = row
        for entry in log where entry.number > requestNumber && entry.concerns(row) {
            guard let change = entry.change else { return nil }
            row.apply(change, at: entry.time)
        }
        return row
    }

    /// A single notification. Adds it if it is in the newest part.
    ///
    /// - Returns: The notification with the changes since the request; nil: it was deleted since.
    @discardableResult
    mutating func merge(_ row: InboxNotification, requestNumber: UInt64) -> InboxNotification? {
        if let number = requestNumbers[row.id], number >= requestNumber { return loaded[row.id] }
        guard let row = updated(row, since: requestNumber) else { return nil }
        // A page that was requested later does not list it.
        if requestNumbers[row.id] == nil, requestNumber < lastPage, contains(row) { return row }
        if contains(row) {
            show(row)
            requestNumbers[row.id] = requestNumber
        } else {
            discard(row.id, isUnloaded: !row.isArchived)
        }
        return row
    }

    /// Unloads the oldest notifications beyond the maximum. Call it after ``merge(_:requestNumber:)``.
    mutating func trim() {
        guard count > maximum else { return }
        // More than necessary, so that this happens rarely.
        for key in loaded.rows.keys.dropFirst(maximum * 3 / 4) { discard(key.id, isUnloaded: true) }
        end = End(of: loaded.rows.keys)
        hasMore = true
    }

    private mutating func show(_ row: InboxNotification) {
        tally.adjust(from: loaded[row.id], to: row)
        loaded.show(Shared(row))
    }

    private mutating func discard(_ id: String, isUnloaded: Bool) {
        tally.adjust(from: loaded[id], to: nil)
        loaded.hide(id, isUnloaded: isUnloaded)
        requestNumbers[id] = nil
    }

    // MARK: Changes

    /// A change that the service reported or confirmed.
    ///
    /// - Parameters:
    ///   - id: nil: all notifications of the newest part that were sent up to `last`.
    ///   - keepsLog: Whether requests are in flight whose responses may lack the change.
    mutating func apply(
        _ change: StateChange,
        to id: String?,
        upTo last: Timestamp = .latest,
        number: UInt64,
        at time: Timestamp,
        keepsLog: Bool
    ) {
        if keepsLog { log.append(Logged(number: number, id: id, last: last, change: change, time: time)) }
        for var row in id.map({ [loaded[$0]].compactMap(\.self) }) ?? all.filter({ $0.sent <= last }) {
            row.apply(change, at: time)
            if row.isArchived { discard(row.id, isUnloaded: false) } else { show(row) }
        }
    }

    /// The service reported or confirmed that a notification was deleted, loaded or not.
    mutating func delete(_ id: String, number: UInt64, keepsLog: Bool) {
        if keepsLog { log.append(Logged(number: number, id: id, last: .latest, change: nil, time: 0)) }
        discard(id, isUnloaded: false)
        loaded.delete(id)
    }

    /// Discards logged changes that no response can lack. nil: no response is due.
    ///
    /// - Returns: Whether the limit was exceeded, so that changes were discarded that a response may lack.
    mutating func prune(before number: UInt64?) -> Bool {
        let oldest = number ?? .max
        log.removeAll { $0.number < oldest }
        guard log.count > Self.logLimit else { return false }
        log = []
        return true
    }

    // MARK: Reports

    /// The differences since the last call.
    mutating func takeDifferences() -> RowDifferences<InboxNotification> { loaded.takeDifferences() }
}
