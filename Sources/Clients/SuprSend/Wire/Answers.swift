package import Basics
import ClientKit

/// The start of a page: after the row with this sort key, which is the last one of the previous page.
package struct PageCursor: Sendable, Hashable {
    package var isPinned: Bool
    package var created: Timestamp

    package init(isPinned: Bool, created: Timestamp) {
        self.isPinned = isPinned
        self.created = created
    }

    /// The sort key is the service's raw number, without interpretation.
    init(after row: FeedNotification) { self.init(after: row.orderKey) }

    init(after key: FeedOrderKey) { self.init(isPinned: key.isPinned, created: key.sortKey) }

    /// The start of a page that repeats the rows of this cursor's millisecond, of which the last page may have lacked
    /// some.
    package var overlapping: PageCursor { PageCursor(isPinned: isPinned, created: created.advanced(milliseconds: 1)) }

    /// The start of the page after the one that began at `start` and ended here. It repeats the rows of this cursor's
    /// millisecond, unless the page had no others: of more such rows than a page has, the rest cannot be loaded.
    func following(_ start: PageCursor?) -> PageCursor { overlapping == start ? self : overlapping }

    /// Whether the cursor is further down the list than `other`.
    func isBehind(_ other: PageCursor) -> Bool {
        isPinned == other.isPinned ? created < other.created : other.isPinned
    }
}

/// The response of the list call: one page of rows.
package struct NotificationPage: Sendable, Equatable, Decodable {
    package var rows: [FeedNotification]
    /// Ids of invalid rows, which were left out, for the log.
    package var dropped: [String] = []
    package var total: Int?
    /// Whether `meta` reports further pages; nil: unknown.
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
        // `has_more` is the direct statement; the service's own SDKs also use the page numbers.
        if let value: Bool = meta.value("has_more") {
            hasMore = value
        } else if let current = meta.integer("current_page"), let pages = meta.integer("total_pages") {
            hasMore = current < pages
        }
    }
}

extension NotificationPage {
    /// Removes rows beyond the requested size; the next page has them.
    mutating func cut(to size: Int) {
        guard rows.count > size else { return }
        rows.removeSubrange(size...)
        hasMore = true
    }
}

/// The response of the count call: numbers by name, `badge` among them.
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

/// The response to a change, which is made, whatever the body is.
protocol EmptyAnswer { init() }

/// The response to an event: any JSON object, with or without the event's id.
package struct EventReceipt: Sendable, Equatable, Decodable, EmptyAnswer {
    package var messageID: String?

    package init() {}

    package init(from decoder: any Decoder) throws {
        messageID = try decoder.container(keyedBy: WireKey.self).whole("message_id", Limits.id)
    }
}

/// The response to a change.
package struct Acknowledgement: Sendable, Equatable, Decodable, EmptyAnswer {
    package init() {}

    package init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: WireKey.self) }
}
