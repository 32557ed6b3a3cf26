package import Basics

/// The shown notifications of an account: all up to a watermark, and some after it. So no notification is shown twice,
/// and memory is bounded.
package struct DeliveryMarks: Equatable, Sendable {
    /// The maximum number of ids; beyond it, the watermark moves up and covers the older ones. A catch-up lists fewer
    /// notifications.
    package static let capacity = 500

    /// The watermark: notifications created up to this time need no popup. Nil before the first connection; then the
    /// existing notifications need no popup either.
    package private(set) var watermark: Timestamp?
    /// Shown notifications above the watermark, with their times of creation.
    package private(set) var shown: [NotificationID: Timestamp]

    package init(watermark: Timestamp? = nil, shown: [NotificationID: Timestamp] = [:]) {
        self.watermark = watermark
        self.shown = shown
    }

    package func contains(_ id: NotificationID) -> Bool { shown[id] != nil }

    /// Raises the watermark; never lowers it.
    package mutating func raise(to moment: Timestamp) {
        watermark = max(watermark ?? moment, moment)
        shown = shown.filter { $0.value > moment }
    }

    /// Corrects a watermark that was wrong.
    mutating func lower(to moment: Timestamp) { watermark = watermark.map { min($0, moment) } }

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
        if excess <= latest { return raise(to: excess) }
        if let last = shown.values.filter({ $0 <= latest }).max() { raise(to: last) }
        let oldest = shown.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        for (id, _) in oldest.dropLast(kept) { shown[id] = nil }
    }
}
