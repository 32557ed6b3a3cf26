import Basics
import ClientKit
import SuprSend

/// A feed's state with checks of its invariants after each event.
struct CheckedFeed {
    static let stores = [
        NotificationStore(id: "All"),
        NotificationStore(id: "Unread", query: .init(read: false)),
        NotificationStore(id: "Promo", query: .init(tags: ["tab1"], categories: ["promo"])),
    ]
    /// Small, so that a short input reaches it.
    static let maximumRows = 6

    var state = FeedState(pageSize: 3, stores: CheckedFeed.stores, maximumRows: CheckedFeed.maximumRows)
    /// The base time of the samples, 2025-08-04T22:32:25.613Z.
    var now: Timestamp = 1_754_346_745_613
    private var announced: Set<String> = []
    private var caughtUp: Timestamp?

    /// Checks the feed after an event with these effects.
    mutating func check(_ effects: [FeedState.Effect]) throws(Fault) {
        for case .report(.announced(let row, _)) in effects {
            try demand(announced.insert(row.id).inserted, "\(row.id) is announced twice")
            try demand(row.expiry.map { $0 >= now } ?? true, "\(row.id) is announced, but has expired")
        }
        let data = state.data
        if let mark = state.caughtUp {
            try demand(
                (0...now.advanced(milliseconds: 300_000)).contains(mark),
                "caught up to \(mark.milliseconds), and it is \(now.milliseconds)"
            )
            caughtUp = mark
        }
        let rows = data.notifications
        try demand(Set(rows.map(\.id)).count == rows.count, "an id is there twice: \(rows.map(\.id))")
        for (row, next) in zip(rows, rows.dropFirst()) {
            try demand(Self.isInOrder(row, next), "\(next.id) after \(row.id)")
        }
        for row in rows { try demand(data.store.query.matches(row), "\(row.id) does not belong to \(data.store.id)") }
        try demand(rows.count <= Self.maximumRows, "\(rows.count) rows are kept")
        try demand(data.pageInfo.total >= rows.count, "\(rows.count) rows of \(data.pageInfo.total)")
        try demand(data.meta.badge >= 0, "a badge of \(data.meta.badge)")
        try demand(data.meta.stores.values.allSatisfy { $0 >= 0 }, "\(data.meta.stores): a negative count")
        let counted = Set(data.meta.stores.keys)
        try demand(counted == Set(Self.stores.map(\.id)), "\(counted.sorted()) are not the feed's stores")
    }

    /// The program is started again. Without a mark, the one that an earlier version has left.
    mutating func restart(after mark: Timestamp?) {
        state = FeedState(pageSize: 3, stores: Self.stores, maximumRows: Self.maximumRows)
        state.resume(after: caughtUp ?? mark, announced: announced)
    }

    /// Time passes. Whatever was due is done, so nothing may be due still: the feed would never sleep.
    mutating func pass(_ milliseconds: Int64) throws(Fault) {
        now = Timestamp(milliseconds: now.milliseconds + milliseconds)
        try check(state.wake(now: now))
        if let deadline = state.nextDeadline {
            try demand(deadline > now, "awake at \(now.milliseconds), due again at \(deadline.milliseconds)")
        }
        for row in state.data.notifications {
            try demand(row.expiry.map { $0 >= now } ?? true, "\(row.id) has expired")
        }
    }

    /// Pinned first, then newest, then by id, which is unique.
    private static func isInOrder(_ a: FeedNotification, _ b: FeedNotification) -> Bool {
        if a.isPinned != b.isPinned { return a.isPinned }
        if a.sortKey != b.sortKey { return a.sortKey > b.sortKey }
        return a.id > b.id
    }
}
