import Basics
import ClientKit
import Inbox

/// The newest part of an inbox as the service last returned it, and which notifications have arrived.
///
/// A value: the service's pages, events and answers in, what changed for the agent out.
struct EchoMirror: Sendable, Equatable {
    /// The number of notifications that are kept up to date: the largest page.
    static let size = 100

    private var rows: [NotificationID: Notification] = [:]
    private var counts = Counts()
    private var hasMore = true
    /// Everything created up to this time is known; nil: nothing was loaded yet.
    private var watermark: Timestamp?
    private var arrived = RecentIDs(capacity: 1_000)

    /// Continues after a previous run.
    mutating func resume(after marks: DeliveryMarks) {
        watermark = marks.watermark
        for id in marks.shown.keys { arrived.insert(id.rawValue) }
    }

    /// The newest page, loaded after joining.
    mutating func load(_ page: EchoAnswer) -> [ServiceEvent] {
        let old = rows
        rows = Dictionary(page.notifications.map { ($0.id, $0) }) { first, _ in first }
        (counts, hasMore) = (page.counts, page.hasMore)
        var update = InboxUpdate(
            changed: page.notifications.filter { old[$0.id] != $0 },
            counts: counts,
            hasMore: hasMore
        )
        let end = hasMore ? page.notifications.last.map { SortKey(of: $0) } : nil
        for row in old.values where rows[row.id] == nil {
            let isBelow = end.map { $0 < SortKey(of: row) } ?? false
            if isBelow { update.unloaded.append(row.id) } else { update.removed.append(row.id) }
        }
        let new = page.notifications.reversed().filter { row in
            watermark.map { $0 < row.created } ?? false && row.seen == nil && row.read == nil
                && arrived.insert(row.id.rawValue)
        }
        let newest = page.notifications.first?.created ?? 0
        watermark = max(watermark ?? newest, newest)
        return [.contents(update)] + (new.isEmpty ? [] : [.arrived(new, isCatchUp: true)]) + [.caughtUp(newest)]
    }

    mutating func receive(_ event: EchoEvent) -> [ServiceEvent] {
        switch event {
        case .added(let answer):
            let new = answer.notifications.filter { arrived.insert($0.id.rawValue) }
            return [.contents(update(answer))] + (new.isEmpty ? [] : [.arrived(new)])
        case .changed(let answer): return receive(answer)
        case .removed(let answer): return remove(answer)
        case .allRead(let answer): return [.contents(update(answer)), .allRead]
        case .preferences: return []
        }
    }

    /// The answer to a change, or the same as an event.
    mutating func receive(_ answer: EchoAnswer) -> [ServiceEvent] {
        [.contents(update(answer))] + answer.notifications.map { .updated($0) }
    }

    /// Notifications were deleted.
    mutating func remove(_ answer: EchoAnswer) -> [ServiceEvent] {
        counts = answer.counts
        let ids = answer.notifications.map(\.id)
        for id in ids { rows[id] = nil }
        return [.contents(InboxUpdate(removed: ids, counts: counts, hasMore: hasMore))]
    }

    /// Takes over the counts, and of the notifications those that belong to the newest part.
    private mutating func update(_ answer: EchoAnswer) -> InboxUpdate {
        counts = answer.counts
        var update = InboxUpdate()
        let end = hasMore ? rows.values.map { SortKey(of: $0) }.max() : nil
        for row in answer.notifications where rows[row.id] != row {
            if row.isArchived {
                if rows.removeValue(forKey: row.id) != nil { update.removed.append(row.id) }
            } else if end.map({ SortKey(of: row) <= $0 }) ?? true {
                rows[row.id] = row
                update.changed.append(row)
            }
        }
        while rows.count > Self.size, let last = rows.values.max(by: { SortKey(of: $0) < SortKey(of: $1) }) {
            rows[last.id] = nil
            hasMore = true
            update.unloaded.append(last.id)
        }
        (update.counts, update.hasMore) = (counts, hasMore)
        return update
    }
}
