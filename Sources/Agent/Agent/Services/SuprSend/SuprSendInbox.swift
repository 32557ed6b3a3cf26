package import Basics
package import ClientKit
package import Inbox
import SuprSend

/// A SuprSend feed as an inbox.
package struct SuprSendInbox: SupervisedInbox {
    package let capabilities: Capabilities = [
        .archive, .seen, .pinOrder, .serverBadge, .tabs, .preferences, .categoryPreferences, .channelLevels, .digest,
        .properties,
    ]
    package let rules: ServiceRules = Self.rules
    static let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        channelSwitchesCategoryOn: true,
        seenAtOnce: 100,
        preferenceDelay: .seconds(1)
    )
    package let preferences: (any PreferencesService)?
    package let tabs: [InboxTab]
    package let pageSize: Int
    private let client: SuprSendClient
    private let feed: Feed
    /// nil: the account has no token.
    package let token: AccountToken?
    /// Advice to the user when the service refuses the token.
    private let cure: String?
    private let hasReplaceableToken: Bool
    private let environment: ServiceEnvironment
    package let link = ConnectionSupervisor()

    /// - Parameters:
    ///   - language: The language of the preferences' names; nil: the service's default.
    ///   - preferenceTags: Which categories of preferences there are; nil: all.
    ///   - token: The client's token; nil: it has none.
    ///   - cure: Advice to the user when the service refuses the token.
    ///   - hasReplaceableToken: Whether that is `feedbell accounts token`.
    init(
        client: SuprSendClient,
        feed: Feed,
        tabs: [InboxTab],
        pageSize: Int,
        language: String?,
        preferenceTags: PreferenceTags? = nil,
        token: AccountToken? = nil,
        cure: String? = nil,
        hasReplaceableToken: Bool = false,
        environment: ServiceEnvironment
    ) {
        self.client = client
        self.tabs = tabs
        self.pageSize = pageSize
        preferences = SuprSendPreferences(client.preferenceCalls, language: language, tags: preferenceTags)
        self.feed = feed
        self.token = token
        self.cure = cure
        self.hasReplaceableToken = hasReplaceableToken
        self.environment = environment
    }

    package func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async {
        await feed.resume(after: marks.watermark, announced: marks.shown.keys.map(\.rawValue))
        await feed.observe { self.observe($0, report) }
        await supervise(now: environment.now, report) { await feed.run() }
        // The observer retains the account.
        await feed.observe(nil)
    }

    private func observe(_ update: FeedUpdate, _ report: (ServiceEvent) -> Void) {
        switch update {
        case .contents(let contents): report(.contents(InboxUpdate(contents)))
        case .report(.announced(let row, let isCatchUp)):
            report(.arrived([Notification(row)], isCatchUp: isCatchUp))
        case .report(.changed(let row)): report(.updated(Notification(row)))
        case .report(.seen(let ids)): report(.seen(ids.map { NotificationID($0) }))
        case .report(.allRead): report(.allRead)
        case .caughtUp(let newest): report(.caughtUp(clamped(newest)))
        case .connection(let state): report(.connection(connection(state)))
        }
    }

    /// The service's clock may be wrong: a watermark in the future would suppress all notifications until then.
    private func clamped(_ moment: Timestamp) -> Timestamp {
        let now = environment.now()
        return moment < now.advanced(milliseconds: 86_400_000) ? moment : now
    }

    package func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ServiceFailure) {
        do throws(SuprSendError) {
            switch made.change {
            case .interacted(let id): try await feed.send(.markAsInteracted(id.rawValue))
            case .seen(let ids): try await feed.send(.markBulkAsSeen(ids.map(\.rawValue)))
            case .read(let id): try await feed.send(.markAsRead(id.rawValue))
            case .unread(let id): try await feed.send(.markAsUnread(id.rawValue))
            case .archive(let id): try await feed.send(.markAsArchived(id.rawValue))
            case .allRead where isDelayed: try await feed.markAllAsRead(upTo: made.time)
            case .badgeReset where isDelayed:
                try await feed.resetBadgeCount(upTo: made.time)
            case .allRead: try await feed.send(.markAllAsRead)
            case .badgeReset: try await feed.send(.resetBadgeCount)
            case .unarchive, .delete:
                throw SuprSendError(.invalidArgument, "SuprSend does not support this action.")
            }
        } catch {
            throw ServiceFailure(changing: error)
        }
    }

    /// Whether the id has the length and the characters of a ULID.
    package func isID(_ id: NotificationID) -> Bool {
        let bytes = id.rawValue.utf8
        return bytes.count == 26 && bytes.allSatisfy { (48...57).contains($0) || (65...90).contains($0 & 0xDF) }
    }

    package func notification(_ id: NotificationID) async throws(ServiceFailure) -> Notification {
        do { return Notification(try await feed.fetchDetails(id.rawValue)) } catch { throw ServiceFailure(error) }
    }

    package var serviceTime: Timestamp { get async { await feed.serviceTime } }

    package func newest() async throws(ServiceFailure) -> (notifications: [Notification], isAll: Bool) {
        do {
            let page = try await feed.newestPage()
            return (page.rows.map(Notification.init), !page.hasFurther)
        } catch {
            throw ServiceFailure(error)
        }
    }

    package func page(
        of predicate: InboxPredicate,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool
    ) async throws(ServiceFailure) -> ViewPage {
        let cursor = place.map { PageCursor(isPinned: $0.isPinned, created: $0.time) }
        do {
            let page = try await feed.page(
                of: NotificationStore.Query(predicate),
                size: min(size, 100),
                after: skipsTies ? cursor : cursor?.overlapping
            )
            return ViewPage(page.rows.map(Notification.init), hasMore: page.hasFurther)
        } catch {
            throw ServiceFailure(error)
        }
    }

    package func refresh() async throws(ServiceFailure) {
        do { try await feed.refresh() } catch { throw ServiceFailure(error) }
    }

    package func reconnect() async {
        await environment.keyring.allowPrompts()
        client.renewUserToken()
        token?.restart()
        if link.isSuspended { await link.restart() } else { await feed.reconnect() }
    }

    package func wallClockChanged(by change: Duration) async { await client.wallClockChanged(by: change) }

    private func connection(_ state: ConnectionState) -> Connection {
        let now = environment.now()
        var connection = Connection(state, now: now)
        if case .unauthorized(let error) = state, error.kind == .unauthorized, let cure,
            error.isTokenRefused || error.status != nil
        {
            // The realtime server returns no HTTP status.
            connection.failure?.sentence = "SuprSend no longer accepts your token (\(error.status ?? 401)). \(cure)"
            connection.failure?.needsNewToken = hasReplaceableToken
        }
        return supervised(connection, now: now)
    }
}

extension Connection {
    fileprivate init(_ state: ConnectionState, now: Timestamp) {
        switch state {
        // Without an error, no attempt was made yet.
        case .connecting, .offline(nil, _): self.init(state: .connecting, since: now)
        case .offline(let error?, let next):
            self.init(
                state: .offline,
                since: now,
                nextAttempt: next.map { Timestamp($0) },
                failure: ServiceFailure(error)
            )
        case .online(let since): self.init(state: .online, since: Timestamp(since))
        case .unauthorized(let error): self.init(state: .unauthorized, since: now, failure: ServiceFailure(error))
        }
    }
}
