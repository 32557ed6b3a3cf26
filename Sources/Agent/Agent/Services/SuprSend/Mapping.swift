import ClientKit
import Inbox
package import SuprSend

extension Notification {
    /// The service's buttons have no ids, only an order; the first one is the primary one.
    private static let buttons = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
        .map { $0 + "-button" }

    /// A row of a SuprSend feed as a notification of the agent.
    init(_ row: FeedNotification) {
        self.init(
            id: NotificationID(row.id),
            title: row.message.header ?? "",
            body: row.message.text,
            subtext: row.message.subtext?.text ?? "",
            subtextURL: row.message.subtext?.actionURL ?? "",
            url: row.message.url ?? "",
            category: row.category,
            tags: row.tags,
            created: row.created,
            sortTime: row.sortKey,
            seen: row.seen,
            read: row.read,
            interacted: row.interacted,
            expires: row.expiry,
            isExpiryVisible: row.isExpiryVisible,
            isArchived: row.isArchived,
            isPinned: row.isPinned,
            avatar: row.message.avatar?.url ?? "",
            avatarURL: row.message.avatar?.actionURL ?? "",
            actions: zip(Self.buttons, row.message.actions).map { id, action in
                Action(id: id, name: action.name, url: action.url, isPrimary: id == Self.buttons[0])
            },
            extra: row.message.extraData ?? ""
        )
    }
}

extension InboxUpdate {
    /// A change of a feed.
    init(_ contents: FeedUpdate.Contents) {
        var tabs = contents.stores
        let unread = tabs.removeValue(forKey: NotificationStore.unread.id)
        self.init(
            changed: contents.rows.changed.map { Notification($0) },
            removed: contents.rows.removed.map { NotificationID($0) },
            unloaded: contents.rows.unloaded.map { NotificationID($0) },
            counts: Counts(
                unread: contents.isCounted ? unread : nil,
                badge: contents.badge,
                total: contents.total,
                tabs: tabs
            ),
            hasMore: contents.hasMore,
            isCounted: contents.isCounted,
            isComplete: contents.isComplete
        )
    }
}

extension NotificationStore.Query {
    /// The view of an inbox as the query of a store.
    init(_ predicate: InboxPredicate) {
        self.init(
            read: predicate.read,
            archived: predicate.archived ? true : nil,
            tags: predicate.tags,
            categories: predicate.categories
        )
    }
}

extension SuprSendError: AdvisedError {
    package static var credentialsAdvice: String { "Check the account's public_key, and its token if it has one." }
    package static var permissionAdvice: String { "Check the account's tenant_id, and that its token covers it." }
}
