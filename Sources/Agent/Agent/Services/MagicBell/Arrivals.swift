import Basics
import Inbox
import MagicBell

/// Decides which notifications are new, so that each is reported as arrived once: by their events, and without them by
/// comparing the inbox with what is known.
///
/// Everything sent up to a watermark is old; above it every known notification is known by its id. The service's times
/// are whole seconds, and a notification may be listed after a newer one, so the watermark stays ten minutes behind.
struct Arrivals: Sendable {
    /// The maximum number of ids in ``announced``.
    private static let announcedLimit = 1_000

    private static let unarchivedLimit = 200

    private var marks = DeliveryMarks()
    /// A page that reaches a notification before this time contains everything new; nil: nothing was loaded yet.
    private var reach: Timestamp?
    /// The notifications that the first scan of this run found to be old by their times alone: one whose event comes
    /// afterwards is new. The service's times are whole seconds and too coarse to decide.
    private var initial: Set<String> = []
    private var isScanned = false
    /// Notifications that were in the archive, so that no page showed them: one that was sent up to this time is not
    /// new.
    private var unarchived: [String: Timestamp] = [:]
    /// Ids that events announced and that have not arrived, with the numbers of the events.
    private var announced: [String: UInt64] = [:]
    /// The time of the newest known notification.
    private(set) var newest = Timestamp(milliseconds: 0)

    /// Continues after a previous run.
    mutating func resume(after previous: DeliveryMarks, now: Timestamp) {
        // The previous run may have ended before its first scan did: notifications sent since the first one that it has
        // shown are new, and also those sent in the same second.
        let times = previous.shown.values
        let known = (previous.watermark ?? times.min()).map { $0.advanced(milliseconds: times.contains($0) ? -1 : 0) }
        // A watermark in the future comes from a wrong time, and would hide everything until then.
        let watermark = known.map { $0 > latest(now) ? now : $0 }
        marks = DeliveryMarks(watermark: watermark, shown: previous.shown)
        reach = watermark
    }

    /// Whether a notification was reported as arrived, or is known to be old, by its id.
    func isKnown(_ id: String) -> Bool { marks.contains(id) && !initial.contains(id) }

    /// The latest possible time of sending.
    func latest(_ now: Timestamp) -> Timestamp { now.advanced(milliseconds: Timestamp.clockTolerance) }

    // MARK: Events

    /// An event announced `id`: the next page that shows it brings it, unless it is added before.
    mutating func announce(_ id: String, number: UInt64) {
        guard announced.count < Self.announcedLimit else { return }
        announced[id] = number
    }

    /// A notification was reported as arrived after its event, or is known not to arrive. `isCurrent`: everything
    /// before it is known.
    mutating func add(_ row: InboxNotification, isCurrent: Bool, now: Timestamp) {
        announced[row.id] = nil
        initial.remove(row.id)
        record([row], now: now)
        if isCurrent, reach != nil { advance(to: newest) }
    }

    /// An event reports that a notification was taken out of the archive: it is not new.
    ///
    /// - Parameter isCurrent: No event is missing. Otherwise it is new if it was sent after everything that is known:
    ///   the event also comes for a notification that was not in the archive.
    mutating func addUnarchived(_ id: String, isCurrent: Bool) {
        if unarchived.count >= Self.unarchivedLimit { unarchived = [:] }
        unarchived[id] = isCurrent || reach == nil ? .latest : newest
    }

    // MARK: Pages

    /// Pages from the top of the inbox down to what is known.
    struct Scan: Sendable, Equatable {
        fileprivate var known: [InboxNotification] = []
        fileprivate var ids: Set<String> = []
        fileprivate var new: [InboxNotification] = []
        /// The ids of the new ones that were reported before the scan was complete.
        fileprivate var reported: Set<String> = []
    }

    /// Compares a page with what is known.
    ///
    /// - Returns: Whether everything new is on this page or on those before.
    mutating func compare(_ page: StorePage, in scan: inout Scan) -> Bool {
        for row in page.notifications where scan.ids.insert(row.id).inserted {
            scan.known.append(row)
            if isNew(row) { scan.new.append(row) }
        }
        guard page.next != nil else { return true }
        // At first, down to the second before the newest notification's: see `firstWatermark`.
        guard let reach = reach ?? scan.known.map(\.sent).max() else { return true }
        // A page may be empty although there are others, and a notification without a valid time is no evidence.
        return page.notifications.last { $0.sent > 0 }.map { $0.sent < reach } ?? false
    }

