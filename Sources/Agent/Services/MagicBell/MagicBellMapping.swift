import ClientKit
import Inbox
import MagicBell

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

extension ServiceFailure {
    /// The failure of a single change. `forbidden` rejects only this change: others may succeed, and must not wait for
    /// other credentials. `invalidState` (the library is not ready) is transient.
    init(changing error: MagicBellError) {
        self.init(error)
        switch error.kind {
        case .forbidden: kind = .rejected
        case .invalidState: kind = .transient
        default: break
        }
    }

    /// Maps an error of the MagicBell library by its remedy.
    init(_ error: MagicBellError) {
        let kind: Kind =
            switch error.kind {
            case .unauthorized, .forbidden: .unauthorized
            case .notFound: .notFound
            case .unsupported: .unsupported
            case .invalidArgument, .invalidState, .rejected: .rejected
            case .rateLimited, .serverFailure, .unreachable, .unexpectedAnswer, .cancelled: .transient
            }
        let advice =
            switch error.kind {
            case .unauthorized where error.status != nil:
                " Check the account's api_key, user and HMAC, or its user token."
            case .forbidden: " Check that the project lets this user do it."
            case .unexpectedAnswer where error.isTooLarge:
                " A single notification is larger than that, so a smaller page_size does not help."
            default: ""
            }
        let stop = error.message.last?.isPunctuation == true ? "" : "."
        self.init(kind, error.message + stop + advice)
    }
}
