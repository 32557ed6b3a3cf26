import Basics
import ClientKit
import FoundationEssentials
import Logging
import MagicBell

/// A user's HMAC.
struct UserHMAC: ExpiringToken {
    let rawValue: String
    /// It does not expire.
    var expiresOn: Date? { nil }
}

/// The REST API with an HMAC from a source, which is read before the first call, and again when the service refuses
/// the credentials.
struct HMACAuthorizedAPI: InboxAPI {
    private let api: any InboxAPI
    private let source: RefreshedToken<UserHMAC, MagicBellError>
    private let use: @Sendable (String) throws(MagicBellError) -> Void

    /// - Parameters:
    ///   - api: The API without the HMAC.
    ///   - read: Reads the HMAC.
    ///   - use: Later calls of `api` use this HMAC.
    init(
        _ api: any InboxAPI,
        environment: ClientEnvironment,
        logger: Logger,
        reading read: @escaping @Sendable () async throws -> String,
        use: @escaping @Sendable (String) throws(MagicBellError) -> Void
    ) {
        self.api = api
        self.use = use
        source = RefreshedToken(
            provider: { _ in try await read() },
            rules: .init(
                read: { UserHMAC(rawValue: $0) },
                failure: { MagicBellError(.unauthorized, "The user's HMAC could not be read: \($0)") },
                cancellation: MagicBellError(.cancelled, "The call was cancelled."),
                accepted: { _ in }
            ),
            now: environment.now,
            clock: environment.clock,
            logger: logger
        )
    }

    private func authorized<Result>(
        _ call: () async throws(MagicBellError) -> Result
    ) async throws(MagicBellError) -> Result {
        let first = try await source.current()
        if let first { try use(first.rawValue) }
        do { return try await call() } catch {
            guard error.kind == .unauthorized, let other = try await source.replacement(for: first?.rawValue) else {
                throw error
            }
            try use(other.rawValue)
            return try await call()
        }
    }

    var capabilities: APICapabilities { api.capabilities }

    func renewCredentials() { source.renew() }

    func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage {
        try await authorized { () async throws(MagicBellError) in
            try await api.page(of: predicate, after: cursor, size: size, showPart: showPart)
        }
    }

    func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts {
        try await authorized { () async throws(MagicBellError) in try await api.counts(of: predicate) }
    }

    func notification(_ id: String) async throws(MagicBellError) -> InboxNotification {
        try await authorized { () async throws(MagicBellError) in try await api.notification(id) }
    }

    func change(_ id: String, to change: StateChange) async throws(MagicBellError) {
        try await authorized { () async throws(MagicBellError) in try await api.change(id, to: change) }
    }

    func delete(_ id: String) async throws(MagicBellError) {
        try await authorized { () async throws(MagicBellError) in try await api.delete(id) }
    }

    func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError) {
        try await authorized { () async throws(MagicBellError) in try await api.changeAll(predicate, to: change) }
    }

    func configuration() async throws(MagicBellError) -> UserConfiguration? {
        try await authorized { () async throws(MagicBellError) in try await api.configuration() }
    }

    func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization {
        try await authorized { () async throws(MagicBellError) in try await api.realtimeTokenRequest() }
    }

    func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration {
        try await authorized { () async throws(MagicBellError) in try await api.registerInboxToken(token) }
    }

    func preferences() async throws(MagicBellError) -> NotificationPreferences {
        try await authorized { () async throws(MagicBellError) in try await api.preferences() }
    }

    func updatePreferences(
        _ changes: NotificationPreferences
    ) async throws(MagicBellError) -> NotificationPreferences? {
        try await authorized { () async throws(MagicBellError) in try await api.updatePreferences(changes) }
    }

    func subscribe(
        to topic: String,
        categories: [String],
        reason: String?
    ) async throws(MagicBellError) -> TopicSubscription {
        try await authorized { () async throws(MagicBellError) in
            try await api.subscribe(to: topic, categories: categories, reason: reason)
        }
    }

    func unsubscribe(from topic: String, categories: [String]) async throws(MagicBellError) -> TopicSubscription {
        try await authorized { () async throws(MagicBellError) in
            try await api.unsubscribe(from: topic, categories: categories)
        }
    }

    func register(_ token: PushToken) async throws(MagicBellError) {
        try await authorized { () async throws(MagicBellError) in try await api.register(token) }
    }

    func unregister(_ token: PushToken) async throws(MagicBellError) {
        try await authorized { () async throws(MagicBellError) in try await api.unregister(token) }
    }
}
