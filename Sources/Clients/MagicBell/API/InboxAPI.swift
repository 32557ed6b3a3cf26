/// The calls of one user to the service: the REST API with an API key (v1), or the user API with a user token (v2).
///
/// Every call has its own retries for what a retry can mend (MagicBell's documentation, "Rate limits" and "Idempotency
/// keys"), ends at cancellation, and throws a ``MagicBellError``.
package protocol InboxAPI: Sendable {
    var capabilities: APICapabilities { get }

    /// The user asks for another attempt: a token or HMAC that was refused or is missing is requested again before the
    /// next request. Without effect where the credentials do not change.
    func renewCredentials()

    /// One page of what matches `predicate`, newest first; nothing else, also where the service cannot filter.
    ///
    /// Where it cannot, the page may be short or empty although there are further ones: only ``StorePage/next`` tells.
    /// Pages may overlap when notifications come or go between the requests.
    ///
    /// - Parameters:
    ///   - cursor: ``StorePage/next`` of the page before; nil: the first page.
    ///   - size: 1 to 100.
    ///   - showPart: While the page is put together from shorter ones, because the link is slow or the notifications
    ///     are long: called with what is loaded so far, a page that has further ones.
    func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage

    /// How many notifications match `predicate`, without loading them.
    func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts

    /// One notification.
    func notification(_ id: String) async throws(MagicBellError) -> InboxNotification

    /// Changes one notification. Throws `unsupported` without the capability.
    func change(_ id: String, to change: StateChange) async throws(MagicBellError)

    /// Deletes one notification; one that the service does not know is deleted. Throws `unsupported` without the
    /// capability.
    func delete(_ id: String) async throws(MagicBellError)

    /// Changes all notifications that match `predicate` where the service can filter, otherwise more of them: see
    /// ``APICapabilities/filtersAll``. `change` is `seen`, `read` or `archived`. Throws `unsupported` without the
    /// capability, and for more than 20 combinations of category and topic, which need a request each.
    func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError)

    /// The user's configuration at the service, which names the channel of its events; nil: the API has none.
    func configuration() async throws(MagicBellError) -> UserConfiguration?

    /// A request for a token of the Ably service, to be sent there unchanged.
    func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization

    /// Registers `token` for the service's own socket; the token to connect with.
    func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration

    /// Deletes a token of the service's own socket, if the API can; one that the service does not know is deleted.
    func deleteInboxToken(_ token: String) async throws(MagicBellError)

    /// The notification preferences.
    func preferences() async throws(MagicBellError) -> NotificationPreferences

    /// Changes the channels that `changes` contains and nothing else. Returns all preferences afterwards; nil: the API
    /// does not return them.
    func updatePreferences(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences?

    /// Registers a device for push notifications.
    func register(_ token: PushToken) async throws(MagicBellError)

    /// Removes a device; one that the service does not know is removed.
    func unregister(_ token: PushToken) async throws(MagicBellError)

    /// The user's tokens of every kind that the API lists.
    func tokens() async throws(MagicBellError) -> [RegisteredToken]

    /// Deletes one of ``tokens()``; one that the service does not know is deleted.
    func delete(_ token: RegisteredToken) async throws(MagicBellError)

    /// The user's subscriptions to topics.
    func subscriptions() async throws(MagicBellError) -> [TopicSubscription]

    /// The user's subscription to one topic.
    func subscription(to topic: String) async throws(MagicBellError) -> TopicSubscription

    /// Subscribes the user to categories of a topic.
    func subscribe(to topic: String, categories: [String], reason: String?) async throws(MagicBellError)
        -> TopicSubscription

    /// Unsubscribes the user from categories of a topic.
    func unsubscribe(from topic: String, categories: [String]) async throws(MagicBellError) -> TopicSubscription

    /// Deletes the subscription to these categories of a topic, nil: to all; one that the service does not know is
    /// deleted.
    func deleteSubscription(to topic: String, categories: [String]?) async throws(MagicBellError)

    /// The project's public key in base64url that a browser needs for a push subscription (RFC 8292 §3.2).
    func webPushKey() async throws(MagicBellError) -> String
}

extension InboxAPI {
    package func page(of predicate: StorePredicate, after cursor: InboxPageCursor?, size: Int)
        async throws(MagicBellError) -> StorePage
    {
        try await page(of: predicate, after: cursor, size: size) { _ in }
    }

    package func renewCredentials() {}

    /// An API without web push.
    package func webPushKey() async throws(MagicBellError) -> String { throw .unsupported("web push", by: "API") }
}

/// An API that lists no tokens.
extension InboxAPI {
    package func deleteInboxToken(_ token: String) async throws(MagicBellError) {}

