import Basics

/// Actions. The service performs an action first; then its effect is in every store of the user, whether or not this
/// one contains the notification. A failed action changes nothing. Actions on the same notification are sent in the
/// order of the calls.
extension NotificationStore {
    /// Marks a notification as read, and so as seen.
    ///
    /// - Returns: The notification afterwards.
    /// - Throws: `notFound` when the service does not know it; it is then removed from every store.
    @discardableResult
    public func markAsRead(_ notification: InboxNotification) async throws(MagicBellError) -> InboxNotification {
        try await stores.send(.read, on: notification, of: number)
    }

    /// Marks a notification as unread. It stays seen.
    ///
    /// - Returns: The notification afterwards.
    @discardableResult
    public func markAsUnread(_ notification: InboxNotification) async throws(MagicBellError) -> InboxNotification {
        try await stores.send(.unread, on: notification, of: number)
    }

    /// Marks a notification as seen.
    ///
    /// - Returns: The notification afterwards.
    /// - Throws: `unsupported` with an API key (v1): only the user API (v2) marks single notifications as seen.
    @discardableResult
    public func markAsSeen(_ notification: InboxNotification) async throws(MagicBellError) -> InboxNotification {
        try await stores.send(.seen, on: notification, of: number)
    }

    /// Archives a notification.
    ///
    /// - Returns: The notification afterwards.
    @discardableResult
    public func archive(_ notification: InboxNotification) async throws(MagicBellError) -> InboxNotification {
        try await stores.send(.archived, on: notification, of: number)
    }

    /// Takes a notification out of the archive.
    ///
    /// - Returns: The notification afterwards.
    @discardableResult
    public func unarchive(_ notification: InboxNotification) async throws(MagicBellError) -> InboxNotification {
        try await stores.send(.unarchived, on: notification, of: number)
    }

    /// Deletes a notification. One that the service does not know is deleted.
    ///
    /// - Throws: `unsupported` with a user token (v2): that API deletes nothing.
    public func delete(_ notification: InboxNotification) async throws(MagicBellError) {
        try await stores.delete(notification.id, of: number)
    }

    // MARK: All notifications

    /// Marks all notifications of this store as read, and so as seen: those that match ``predicate``, loaded or not.
    ///
    /// With a user token (v2), the service limits this only to the categories and topics of the predicate. It then also
    /// marks notifications that match these and not the rest.
    public func markAllRead() async throws(MagicBellError) { try await stores.send(.read, onAllOf: self) }

    /// Marks all notifications of this store as seen: those that match ``predicate``, loaded or not. The limit of
    /// ``markAllRead()`` applies.
    public func markAllSeen() async throws(MagicBellError) { try await stores.send(.seen, onAllOf: self) }

    /// Marks all notifications of this store as seen, in spite of its name.
    @available(*, deprecated, renamed: "markAllSeen()", message: "It marks as seen, not as unseen. Use markAllSeen().")
    public func markAllUnseen() async throws(MagicBellError) { try await markAllSeen() }

    /// Archives all notifications of this store. The limit of ``markAllRead()`` applies.
    ///
    /// - Throws: `unsupported` with an API key (v1).
    public func archiveAll() async throws(MagicBellError) { try await stores.send(.archived, onAllOf: self) }
}
