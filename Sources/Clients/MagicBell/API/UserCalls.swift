import ClientKit

/// The calls of the user API (v2), as values (MagicBell's documentation, "User API").
package enum UserCalls {
    package static func list(_ query: ListQuery) -> APICall {
        var call = APICall(.get, ["notifications"], query: query.parameters)
        call.maximumBodySize = Limits.listBody
        call.isDivisible = query.limit > 1
        return call
    }

    package static func notification(_ id: String) -> APICall {
        var call = APICall(.get, ["notifications", id])
        call.maximumBodySize = Limits.listBody
        return call
    }

    package static func change(_ id: String, to change: StateChange) -> APICall {
        let verb =
            switch change {
            case .seen: "seen"
            case .read: "read"
            case .unread: "unread"
            case .archived: "archive"
            case .unarchived: "unarchive"
            }
        return APICall(.post, ["notifications", id, verb])
    }

    /// All notifications of a category and a topic; nil: of any. Nil: the API has no such call.
    package static func changeAll(category: String?, topic: String?, to change: StateChange) -> APICall? {
        let verb: String
        switch change {
        case .seen: verb = "seen"
        case .read: verb = "read"
        case .archived: verb = "archive"
        case .unread, .unarchived: return nil
        }
        return APICall(.post, ["notifications", verb], query: filters(category: category, topic: topic))
    }

    package static func unreadCount(category: String?, topic: String?) -> APICall {
        APICall(.get, ["notifications", "unread", "count"], query: filters(category: category, topic: topic))
    }

    static func filters(category: String?, topic: String?) -> QueryItems {
        [category.map { QueryItem("category", $0) }, topic.map { QueryItem("topic", $0) }].compactMap(\.self)
    }

    private static let inboxTokens = ["channels", "in_app", "inbox", "tokens"]

    package static func registerInboxToken(_ token: String) -> APICall {
        var call = APICall(.put, inboxTokens, body: ["token": .string(token)])
        call.secrets = [token]
        return call
    }

    package static func inboxTokens(after id: String?) -> APICall { tokens(inboxTokens, after: id) }

    package static func deleteInboxToken(_ id: String) -> APICall { APICall(.delete, inboxTokens + [id]) }

    package static let preferences = APICall(.get, ["channels", "user_preferences"])

    package static func updatePreferences(_ changes: NotificationPreferences) -> APICall {
        APICall(.put, ["channels", "user_preferences"], body: changes.body(.keys))
    }

    package static func register(_ token: PushToken) -> APICall {
        var call = APICall(.put, token.kind.collection, body: token.payload)
        call.secrets = token.secrets
        return call
    }

    package static func tokens(_ kind: PushToken.Kind, after id: String?) -> APICall {
        tokens(kind.collection, after: id)
    }

    private static func tokens(_ collection: [String], after id: String?) -> APICall {
        let cursor = id.map { [QueryItem("starting_after", $0)] } ?? []
        return APICall(.get, collection, query: [QueryItem("limit", "\(Limits.page)")] + cursor)
    }

    package static func removeToken(_ id: String, _ kind: PushToken.Kind) -> APICall {
        APICall(.delete, kind.collection + [id])
    }

    package static let webPushKey = APICall(.post, ["integrations", "web_push", "installations", "start"])
}

/// The filters of one list of the user API: one status, one category, one topic at most.
package struct ListQuery: Sendable, Hashable {
    /// A notification's status. It has exactly one.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case unseen, unread, read, archived
    }

    /// Nil: any.
    package var status: Status?
    package var category: String?
    package var topic: String?
    /// The id of the last notification of the page before.
    package var after: String?
    /// The number of notifications.
    package var limit: Int

    package init(
        status: Status? = nil,
        category: String? = nil,
        topic: String? = nil,
        after: String? = nil,
        limit: Int
    ) {
        self.status = status
        self.category = category
        self.topic = topic
        self.after = after
        self.limit = limit
    }

    var parameters: QueryItems {
        var query = [QueryItem("limit", "\(limit)")]
        if let status { query.append(QueryItem("status", status.rawValue)) }
        query += UserCalls.filters(category: category, topic: topic)
        if let after { query.append(QueryItem("starting_after", after)) }
        return query
    }
}
