package import Basics

/// The shown notifications of an account: all up to a watermark, and some after it. So no notification is shown twice,
/// and memory is bounded.
package struct DeliveryMarks: Equatable, Sendable {
    /// The maximum number of ids; beyond it, the watermark moves up and covers the older ones. A catch-up lists fewer
    /// notifications.
    package static let capacity = 500
    /// In milliseconds: by this time at most, a notification may be listed or reported after a newer one.
    package static let reorderWindow: Int64 = 600_000

    /// The watermark: notifications created up to this time need no popup. Nil before the first connection; then the
    /// existing notifications need no popup either.
    package private(set) var watermark: Timestamp?
    /// Shown notifications above the watermark or of its time, with their times of creation. Ids distinguish the
    /// notifications of one time: a service may have times of whole seconds only.
    package private(set) var shown: [NotificationID: Timestamp]

    package init(watermark: Timestamp? = nil, shown: [NotificationID: Timestamp] = [:]) {
        self.watermark = watermark
        self.shown = shown
    }

    package func contains(_ id: NotificationID) -> Bool { shown[id] != nil }

    /// Raises the watermark; never lowers it.
    package mutating func raise(to moment: Timestamp) {
        watermark = max(watermark ?? moment, moment)
        shown = shown.filter { $0.value >= moment }
    }

    /// Moves the watermark after a catch-up. Notifications that may still be reported stay above it.
    ///
    /// - Parameters:
    ///   - newest: The time of creation of the newest notification of the inbox.
    ///   - undelivered: The time of creation of the oldest notification that waits for its popup.
    ///   - now: nil: unknown.
    /// - Returns: The new watermark; nil if it is unchanged.
    mutating func advance(to newest: Timestamp, before undelivered: Timestamp?, now: Timestamp?) -> Timestamp? {
        // A previous run accepted a time in the future: the watermark would hide everything until then.
        let isAhead = watermark.map { known in
            let limit = known.advanced(milliseconds: -Timestamp.clockTolerance)
            return newest < limit && now.map { $0 < limit } ?? false
        }
        let settled = isAhead ?? true ? newest : newest.advanced(milliseconds: -Self.reorderWindow)
        let oldest = undelivered ?? Timestamp(milliseconds: .max)
        let new = min(settled, oldest.advanced(milliseconds: -1))
        // Each change is written to disk, so small steps are skipped.
        let isWorthIt = watermark.map { $0.advanced(milliseconds: Self.reorderWindow / 10) < new } ?? true
        guard isAhead == true || isWorthIt else { return nil }
        if isAhead == true { watermark = watermark.map { min($0, new) } }
        raise(to: new)
        return new
    }

    /// Records a shown notification. The watermark never exceeds `latest`: a later time of creation is wrong. If many
    /// times are wrong, the ids of some are discarded.
    package mutating func add(
        _ id: NotificationID,
        created: Timestamp,
        latest: Timestamp = Timestamp(milliseconds: .max)
    ) {
        shown[id] = created
        guard shown.count > Self.capacity else { return }
        // Removes more than necessary, so that this happens rarely.
        let kept = Self.capacity * 4 / 5
        let excess = shown.values.sorted()[shown.count - kept - 1]
        if excess <= latest {
            raise(to: excess)
            // Any number of notifications may have the watermark's time.
            shown = shown.filter { $0.value > excess }
            return
        }
        if let last = shown.values.filter({ $0 <= latest }).max() { raise(to: last) }
        let oldest = shown.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        for (id, _) in oldest.dropLast(kept) { shown[id] = nil }
    }
}
