import ClientKit

/// The calls of the REST API (v1), as values (MagicBell's documentation, "REST API").
package enum RESTCalls {
    package static func list(_ predicate: StorePredicate, page: Int, size: Int) -> APICall {
        var call = APICall(
            .get,
            ["notifications"],
            query: predicate.filters + [QueryItem("per_page", "\(size)"), QueryItem("page", "\(page)")]
        )
        call.maximumBodySize = Limits.listBody
        call.isDivisible = size > 1
        return call
    }

    package static func notification(_ id: String) -> APICall {
        var call = APICall(.get, ["notifications", id])
        call.maximumBodySize = Limits.listBody
        return call
    }

    package static func delete(_ id: String) -> APICall { APICall(.delete, ["notifications", id]) }

    /// Nil: the API has no such call.
    package static func change(_ id: String, to change: StateChange) -> APICall? {
        switch change {
        case .seen: nil
        case .read: APICall(.post, ["notifications", id, "read"])
        case .unread: APICall(.post, ["notifications", id, "unread"])
        case .archived: APICall(.post, ["notifications", id, "archive"])
        case .unarchived: APICall(.delete, ["notifications", id, "archive"])
        }
    }

    /// Nil: the API has no such call.
    package static func changeAll(_ predicate: StorePredicate, to change: StateChange) -> APICall? {
        switch change {
        case .seen: APICall(.post, ["notifications", "seen"], query: predicate.filters)
        case .read: APICall(.post, ["notifications", "read"], query: predicate.filters)
        case .unread, .archived, .unarchived: nil
        }
    }

    package static let configuration = APICall(.get, ["config"])

    /// The request for Ably's token, as Ably's libraries send it to an authorization URL.
    package static let realtimeToken: APICall = {
        var call = APICall(.post, ["ws", "auth"], query: [QueryItem("format", "json")])
        call.body = .emptyForm
        return call
    }()

    package static func registerInboxToken(_ token: String) -> APICall {
        var call = APICall(
            .post,
            ["channels", "in_app", "inbox", "tokens"],
            body: ["inbox": ["token": .string(token)]]
        )
        call.secrets = [token]
        return call
    }

    package static let preferences: APICall = withVersion(APICall(.get, ["notification_preferences"]))

    /// The header that selects the newer form is also sent with the older one: the service that does not know the
    /// newer form does not know the header.
    package static func updatePreferences(
        _ changes: NotificationPreferences,
        _ form: NotificationPreferences.Form
    ) -> APICall {
        withVersion(APICall(.put, ["notification_preferences"], body: changes.body(form)))
    }

    private static func withVersion(_ call: APICall) -> APICall {
        var call = call
        call.headers = [HTTPField("accept-version", "v2")]
        return call
    }

    package static func register(_ token: PushToken) -> APICall {
        var call = APICall(.post, token.kind.collection, body: token.wrappedPayload)
        call.secrets = token.secrets
        return call
    }

    /// Removes a device by its token.
    package static func unregister(_ token: PushToken) -> APICall {
        var call = APICall(.delete, token.kind.collection + [token.address])
        call.secrets = token.secrets
        return call
    }

    package static func tokens(_ kind: PushToken.Kind) -> APICall { APICall(.get, kind.collection) }

    /// Removes a device by the service's id of its token.
    package static func removeToken(_ id: String, _ kind: PushToken.Kind) -> APICall {
        APICall(.delete, kind.collection + [id])
    }

    package static let webPushKey = APICall(
        .post,
        ["integrations", "web_push", "installations", "start"],
        body: [:]
    )
}

extension StorePredicate {
    /// The filters of the REST API. `archived` is always sent: without it, archived notifications are included.
    ///
    /// Several categories or topics are separated by commas. The service may ignore them, so the answer is filtered
    /// again. A comma in a name cannot be written: then nothing is sent and the answer is filtered.
    fileprivate var filters: QueryItems {
        var query: QueryItems = []
        if let read { query.append(QueryItem("read", "\(read)")) }
        if let seen { query.append(QueryItem("seen", "\(seen)")) }
        query.append(QueryItem("archived", "\(archived)"))
        query += Self.filter("category", "categories", categories)
        query += Self.filter("topic", "topics", topics)
        return query
    }

    private static func filter(_ one: String, _ several: String, _ values: [String]) -> QueryItems {
        if values.count == 1 { return [QueryItem(one, values[0])] }
        guard !values.isEmpty, !values.contains(where: { $0.contains(",") }) else { return [] }
        return [QueryItem(several, values.joined(separator: ","))]
    }

    /// Predicates with at most one category and topic each, which together select the same: every notification that
    /// matches this one matches exactly one of them. Nil: too many.
    func divided() -> [StorePredicate]? {
        let categories = categories.isEmpty ? [[]] : categories.map { [$0] }
        let topics = topics.isEmpty ? [[]] : topics.map { [$0] }
        guard categories.count * topics.count <= Self.mostParts else { return nil }
        return categories.flatMap { category in
            topics.map { topic in
                StorePredicate(read: read, seen: seen, archived: archived, categories: category, topics: topic)
            }
        }
    }

    private static let mostParts = 20
}
