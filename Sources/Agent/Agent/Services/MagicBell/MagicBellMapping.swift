import ClientKit
import Inbox
package import MagicBell

extension Notification {
    /// A notification of MagicBell as one of the agent. The service has no tags, buttons or pictures, and does not
    /// record a click.
    init(_ row: InboxNotification) {
        self.init(
            id: NotificationID(row.id),
            title: row.title,
            body: row.content ?? "",
            url: row.actionURL ?? "",
            category: row.category ?? "",
            topic: row.topic ?? "",
            created: row.sent,
            seen: row.seen,
            read: row.read,
            isArchived: row.isArchived,
            extra: row.customAttributes.flatMap { $0 == .null ? nil : $0.text } ?? ""
        )
    }
}

extension StorePredicate {
    /// The view of an inbox as a predicate of the service; nil: nothing of the service can match it.
    init?(_ predicate: InboxPredicate) {
        guard predicate.tags.isEmpty else { return nil }
        self.init(
            read: predicate.read,
            seen: predicate.seen,
            archived: predicate.archived,
            categories: predicate.categories,
            topics: predicate.topics
        )
    }
}

extension MagicBellError: AdvisedError {
    package static var credentialsAdvice: String { "Check the account's api_key, user and HMAC, or its user token." }
    package static var permissionAdvice: String { "Check that the project lets this user do it." }
    package var isUnsupported: Bool { kind == .unsupported }
}
