import ClientKit

/// Where a page begins: strictly behind the row with this sort key, which is the last one of the page before.
package struct PageCursor: Sendable, Hashable {
    package var isPinned: Bool
    package var created: Milliseconds

    package init(isPinned: Bool, created: Milliseconds) {
        self.isPinned = isPinned
        self.created = created
    }

    /// The time is the one that the service gave, whatever it means.
    init(after row: FeedNotification) { self.init(isPinned: row.isPinned, created: row.sortKey) }

    /// Where a page begins that has the rows of this cursor's own millisecond again: there may be more of them than the last page had.
    var overlapping: PageCursor { PageCursor(isPinned: isPinned, created: created.advanced(by: 1)) }

    /// Whether it is further down the list than another one.
    func isBehind(_ other: PageCursor) -> Bool {
        isPinned == other.isPinned ? created < other.created : other.isPinned
    }
}

/// The answer to F1: one page of rows.
package struct NotificationPage: Sendable, Equatable, Decodable {
    package var rows: [FeedNotification]
    /// Ids of rows that made no sense and were left out, for the log.
    package var dropped: [String] = []
    package var total: Int?
    /// What `meta` says about further pages, nil when it says nothing.
    package var hasMore: Bool?

    /// Whether there is a further page.
    package var hasFurther: Bool { !rows.isEmpty && (hasMore ?? (rows.count < total ?? 0)) }

    package init(rows: [FeedNotification], total: Int? = nil, hasMore: Bool? = nil) {
        self.rows = rows
        self.total = total
        self.hasMore = hasMore
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let results = try body.decode(LossyArray<FeedNotification>.self, forKey: "results")
        rows = results.elements
        dropped = results.dropped
        defer { cut(to: Limits.rows) }
        guard let meta = try? body.nestedContainer(keyedBy: WireKey.self, forKey: "meta") else { return }
        total = meta.count("total_count")
        // The service's clients read one or the other (suprsend.md §2.1); `has_more` is the plain statement.
        if let said: Bool = meta.value("has_more") {
            hasMore = said
        } else if let current = meta.integer("current_page"), let pages = meta.integer("total_pages") {
            hasMore = current < pages
        }
    }
}

extension NotificationPage {
    /// Leaves out rows beyond what was asked for; they are still to come.
    mutating func cut(to size: Int) {
        guard rows.count > size else { return }
        rows.removeSubrange(size...)
        hasMore = true
    }
}

/// The answer to F2: numbers by name, `badge` among them.
package struct NotificationCounts: Sendable, Equatable, Decodable {
    package var badge: Int
    package var stores: [String: Int]

    package init(badge: Int, stores: [String: Int] = [:]) {
        self.badge = badge
        self.stores = stores
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        badge = 0
        stores = [:]
        for key in body.allKeys {
            guard let number = body.integer(key), number >= 0, let count = body.count(key) else { continue }
            if key.stringValue == "badge" {
                badge = count
            } else {
                stores[key.stringValue] = count
            }
        }
    }
}

/// An answer that may have no body at all (HTTP 204).
protocol EmptyAnswer { init() }

/// The answer to an event: any JSON object, with the event's id or without it.
package struct EventReceipt: Sendable, Equatable, Decodable, EmptyAnswer {
    package var messageID: String?

    package init() {}

    package init(from decoder: any Decoder) throws {
        messageID = try decoder.container(keyedBy: WireKey.self).whole("message_id", Limits.id)
    }
}

/// The answer to F4 … F11: any JSON object.
package struct Acknowledgement: Sendable, Equatable, Decodable, EmptyAnswer {
    package init() {}

    package init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: WireKey.self) }
}
