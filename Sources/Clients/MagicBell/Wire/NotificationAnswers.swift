import ClientKit

/// A page of the REST API's list (v1).
package struct NotificationList: Sendable, Equatable, Decodable {
    package var notifications: [InboxNotification]
    /// Ids of invalid notifications, which were left out, for the log.
    package var dropped: [String]
    /// How many the page has with the invalid ones.
    package var received: Int
    /// Of what matches the request's filters. Nil: unknown.
    package var counts: StoreCounts
    package var currentPage: Int?
    package var totalPages: Int?

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let list = try body.decode(NotificationArray.self, forKey: "notifications")
        (notifications, dropped, received) = (list.notifications, list.dropped, list.received)
        counts = StoreCounts(
            total: body.count("total"),
            unread: body.count("unread_count"),
            unseen: body.count("unseen_count")
        )
        currentPage = body.count("current_page")
        totalPages = body.count("total_pages")
    }
}

/// A page of the user API's list (v2).
package struct NotificationChunk: Sendable, Equatable, Decodable {
    package var notifications: [InboxNotification]
    /// Ids of invalid notifications, which were left out, for the log.
    package var dropped: [String]
    /// How many the page has with the invalid ones.
    package var received: Int
    /// Whether there are further pages; nil: unknown.
    package var hasMore: Bool?

    package init(_ notifications: [InboxNotification], hasMore: Bool?) {
        self.notifications = notifications
        self.hasMore = hasMore
        dropped = []
        received = notifications.count
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        let list = try body.decode(NotificationArray.self, forKey: "data")
        (notifications, dropped, received) = (list.notifications, list.dropped, list.received)
        if list.isCut {
            hasMore = true
            return
        }
        guard let links = try? body.nestedContainer(keyedBy: WireKey.self, forKey: "links"), links.contains("next")
        else { return }
        hasMore = links.value("next", as: JSONValue.self).map { $0 != .null } ?? false
    }
}

/// At most ``Limits/page`` notifications.
private struct NotificationArray: Decodable {
    var notifications: [InboxNotification]
    var dropped: [String]
    var received: Int
    /// Whether the page has more of them.
    var isCut: Bool

    init(from decoder: any Decoder) throws {
        let array = try LossyArray<InboxNotification>(from: decoder)
        notifications = Array(array.elements.prefix(Limits.page))
        dropped = array.dropped
        received = try decoder.unkeyedContainer().count ?? array.elements.count
        isCut = array.elements.count > Limits.page
    }
}

/// One notification: wrapped in `notification` by the REST API, bare by the user API.
package struct SingleNotification: Sendable, Equatable, Decodable {
    package var notification: InboxNotification

    package init(from decoder: any Decoder) throws {
        notification = try decoder.wrapped(in: "notification")
    }
}

/// The number of unread notifications (v2).
package struct UnreadCount: Sendable, Equatable, Decodable {
    package var count: Int

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: WireKey.self)
        count = try body.required("count", body.count("count"))
    }
}