    private func isNew(_ row: InboxNotification) -> Bool {
        if marks.contains(row.id) { return false }
        if announced[row.id] != nil { return true }
        guard let watermark = marks.watermark, !row.isSeen, !row.isRead else { return false }
        return row.sent > unarchived[row.id].map { max($0, watermark) } ?? watermark
    }

    /// The new notifications of a scan, oldest first.
    struct New: Sendable, Equatable {
        /// After an event.
        var announced: [InboxNotification]
        /// Without one.
        var missed: [InboxNotification]

        var ids: Set<String> { Set((announced + missed).map(\.id)) }
    }

    /// The result of a scan.
    struct Result: Sendable, Equatable {
        var new: New
        /// At the first start, the time of the newest notification that is not new. So a new notification counts as
        /// shown only when it was shown, even if it was sent in the same second.
        var newestAtFirst: Timestamp?
    }

    private func new(in scan: Scan) -> New {
        // An event may have announced some of them during the scan.
        let rows = scan.new.filter { !marks.contains($0.id) && !scan.reported.contains($0.id) }
            .sorted { ($0.sent, $0.id) < ($1.sent, $1.id) }
        return New(
            announced: rows.filter { announced[$0.id] != nil },
            missed: rows.filter { announced[$0.id] == nil }
        )
    }

    /// The new notifications on the first part of a page, if it reaches down to what is known; `scan` continues with
    /// the whole page.
    mutating func takeNew(on part: StorePage, in scan: inout Scan, now: Timestamp) -> New? {
        var partial = scan
        guard compare(part, in: &partial) else { return nil }
        let new = new(in: partial)
        scan.reported.formUnion(new.ids)
        record(new.announced + new.missed, now: now)
        return new
    }

    /// The scan is complete, or has to be.
    ///
    /// - Parameters:
    ///   - number: Of the scan's first request: later events are not answered by it.
    ///   - reachesEnd: Whether the last page is the last one of the inbox.
    mutating func finish(
        _ scan: Scan,
        number: UInt64,
        reachesEnd: Bool,
        now: Timestamp
    ) -> Result {
        let new = new(in: scan)
        let newIDs = new.ids.union(scan.reported)
        let isFirstStart = marks.watermark == nil
        if isFirstStart {
            marks.raise(to: firstWatermark(scan.known, reachesEnd: reachesEnd, now: now))
        }
        if !isScanned {
            isScanned = true
            initial = scan.ids.subtracting(newIDs).filter { !marks.contains($0) }
        }
        record(scan.known, now: now)
        // A notification that was announced before the scan and is not listed was archived or deleted.
        announced = announced.filter { $1 > number && !scan.ids.contains($0) }
        // Not further: of what events announced meanwhile, some may be missing.
        let latest = latest(now)
        advance(to: scan.known.lazy.map(\.sent).filter { $0 <= latest }.reduce(0, max))
        guard isFirstStart else { return Result(new: new) }
        let old = scan.known.filter { $0.sent <= latest && !newIDs.contains($0.id) }
        return Result(new: new, newestAtFirst: old.map(\.sent).max() ?? 0)
    }

    /// The watermark at the first start: existing notifications are not new. One that is sent later in the second of
    /// the newest notification is new, if all others of that second are known.
    private func firstWatermark(_ rows: [InboxNotification], reachesEnd: Bool, now: Timestamp) -> Timestamp {
        guard let newest = rows.map(\.sent).filter({ $0 <= latest(now) }).max() else {
            return reachesEnd ? 0 : now
        }
        let isComplete = reachesEnd || rows.contains { $0.sent < newest }
        return isComplete ? newest.advanced(milliseconds: -1) : newest
    }

    // MARK: Implementation

    private mutating func record(_ rows: [InboxNotification], now: Timestamp) {
        let latest = latest(now)
        newest = rows.lazy.map(\.sent).filter { $0 <= latest }.reduce(newest, max)
        for row in rows.sorted(by: { $0.sent < $1.sent }) {
            marks.add(NotificationID(row.id), created: row.sent, latest: latest)
        }
    }

    /// Everything sent up to `time` is known.
    private mutating func advance(to time: Timestamp) {
        reach = max(reach ?? time, time)
        marks.raise(to: time.advanced(milliseconds: -DeliveryMarks.reorderWindow))
    }
}

extension DeliveryMarks {
    fileprivate func contains(_ id: String) -> Bool { contains(NotificationID(id)) }
}
