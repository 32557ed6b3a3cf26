import Basics
import ClientKit

/// The calls of the feed as values: method, path, query, body.
package enum FeedCall: ServiceCall, Equatable {
    case list(pageSize: Int, store: NotificationStore, after: PageCursor?)
    case count(stores: [NotificationStore]?)
    case details(id: String)
    case markSeen(id: String)
    case markRead(id: String)
    case markUnread(id: String)
    case markInteracted(id: String)
    case archive(id: String)
    case markBulkSeen(ids: [String])
    case markAllRead
    case resetBadge

    package var method: String {
        switch self {
        case .list, .count, .details: "GET"
        case .markBulkSeen: "POST"
        default: "PATCH"
        }
    }

    package var isDivisible: Bool { if case .list(let size, _, _) = self { size > 1 } else { false } }

    /// Below `/v1/feed/`, encoded.
    private var path: String {
        switch self {
        case .list: "notifications"
        case .count: "notifications_count"
        case .details(let id): "notifications/\(id.percentEncoded)"
        case .markSeen(let id): "notifications/\(id.percentEncoded)/seen"
        case .markRead(let id): "notifications/\(id.percentEncoded)/read"
        case .markUnread(let id): "notifications/\(id.percentEncoded)/unread"
        case .markInteracted(let id): "notifications/\(id.percentEncoded)/interacted"
        case .archive(let id): "notifications/\(id.percentEncoded)/archive"
        case .markBulkSeen: "bulk/notifications/seen"
        case .markAllRead: "mark_all_read"
        case .resetBadge: "reset_bell_count"
        }
    }

    /// Query parameters besides user and tenant, not yet encoded.
    private var query: Query {
        switch self {
        case .list(let pageSize, let store, let cursor):
            var query: Query = [("page_size", "\(pageSize)")]
            if !store.isDefault { query.append(("store", store.parameter.text)) }
            query.append(("search_after", cursor.map { "[\($0.isPinned ? 1 : 0),\($0.created.milliseconds)]" } ?? "[]"))
            return query
        case .count(let stores?): return [("stores", JSONValue.array(stores.map(\.parameter)).text)]
        default: return []
        }
    }

    /// The URL, always with user and tenant; without a trailing slash, as in the service's own SDKs.
    package func url(in scope: RequestScope) -> String {
        let subject = [("distinct_id", scope.distinctID), ("tenant_id", scope.tenantID ?? "default")]
        return "\(scope.hosts.api)/v1/feed/\(path)\((subject + query).encoded)"
    }

    package var body: String? {
        switch self {
        case .list, .count, .details: nil
        case .markBulkSeen(let ids): JSONValue.object(["notification_ids": .array(ids.map(JSONValue.string))]).text
        default: "{}"
        }
    }
}

extension NotificationStore {
    /// The store in the service's form: the label is not sent, the two `or` lists always are.
    fileprivate var parameter: JSONValue {
        var members: [String: JSONValue] = [
            "tags": ["or": .array(query.tags.map(JSONValue.string))],
            "categories": ["or": .array(query.categories.map(JSONValue.string))],
        ]
        if let read = query.read { members["read"] = .bool(read) }
        if let archived = query.archived { members["archived"] = .bool(archived) }
        return ["store_id": .string(id), "query": .object(members)]
    }
}