    package func tokens() async throws(MagicBellError) -> [RegisteredToken] {
        throw .unsupported("a list of tokens", by: "API")
    }

    package func delete(_ token: RegisteredToken) async throws(MagicBellError) {
        throw .unsupported("a list of tokens", by: "API")
    }
}

/// An API without topics to subscribe to, such as the user API.
extension InboxAPI {
    package func subscriptions() async throws(MagicBellError) -> [TopicSubscription] { throw .noSubscriptions }

    package func subscription(to topic: String) async throws(MagicBellError) -> TopicSubscription {
        throw .noSubscriptions
    }

    package func subscribe(
        to topic: String,
        categories: [String],
        reason: String?
    ) async throws(MagicBellError) -> TopicSubscription { throw .noSubscriptions }

    package func unsubscribe(
        from topic: String,
        categories: [String]
    ) async throws(MagicBellError) -> TopicSubscription { throw .noSubscriptions }

    package func deleteSubscription(to topic: String, categories: [String]?) async throws(MagicBellError) {
        throw .noSubscriptions
    }
}

/// Takes the first notifications of a page that is not loaded completely.
package typealias PartialPages = @Sendable (StorePage) async -> Void

/// The capabilities of an API beyond pages, reading, archiving, preferences and push tokens.
package struct APICapabilities: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Pages and counts contain the total number.
    package static let totalCount = APICapabilities(rawValue: 1 << 0)
    /// Pages and counts contain the number of unseen notifications.
    package static let unseenCount = APICapabilities(rawValue: 1 << 1)
    package static let delete = APICapabilities(rawValue: 1 << 2)
    /// One notification can be marked as seen.
    package static let seen = APICapabilities(rawValue: 1 << 3)
    package static let archiveAll = APICapabilities(rawValue: 1 << 4)
    /// The changes of all notifications obey the whole predicate: otherwise only its categories and topics.
    package static let filtersAll = APICapabilities(rawValue: 1 << 5)
    /// The events come through Ably.
    package static let ably = APICapabilities(rawValue: 1 << 6)
    /// Users can subscribe to topics, and unsubscribe.
    package static let topics = APICapabilities(rawValue: 1 << 7)
}

/// A position in the list of a predicate, for the API that made it.
package enum InboxPageCursor: Sendable, Hashable {
    /// A page number, from 1 (v1).
    case page(Int)
    /// After the notification with this id (v2).
    case after(id: String)
    /// A position in each of the lists that make up the predicate's (v2).
    case afterEach([ListPosition])
}

/// A position in a list of the user API (v2).
package enum ListPosition: Sendable, Hashable {
    case start
    case after(id: String)
    case end
}

/// A page of a list.
package struct StorePage: Sendable, Hashable {
    /// Newest first.
    package var notifications: [InboxNotification]
    package var counts: StoreCounts
    /// nil: there are no further pages.
    package var next: InboxPageCursor?

    package init(
        _ notifications: [InboxNotification],
        counts: StoreCounts = StoreCounts(),
        next: InboxPageCursor? = nil
    ) {
        self.notifications = notifications
        self.counts = counts
        self.next = next
    }
}

/// How many notifications match a predicate, as far as the API tells; nil: it does not.
package struct StoreCounts: Sendable, Hashable {
    package var total: Int?
    package var unread: Int?
    package var unseen: Int?

    package init(total: Int? = nil, unread: Int? = nil, unseen: Int? = nil) {
        self.total = total
        self.unread = unread
        self.unseen = unseen
    }

    /// A notification changed. nil: it did not match, or does not.
    package mutating func adjust(from old: InboxNotification?, to new: InboxNotification?) {
        func step(_ count: inout Int?, _ isCounted: (InboxNotification) -> Bool) {
            let change = (new.map(isCounted) == true ? 1 : 0) - (old.map(isCounted) == true ? 1 : 0)
            count = count.map { max(0, $0 + change) }
        }
        step(&total) { _ in true }
        step(&unread) { !$0.isRead }
        step(&unseen) { !$0.isSeen }
    }

    /// A notification changed; `predicate` selects what is counted. nil: it is new, or was deleted.
    package mutating func adjust(from old: InboxNotification?, to new: InboxNotification?, of predicate: StorePredicate)
    {
        func matching(_ row: InboxNotification?) -> InboxNotification? {
            row.flatMap { predicate.matches($0) ? $0 : nil }
        }
        adjust(from: matching(old), to: matching(new))
    }

    /// All of them were read or seen.
    package mutating func clear(_ change: StateChange) {
        unseen = unseen.map { _ in 0 }
        if change == .read { unread = unread.map { _ in 0 } }
    }
}
