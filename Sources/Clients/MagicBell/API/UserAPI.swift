import ClientKit

/// The user API (v2) with a user token.
package final class UserAPI: InboxAPI {
    private let service: APIClient

    package init(_ authorization: UserAuthorization, context: RequestContext) {
        service = APIClient(generation: .user, context: context, authorization: authorization)
    }

    package convenience init(_ credentials: UserCredentials, context: RequestContext) {
        self.init(UserAuthorization(credentials, context: context), context: context)
    }

    package let capabilities: APICapabilities = [.seen, .archiveAll]

    package func renewCredentials() { service.authorization.renew() }

    // MARK: Notifications

    package func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage {
        try ArgumentCheck.checkPageSize(size)
        if cursor == nil { service.pageLimit.startOver() }
        var assembly = try PageAssembly(predicate, after: cursor, size: size)
        assembly.limit(to: service.pageLimit.rows)
        while let (number, query) = assembly.nextQuery {
            let chunk: NotificationChunk
            do {
                chunk = try await service.send(UserCalls.list(query))
            } catch {
                // A query may ask for more than the page has.
                let asked = query.limit > size ? max(2, size) : query.limit
                guard service.shortensPages(asked, after: error) else { throw error }
                assembly.limit(to: service.pageLimit.rows)
                continue
            }
            service.logIgnored(chunk.dropped)
            assembly.add(chunk, for: number)
            if query.limit < size, assembly.nextQuery != nil { await showPart(assembly.page) }
        }
        return assembly.page
    }

    /// The service counts unread notifications only: the other counts follow from it, or are unknown.
    package func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts {
        // Reading also sees.
        var counts = StoreCounts()
        if predicate.read == true { counts.unread = 0 }
        if predicate.read == true || predicate.seen == true { counts.unseen = 0 }
        guard !predicate.archived, predicate.read != true, predicate.seen == nil, let parts = predicate.divided()
        else { return counts }
        var unread = 0
        for part in parts {
            let call = UserCalls.unreadCount(category: part.categories.first, topic: part.topics.first)
            unread += try await service.send(call, as: UnreadCount.self).count
        }
        counts.unread = unread
        if predicate.read == false { counts.total = unread }
        return counts
    }

    package func notification(_ id: String) async throws(MagicBellError) -> InboxNotification {
        try ArgumentCheck.checkID(id)
        return try await service.notification(UserCalls.notification(id))
    }

    package func change(_ id: String, to change: StateChange) async throws(MagicBellError) {
        try ArgumentCheck.checkID(id)
        try await service.send(UserCalls.change(id, to: change))
    }

    package func delete(_ id: String) async throws(MagicBellError) {
        throw .unsupported("deleting notifications", by: service.generation.name)
    }

    package func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError) {
        try await service.changeAll(predicate) { part in
            UserCalls.changeAll(category: part.categories.first, topic: part.topics.first, to: change)
        }
    }

    // MARK: Realtime

    package func configuration() async throws(MagicBellError) -> UserConfiguration? { nil }

    package func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization {
        throw .unsupported("events through Ably", by: service.generation.name)
    }

    package func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration {
        try await service.registerInboxToken(UserCalls.registerInboxToken(token))
    }

    /// Deletes the token by the service's id, which the list contains.
    package func deleteInboxToken(_ token: String) async throws(MagicBellError) {
        let entries = try await entries { UserCalls.inboxTokens(after: $0) }
        for entry in entries where entry.isInboxToken(token) {
            try await service.sendRemoval(UserCalls.deleteInboxToken(entry.id))
        }
    }

    // MARK: Preferences

    package func preferences() async throws(MagicBellError) -> NotificationPreferences {
        try await service.send(UserCalls.preferences, as: NotificationPreferences.self)
    }

    package func updatePreferences(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences? {
        let response = try await service.response(to: UserCalls.updatePreferences(changes))
        // Mostly without contents (204). The change is made, whatever the answer.
        return try? service.contents(of: response)
    }

    // MARK: Push tokens

    package func register(_ token: PushToken) async throws(MagicBellError) {
        try service.check(token, isOneOf: PushToken.Kind.user)
        try await service.send(UserCalls.register(token))
    }

    /// Removes the device by the service's id of its token, which the list tells.
    package func unregister(_ token: PushToken) async throws(MagicBellError) {
        try service.check(token, isOneOf: PushToken.Kind.user)
        for entry in try await entries(token.kind) where entry.names(token) {
            try await service.sendRemoval(UserCalls.removeToken(entry.id, token.kind))
        }
    }

    package func tokens() async throws(MagicBellError) -> [RegisteredToken] {
        var tokens: [RegisteredToken] = []
        for kind in PushToken.Kind.user { tokens += try await entries(kind).map { $0.token(kind) } }
        return tokens
    }

    private func entries(_ kind: PushToken.Kind) async throws(MagicBellError) -> [PushTokenList.Entry] {
        try await entries { UserCalls.tokens(kind, after: $0) }
    }

    /// - Parameter page: The request for the tokens after the one with this id.
    private func entries(_ page: (String?) -> APICall) async throws(MagicBellError) -> [PushTokenList.Entry] {
        var entries: [PushTokenList.Entry] = []
        for _ in 0..<Self.mostTokenPages {
            let last = entries.last?.id
            let list: PushTokenList = try await service.send(page(last))
            entries += list.tokens
            if !list.hasMore || entries.last?.id == last { break }
        }
        return entries
    }

    package func delete(_ token: RegisteredToken) async throws(MagicBellError) {
        try ArgumentCheck.checkID(token.id)
        try service.check(token.kind, isOneOf: PushToken.Kind.user)
        try await service.sendRemoval(UserCalls.removeToken(token.id, token.kind))
    }

    package func webPushKey() async throws(MagicBellError) -> String {
        try await service.send(UserCalls.webPushKey, as: WebPushKey.self).publicKey
    }

    /// The maximum number of pages of one kind.
    private static let mostTokenPages = 10
}
