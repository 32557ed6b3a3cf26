import Basics
import ClientKit
import Logging
import Synchronization

// Parts that both APIs share.

extension APIClient {
    /// Sends a call that removes something; if the service does not know it, it counts as removed.
    func sendRemoval(_ call: APICall) async throws(MagicBellError) {
        do { try await send(call) } catch {
            guard error.kind == .notFound else { throw error }
        }
    }

    /// Changes all notifications that match, with one request for each category and topic: the service may ignore
    /// several in one request, and would then change all notifications.
    ///
    /// - Parameter call: The request for the part of the notifications with one category and topic; nil: there is none.
    func changeAll(_ predicate: StorePredicate, by call: (StorePredicate) -> APICall?) async throws(MagicBellError) {
        guard let parts = predicate.divided() else { throw .tooManyFilters }
        for part in parts {
            guard let call = call(part) else {
                throw .unsupported("this change of all notifications", by: generation.name)
            }
            try await send(call)
        }
    }

    /// Throws `invalidArgument` for an invalid token, and `unsupported` for one of other kinds.
    func check(_ token: PushToken, isOneOf kinds: [PushToken.Kind]) throws(MagicBellError) {
        try token.validate()
        try check(token.kind, isOneOf: kinds)
    }

    /// Throws `unsupported` for tokens of other kinds.
    func check(_ kind: PushToken.Kind, isOneOf kinds: [PushToken.Kind]) throws(MagicBellError) {
        guard kinds.contains(kind) else { throw .unsupported("tokens of \(kind.name)", by: generation.name) }
    }

    /// Loads one notification. The service does not have one that it discarded.
    func notification(_ call: APICall) async throws(MagicBellError) -> InboxNotification {
        let notification = try await send(call, as: SingleNotification.self).notification
        guard !notification.isDiscarded else {
            throw MagicBellError(.notFound, "The notification was discarded.", status: 404)
        }
        return notification
    }

    /// Registers a token for the realtime socket, which also needs the project's API key.
    func registerInboxToken(_ call: APICall) async throws(MagicBellError) -> InboxTokenRegistration {
        guard let apiKey = try await authorization.current().apiKey else {
            throw MagicBellError(
                .unauthorized,
                "The user token has no claim \"api_key\", which the realtime socket needs; add it where the token is "
                    + "made."
            )
        }
        let answer: InboxTokenRegistration.Answer = try await send(call)
        return InboxTokenRegistration(token: answer.token, apiKey: apiKey)
    }

    /// After the failed request for a page of `size` notifications: whether a shorter one may succeed. Later pages are
    /// also shorter.
    func shortensPages(_ size: Int, after error: MagicBellError) -> Bool {
        guard pageLimit.shorten(size, after: error) else { return false }
        context.logger.notice(
            "the answer is too long; fewer notifications are requested",
            metadata: ["page_size": "\(pageLimit.rows)"]
        )
        return true
    }

    /// Logs the ids of invalid notifications in an answer.
    func logIgnored(_ ids: [String]) {
        guard !ids.isEmpty else { return }
        context.logger.warning("invalid notifications ignored", metadata: ["ids": "\(ids.joined(separator: " "))"])
    }
}

/// The ``PageLimit`` of one user's requests.
final class SharedPageLimit: Sendable {
    private let limit = Mutex(PageLimit(Limits.page))

    var rows: Int { limit.withLock(\.rows) }

    func startOver() { limit.withLock { $0.startOver() } }

    func shorten(_ size: Int, after error: MagicBellError) -> Bool { limit.withLock { $0.shorten(size, after: error) } }
}

extension MagicBellError {
    static let foreignCursor = MagicBellError(.invalidArgument, "The cursor belongs to a list of another API.")

    static let noSubscriptions = MagicBellError(
        .unsupported,
        "Subscriptions to topics need the REST API; connect the user with the API key instead of a user token."
    )

    static let tooManyFilters = MagicBellError(
        .unsupported,
        "The service cannot change all notifications of so many categories and topics; use fewer."
    )
}

extension [InboxNotification] {
    /// By the time of sending, then by id.
    var newestFirst: [InboxNotification] { sorted { $0.sent == $1.sent ? $0.id < $1.id : $0.sent > $1.sent } }
}

extension StoreCounts {
    /// The sum; unknown if one of them is.
    static func += (left: inout StoreCounts, right: StoreCounts) {
        func sum(_ one: Int?, _ other: Int?) -> Int? { one.flatMap { one in other.map { one + $0 } } }
        left = StoreCounts(
            total: sum(left.total, right.total),
            unread: sum(left.unread, right.unread),
            unseen: sum(left.unseen, right.unseen)
        )
    }
}
