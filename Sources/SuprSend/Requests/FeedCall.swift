import Basics
import ClientKit
import FoundationEssentials

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
            if !store.isDefault { query.append(("store", json(StoreParameter(store)))) }
            query.append(("search_after", cursor.map { "[\($0.isPinned ? 1 : 0),\($0.created.milliseconds)]" } ?? "[]"))
            return query
        case .count(let stores?): return [("stores", json(stores.map(StoreParameter.init)))]
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
        case .markBulkSeen(let ids): json(["notification_ids": ids])
        default: "{}"
        }
    }
}

/// A store in the service's form: the label is not sent, the two `or` lists always are.
private struct StoreParameter: Encodable {
    struct Query: Encodable {
        struct Operator: Encodable { var or: [String] }
        var read: Bool?
        var archived: Bool?
        var tags: Operator
        var categories: Operator
    }
    enum CodingKeys: String, CodingKey {
        case storeID = "store_id"
        case query
    }
    var storeID: String
    var query: Query

    init(_ store: NotificationStore) {
        storeID = store.id
        query = Query(
            read: store.query.read,
            archived: store.query.archived,
            tags: .init(or: store.query.tags),
            categories: .init(or: store.query.categories)
        )
    }
}

/// Compact JSON. The values here are strings, booleans and lists of them, whose encoding cannot fail.
private func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { preconditionFailure("unencodable parameter") }
    return String(decoding: data, as: UTF8.self)
}
