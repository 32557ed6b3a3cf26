import AgentInterface
import VisibleText

extension AccountOptions {
    /// The newest unread notification of the named account, or of all.
    ///
    /// - Throws: ``Failure`` if nothing is unread.
    func newestUnread() async throws -> AccountNotifications {
        var options = ListOptions()
        (options.unread, options.snoozed) = (true, false)
        var newest: (inbox: AgentObject, notification: NotificationRecord)?
        for inbox in try await objects() {
            // The first one may be older: pinned ones come first.
            let unread = try await inbox.notifications(options).filter { !$0.isArchived }
            guard let notification = unread.max(by: { $0.created < $1.created }) else { continue }
            if newest.map({ $0.notification.created < notification.created }) ?? true {
                newest = (inbox, notification)
            }
        }
        guard let newest else { throw Failure(translated("Nothing is unread."), .notFound) }
        return AccountNotifications(
            inbox: newest.inbox,
            ids: [newest.notification.id],
            loaded: [newest.notification]
        )
    }
}
