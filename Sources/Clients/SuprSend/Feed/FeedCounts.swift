import Basics
import ClientKit

/// Badge and store counts: the service's last counts, the changes since, and the changes in flight.
///
/// The service's counts and our own can overlap: a response may or may not include what happened during the request.
/// Whenever this is possible, `isUnverified` requests one more count, so that the counts always end at the service's. A
/// response that may lack a change made here is not shown: the count would go back for a moment.
struct FeedCounts: Sendable, Equatable {
    enum Change: Sendable, Equatable {
        case add(stores: [String: Int])
        case clearAll
        case clearBadge
    }

    /// The usual maximum delay of an event after its change, and the precision of the service's clock, in milliseconds.
    private static let eventDelay: Int64 = 1_000

    /// Another count is needed for certainty.
    var isUnverified = false
    /// When to count again: the last count was received shortly before a new notification, or before a replay of missed
    /// events, and may already include it.
    private(set) var recountTime: Timestamp?
    /// The time of the last count; nil: none was received yet.
    private(set) var lastCounted: Timestamp?
    private var confirmed: FeedData.Meta
    private var pending: [(number: UInt64, change: Change)] = []
    private var inFlight: Set<UInt64> = []
    /// Counts that were in flight when a change began or ended.
    private var overlapped: Set<UInt64> = []
    private var lastAnswered: UInt64 = 0
    /// The number of the event that was the last answer.
    private var lastAnswer: UInt64 = 0

    init(stores: [NotificationStore]) {
        confirmed = FeedData.Meta(
            badge: 0,
            stores: Dictionary(stores.map { ($0.id, 0) }, uniquingKeysWith: { a, _ in a })
        )
    }

    /// The counts to show, with the changes in flight.
    var meta: FeedData.Meta {
        var meta = confirmed
        for (_, change) in pending { Self.apply(change, to: &meta) }
        return meta
    }

    /// Whether to request the counts: one request at a time, and only if its response can be shown: no change is in
    /// flight, or no count was received yet.
    var wantsCount: Bool { isUnverified && inFlight.isEmpty && (pending.isEmpty || lastAnswered == 0) }

    /// Shows counts of a previous run until the service's first ones.
    mutating func restore(badge: Int, stores: [String: Int]) {
        guard lastCounted == nil else { return }
        confirmed.badge = max(0, badge)
        for (store, count) in stores where confirmed.stores[store] != nil { confirmed.stores[store] = max(0, count) }
    }

    // MARK: The service's counts

    mutating func begin(_ number: UInt64) {
        inFlight.insert(number)
        isUnverified = false
    }

    /// A response; nil: the request failed. A response to an earlier request than the last one is discarded, and so is
    /// one that may lack a change, unless it is the first.
    ///
    /// - Parameter end: The number of the response itself.
    /// - Returns: Whether the counts were replaced by the response's.
    mutating func finish(_ number: UInt64, _ counts: NotificationCounts?, at end: UInt64, now: Timestamp) -> Bool {
        inFlight.remove(number)
        let isOverlapped = overlapped.remove(number) != nil || !pending.isEmpty
        guard let counts, number > lastAnswered else { return false }
        if isOverlapped { isUnverified = true }
        guard !isOverlapped || lastAnswered == 0 else { return false }
        lastAnswered = number
        lastAnswer = end
        lastCounted = now
        confirmed.badge = counts.badge
        for (store, count) in counts.stores where confirmed.stores[store] != nil { confirmed.stores[store] = count }
        pending = []
        return true
    }

    // MARK: Changes of the service

    /// The server replays events that may be older than the last count.
    mutating func replayBegins(now: Timestamp) { recountTime = now.advanced(milliseconds: Self.eventDelay) }

    /// An event announces a notification.
    mutating func notificationArrived(now: Timestamp) {
        eventArrived()
        let mayBeCounted = lastCounted.map { now < $0.advanced(milliseconds: Self.eventDelay) } ?? false
        if recountTime != nil || mayBeCounted { recountTime = now.advanced(milliseconds: Self.eventDelay) }
    }

    /// Requests a count that is due.
    mutating func wake(now: Timestamp) {
        guard let time = recountTime, time <= now else { return }
        recountTime = nil
        isUnverified = true
    }

    /// An event arrived: a count in flight may lack it.
    private mutating func eventArrived() {
        if !inFlight.isEmpty { isUnverified = true }
    }

    /// A notification announced at `number` and created at this time belongs to `stores`. Not added if a later
    /// requested count includes it.
    mutating func add(announced number: UInt64, created: Timestamp, stores: [String]) {
        guard lastAnswered < number else { return }
        // Its event was late: the last count may already include it.
        if recountTime == nil, let lastCounted, created < lastCounted.advanced(milliseconds: Self.eventDelay) {
            isUnverified = true
        }
        confirmed.badge += 1
        for store in stores { confirmed.stores[store, default: 0] += 1 }
    }

    /// The service reports that all was read, or that the badge was reset.
    mutating func apply(_ change: Change) {
        Self.apply(change, to: &confirmed)
        overlapped.formUnion(inFlight)
        eventArrived()
    }

    // MARK: Changes in flight

    mutating func propose(_ number: UInt64, _ change: Change) {
        pending.append((number, change))
        overlapped.formUnion(inFlight)
    }

    mutating func confirm(_ number: UInt64) {
        // Absent: the first count was received meanwhile, and may or may not include the change.
        guard let index = pending.firstIndex(where: { $0.number == number }) else {
            isUnverified = true
            return
        }
        let change = pending.remove(at: index).change
        apply(change)
        // Events since then came before or after the change at the service.
        if case .add = change {} else { isUnverified = true }
    }

    /// The service performed an action that was not proposed.
    ///
    /// - Parameters:
    ///   - change: nil: its effect is unknown.
    ///   - number: Of its start.
    mutating func confirmUnshown(_ change: Change?, since number: UInt64) {
        guard let change else {
            overlapped.formUnion(inFlight)
            isUnverified = true
            return
        }
        apply(change)
        // A count that was answered since its start may already include it.
        if case .add(let stores) = change, stores.isEmpty || lastAnswer < number {} else { isUnverified = true }
    }

    mutating func reject(_ number: UInt64) {
        pending.removeAll { $0.number == number }
        overlapped.formUnion(inFlight)
        eventArrived()
    }

    private static func apply(_ change: Change, to meta: inout FeedData.Meta) {
        switch change {
        case .add(let stores):
            for (store, difference) in stores { meta.stores[store] = max(0, (meta.stores[store] ?? 0) + difference) }
        case .clearAll:
            meta.badge = 0
            meta.stores = meta.stores.mapValues { _ in 0 }
        case .clearBadge:
            meta.badge = 0
        }
    }

    static func == (a: FeedCounts, b: FeedCounts) -> Bool {
        a.confirmed == b.confirmed && a.isUnverified == b.isUnverified && a.inFlight == b.inFlight
            && a.overlapped == b.overlapped && a.lastAnswered == b.lastAnswered && a.lastAnswer == b.lastAnswer
            && a.lastCounted == b.lastCounted && a.recountTime == b.recountTime
            && a.pending.elementsEqual(b.pending) { $0 == $1 }
    }
}
