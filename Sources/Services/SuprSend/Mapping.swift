import ClientKit
import Inbox
import SuprSend

extension Notification {
    /// A row of a SuprSend feed as a notification of the agent.
    init(_ row: FeedNotification) {
        self.init(
            id: NotificationID(row.id),
            title: row.message.header ?? "",
            body: row.message.text,
            subtext: row.message.subtext?.text ?? "",
            url: row.message.url ?? "",
            category: row.category,
            tags: row.tags,
            created: row.created,
            seen: row.seen,
            read: row.read,
            interacted: row.interacted,
            expires: row.expiry,
            isArchived: row.isArchived,
            isPinned: row.isPinned,
            avatar: row.message.avatar?.url ?? "",
            actions: row.message.actions.map { Action(name: $0.name, url: $0.url) },
            extra: row.message.extraData ?? ""
        )
    }
}

extension InboxContents {
    /// The contents of a feed.
    init(_ data: FeedData) {
        self.init(
            notifications: data.notifications.map(Notification.init),
            counts: Counts(unread: data.unread, badge: data.meta.badge, total: data.pageInfo.total),
            hasMore: data.pageInfo.hasMore,
            stores: data.stores.map { InboxStore(id: $0.id, label: $0.label, count: data.meta.stores[$0.id] ?? 0) },
            activeStore: data.stores.isEmpty ? "" : data.store.id,
            isCounted: data.unread != nil
        )
    }
}

extension ProviderFailure {
    /// The failure of a single change. `forbidden` rejects only this change: others may succeed, and must not wait for
    /// other credentials. `invalidState` (the library is not ready) is transient.
    init(changing error: SuprSendError) {
        self.init(error)
        switch error.kind {
        case .forbidden: kind = .rejected
        case .invalidState: kind = .transient
        default: break
        }
    }

    /// Maps an error of the SuprSend library by its remedy.
    init(_ error: SuprSendError) {
        let kind: Kind =
            switch error.kind {
            case .unauthorized, .forbidden: .unauthorized
            case .notFound: .notFound
            case .invalidArgument, .invalidState, .rejected: .rejected
            case .rateLimited, .serverFailure, .unreachable, .unexpectedAnswer, .cancelled: .transient
            }
        let advice =
            switch error.kind {
            case .unauthorized where error.status != nil:
                " Check the account's public_key, and its token if it has one."
            case .forbidden: " Check the account's tenant_id, and that its token covers it."
            default: ""
            }
        let stop = error.message.last?.isPunctuation == true ? "" : "."
        self.init(kind, error.message + stop + advice)
    }
}
