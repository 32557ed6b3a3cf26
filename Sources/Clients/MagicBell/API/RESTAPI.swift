import Basics
import ClientKit
import Logging
import Synchronization

/// The REST API (v1) with a project's API key and a user's identity, or with a user token.
package final class RESTAPI: InboxAPI {
    let service: APIClient
    /// How the service writes preferences, as far as it has answered.
    private let preferencesForm = Mutex(NotificationPreferences.Form.list)

    package init(_ authorization: UserAuthorization, context: RequestContext) {
        service = APIClient(generation: .rest, context: context, authorization: authorization)
    }

    package convenience init(_ credentials: UserCredentials, context: RequestContext) {
        self.init(UserAuthorization(credentials, context: context), context: context)
    }

    package let capabilities: APICapabilities = [.totalCount, .unseenCount, .delete, .filtersAll, .ably, .topics]

    package func renewCredentials() { service.authorization.renew() }

    // MARK: Notifications

    package func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage {
        try ArgumentCheck.checkPageSize(size)
        let number: Int
        switch cursor {
        case nil:
            number = 1
            service.pageLimit.startOver()
        case .page(let next): number = next
        case .after, .afterEach: throw .foreignCursor
        }
        while true {
            let length = min(size, service.pageLimit.rows)
            do {
                return length == size
                    ? try await shortPage(number, size: size, of: predicate)
                    : try await longPage(number, size: size, of: predicate, in: length, showPart: showPart)
            } catch {
                guard service.shortensPages(length, after: error) else { throw error }
            }
        }
    }

    /// One page with one request.
    private func shortPage(_ number: Int, size: Int, of predicate: StorePredicate) async throws(MagicBellError)
        -> StorePage
    {
        let list: NotificationList = try await service.send(
            RESTCalls.list(predicate, page: number, size: size)
        )
        service.logIgnored(list.dropped)
        return list.page(number, size: size, of: predicate)
    }

    /// One page, put together from pages of `length`: it may overlap with those before and after it.
    private func longPage(
        _ number: Int,
        size: Int,
        of predicate: StorePredicate,
        in length: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage {
        let start = (number - 1) * size
        let last = (start + size - 1) / length + 1
        var short = start / length + 1
        var page = try await shortPage(short, size: length, of: predicate)
        var total = page.counts.total
        while page.next != nil, short < last {
            await showPart(page)
            short += 1
            let part = try await shortPage(short, size: length, of: predicate)
            if let before = total, let present = part.counts.total, present < before {
                // Some have left the list, so that as many of the next ones are on earlier pages.
                short = max(0, short - (before - present + length - 1) / length - 1)
            }
            total = part.counts.total
            // Which of the notifications had changed when they were counted is unknown.
            if part.counts != page.counts { page.counts = StoreCounts() }
            let known = Set(page.notifications.map(\.id))
            page.notifications += part.notifications.filter { !known.contains($0.id) }
            page.next = part.next
        }
        page.notifications = page.notifications.newestFirst
        if page.next != nil { page.next = .page(number + 1) }
        return page
    }

    package func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts {
        // The service may ignore several categories or topics, so that its counts would be those of all.
        guard let parts = predicate.divided() else { return StoreCounts() }
        var sum = StoreCounts(total: 0, unread: 0, unseen: 0)
        for part in parts {
            let list: NotificationList = try await service.send(RESTCalls.list(part, page: 1, size: 1))
            sum += list.counts
        }
        return sum
    }

    package func notification(_ id: String) async throws(MagicBellError) -> InboxNotification {
        try ArgumentCheck.checkID(id)
        return try await service.notification(RESTCalls.notification(id))
    }

    package func change(_ id: String, to change: StateChange) async throws(MagicBellError) {
        try ArgumentCheck.checkID(id)
        guard let call = RESTCalls.change(id, to: change) else {
            throw .unsupported("marking one notification as seen", by: service.generation.name)
        }
        try await service.send(call)
    }

    package func delete(_ id: String) async throws(MagicBellError) {
        try ArgumentCheck.checkID(id)
        try await service.sendRemoval(RESTCalls.delete(id))
    }

    package func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError) {
        try await service.changeAll(predicate) { RESTCalls.changeAll($0, to: change) }
    }

    // MARK: Realtime

    package func configuration() async throws(MagicBellError) -> UserConfiguration? {
        try await service.send(RESTCalls.configuration, as: UserConfiguration.Answer.self).configuration
    }

    package func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization {
        let response = try await service.response(to: RESTCalls.realtimeToken)
        guard let authorization = AblyAuthorization(response) else {
            throw MagicBellError(
                .unexpectedAnswer,
                "MagicBell's answer is not an authorization for Ably (status \(response.status)).",
                status: response.status
            )
        }
        return authorization
    }

    package func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration {
        try await service.registerInboxToken(RESTCalls.registerInboxToken(token))
    }

    // MARK: Preferences

    package func preferences() async throws(MagicBellError) -> NotificationPreferences {
        note(try await service.send(RESTCalls.preferences))
    }

    package func updatePreferences(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences? {
        let form = preferencesForm.withLock(\.self)
        let response = try await service.response(to: RESTCalls.updatePreferences(changes, form))
        // The change is made, whatever the answer.
        return (try? service.contents(of: response)).map { note($0) }
    }

    private func note(_ answer: NotificationPreferences.Answer) -> NotificationPreferences {
        preferencesForm.withLock { $0 = answer.form == .map ? .map : .list }
        return answer.preferences
    }

    // MARK: Push tokens

    package func register(_ token: PushToken) async throws(MagicBellError) {
        try service.check(token, isOneOf: PushToken.Kind.restRegistered)
        try await service.send(RESTCalls.register(token))
    }

    /// Removes the device by its token, and a browser by the service's id, which the list tells.
    package func unregister(_ token: PushToken) async throws(MagicBellError) {
        try service.check(token, isOneOf: PushToken.Kind.restRegistered)
        guard token.kind == .webPush else { return try await service.sendRemoval(RESTCalls.unregister(token)) }
        for entry in try await entries(.webPush) where entry.names(token) {
            try await service.sendRemoval(RESTCalls.removeToken(entry.id, .webPush))
        }
    }

    package func tokens() async throws(MagicBellError) -> [RegisteredToken] {
        var tokens: [RegisteredToken] = []
        for kind in PushToken.Kind.restListed { tokens += try await entries(kind).map { $0.token(kind) } }
        return tokens
    }

    private func entries(_ kind: PushToken.Kind) async throws(MagicBellError) -> [PushTokenList.Entry] {
        try await service.send(RESTCalls.tokens(kind), as: PushTokenList.self).tokens
    }

    package func delete(_ token: RegisteredToken) async throws(MagicBellError) {
        switch (token.kind, token.token) {
        case (.webPush, _):
            try ArgumentCheck.checkID(token.id)
            try await service.sendRemoval(RESTCalls.removeToken(token.id, token.kind))
        case (_, let token?): try await unregister(token)
        case (_, nil): throw .unsupported("deleting this token", by: service.generation.name)
        }
    }

    package func webPushKey() async throws(MagicBellError) -> String {
        try await service.send(RESTCalls.webPushKey, as: WebPushKey.self).publicKey
    }
}

extension NotificationList {
    /// The part of page `number` that matches `predicate`.
    func page(_ number: Int, size: Int, of predicate: StorePredicate) -> StorePage {
        let matching = notifications.filter(predicate.matches)
        let hasMore: Bool =
            if received == 0 { false } else if let totalPages {
                currentPage ?? number < totalPages
            } else if let total = counts.total {
                number.multipliedReportingOverflow(by: size).partialValue < total
            } else { received >= size }
        return StorePage(
            matching.newestFirst,
            // The service ignored a filter: these are the counts of another list.
            counts: matching.count == notifications.count ? counts : StoreCounts(),
            next: hasMore && number < Int(Int32.max) ? .page(number + 1) : nil
        )
    }
}
