package import Basics
import ClientKit
import FoundationEssentials
import Logging

/// Actions on the whole inbox that are sent later: they apply to what existed when the user made them.
extension Feed {
    /// The newest rows of the whole inbox that are not archived, independent of the stores.
    package func newestPage() async throws(SuprSendError) -> NotificationPage {
        try checkUsable()
        return try await page(of: .default, size: Limits.rows, after: nil)
    }

    /// The service's present time, rather early (up to 2 s) than late: its responses have a resolution of one second.
    package var serviceTime: Timestamp {
        let isBehind = service.context.clockOffset.map { $0 < 0 } ?? false
        return Timestamp(service.context.now.addingTimeInterval(isBehind ? -2 : 0))
    }

    /// Marks all notifications created up to `last` as read: with one request if none is newer, otherwise one by one.
    package func markAllAsRead(upTo last: Timestamp) async throws(SuprSendError) {
        guard try await hasNewer(than: last) else { return try await send(.markAllAsRead) }
        for id in try await unread(upTo: last) {
            do { try await send(.markAsRead(id)) } catch {
                // The row was deleted or has expired meanwhile.
                if error.kind != .notFound { throw error }
            }
        }
    }

    /// Resets the badge, unless notifications newer than `last` exist, which the service would no longer count either.
    package func resetBadgeCount(upTo last: Timestamp) async throws(SuprSendError) {
        guard try await hasNewer(than: last) else { return try await send(.resetBadgeCount) }
        logger.info("the badge is not reset: there are newer notifications")
    }

    private func hasNewer(than last: Timestamp) async throws(SuprSendError) -> Bool {
        let page = try await newestPage()
        // Pinned rows come first, independent of their age.
        let showsNewest = !page.hasFurther || page.rows.contains { !$0.isPinned }
        return !showsNewest || page.rows.contains { $0.created > last }
    }

    /// The ids of all unread rows created up to `last`.
    private func unread(upTo last: Timestamp) async throws(SuprSendError) -> Set<String> {
        var ids: Set<String> = []
        var cursor: PageCursor?
        while true {
            let page = try await page(of: .unread, size: Limits.rows, after: cursor)
            ids.formUnion(page.rows.lazy.filter { $0.created <= last }.map(\.id))
            guard page.hasFurther, let end = page.rows.last.map(PageCursor.init(after:)) else { return ids }
            cursor = end.following(cursor)
        }
    }
}
