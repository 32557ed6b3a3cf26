import ClientKit
import Inbox
import SuprSend

extension Item {
    /// A row of a SuprSend feed in the words of the domain (suprsend.md §2.1).
    init(_ row: FeedNotification) {
        self.init(
            id: ItemID(row.id),
            title: row.message.header ?? "",
            body: row.message.text,
            subtext: row.message.subtext?.text ?? "",
            url: row.message.url ?? "",
            category: row.category,
            tags: row.tags,
            created: Timestamp(row.created),
            seen: row.seen.map(Timestamp.init),
            read: row.read.map(Timestamp.init),
            interacted: row.interacted.map(Timestamp.init),
            expires: row.expiry.map(Timestamp.init),
            isArchived: row.isArchived,
            isPinned: row.isPinned,
            avatar: row.message.avatar?.url ?? "",
            actions: row.message.actions.map { Action(name: $0.name, url: $0.url) },
            extra: row.message.extraData ?? ""
        )
    }
}

extension Timestamp {
    init(_ milliseconds: Milliseconds) { self.init(milliseconds: milliseconds.value) }
}

extension InboxContents {
    /// What a feed shows.
    init(_ data: FeedData) {
        self.init(
            items: data.notifications.map(Item.init),
            counts: Counts(unread: data.unread, badge: data.meta.badge, total: data.pageInfo.total),
            hasMore: data.pageInfo.hasMore,
            stores: data.stores.map { InboxStore(id: $0.id, label: $0.label, count: data.meta.stores[$0.id] ?? 0) },
            activeStore: data.stores.isEmpty ? "" : data.store.id,
            isCounted: data.unread != nil
        )
    }
}

extension ProviderFailure {
    /// Why one change was not made. That the credentials do not cover it is a refusal of this change: others may succeed, and waiting
    /// for other credentials would hold them up. That the library was not ready says nothing against it.
    init(changing error: SuprSendError) {
        self.init(error)
        switch error.kind {
        case .forbidden: kind = .rejected
        case .invalidState: kind = .transient
        default: break
        }
    }

    /// A failure of the SuprSend library, by what is to be done about it.
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
