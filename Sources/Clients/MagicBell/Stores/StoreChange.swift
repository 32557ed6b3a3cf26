/// A change of the loaded notifications of a store, with the contents after it.
public struct StoreChange: Sendable, Equatable {
    /// The kind of the change.
    public var kind: Kind
    /// The contents after the change. An index refers to these, or, of a deletion, to the contents of the change
    /// before. Several changes at once have the same counts.
    public var contents: StoreContents

    /// The kind of the change.
    public enum Kind: Sendable, Equatable {
        /// The list was replaced: by ``NotificationStore/refresh()``, or by changes that this listener did not get in
        /// time.
        case reload
        /// Notifications were inserted at these indexes, in ascending order.
        case inserted(at: [Int])
        /// The notifications at these indexes changed, in ascending order.
        case changed(at: [Int])
        /// The notifications at these indexes of the contents before were removed, in ascending order.
        case deleted(at: [Int])
        /// ``StoreContents/hasNextPage`` changed.
        case hasNextPage(Bool)
    }

    /// Creates a change.
    public init(_ kind: Kind, _ contents: StoreContents) {
        self.kind = kind
        self.contents = contents
    }
}

/// A count of a store that changed, and its new value.
public enum CountChange: Sendable, Hashable {
    /// ``StoreContents/totalCount``.
    case total(Int)
    /// ``StoreContents/unreadCount``.
    case unread(Int)
    /// ``StoreContents/unseenCount``.
    case unseen(Int)
}

extension StoreChange {
    /// The changes that lead from one list to another, both in the order of stores: deletions, then insertions, then
    /// changes in place, then ``Kind/hasNextPage(_:)``.
    ///
    /// - Parameter isReplaced: The list was loaded again; its differences are one ``Kind/reload``.
    static func changes(from old: StoreContents, to new: StoreContents, isReplaced: Bool) -> [StoreChange] {
        var changes: [StoreChange] = []
        if isReplaced {
            changes.append(StoreChange(.reload, new))
        } else if old.notifications != new.notifications {
            changes = differences(from: old.notifications, to: new)
        }
        if old.hasNextPage != new.hasNextPage { changes.append(StoreChange(.hasNextPage(new.hasNextPage), new)) }
        return changes
    }

    private static func differences(from old: [InboxNotification], to new: StoreContents) -> [StoreChange] {
        var changes: [StoreChange] = []
        func add(_ kind: Kind, _ notifications: [InboxNotification]) {
            var contents = new
            contents.notifications = notifications
            changes.append(StoreChange(kind, contents))
        }
        let before = Dictionary(old.map { ($0.id, $0) }) { $1 }
        let after = Dictionary(new.notifications.map { ($0.id, $0) }) { $1 }
        // A notification whose place changed is removed and inserted.
        func stays(_ id: String) -> Bool {
            guard let first = before[id], let second = after[id] else { return false }
            return first.sent == second.sent
        }
        let deleted = old.indices.filter { !stays(old[$0].id) }
        let kept = old.filter { stays($0.id) }
        if !deleted.isEmpty { add(.deleted(at: deleted), kept) }
        let inserted = new.notifications.indices.filter { !stays(new.notifications[$0].id) }
        if !inserted.isEmpty {
            // Notifications that stay have their old contents in this step; the next one changes them.
            add(.inserted(at: inserted), new.notifications.map { stays($0.id) ? before[$0.id] ?? $0 : $0 })
        }
        let changed = new.notifications.indices.filter { index in
            let notification = new.notifications[index]
            return stays(notification.id) && before[notification.id] != notification
        }
        if !changed.isEmpty { add(.changed(at: changed), new.notifications) }
        return changes
    }
}

extension CountChange {
    /// The counts that differ, in the order total, unread, unseen.
    static func changes(from old: StoreContents, to new: StoreContents) -> [CountChange] {
        var changes: [CountChange] = []
        if old.totalCount != new.totalCount { changes.append(.total(new.totalCount)) }
        if old.unreadCount != new.unreadCount { changes.append(.unread(new.unreadCount)) }
        if old.unseenCount != new.unseenCount { changes.append(.unseen(new.unseenCount)) }
        return changes
    }
}
