import Basics
package import Inbox
import MagicBell

/// The user's changes.
extension MagicBellInbox {
    /// The maximum number of older notifications that a delayed change of all is sent for one by one. The service
    /// allows 60 writes a minute (MagicBell's documentation, "Rate limits"), and other changes wait meanwhile.
    static let singleLimit = 50

    package func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ServiceFailure) {
        do throws(MagicBellError) {
            switch made.change {
            case .interacted(let id), .read(let id): try await follower.change(id.rawValue, to: .read)
            case .unread(let id): try await follower.change(id.rawValue, to: .unread)
            case .archive(let id): try await follower.change(id.rawValue, to: .archived)
            case .unarchive(let id): try await follower.change(id.rawValue, to: .unarchived)
            case .delete(let id): try await follower.delete(id.rawValue)
            case .seen(let ids): for id in ids { try await follower.change(id.rawValue, to: .seen) }
            case .allRead where isDelayed: try await changeAll(to: .read, upTo: made.time)
            case .badgeReset where isDelayed: try await changeAll(to: .seen, upTo: made.time)
            case .allRead: try await follower.changeAll(to: .read, upTo: made.time)
            case .badgeReset: try await follower.changeAll(to: .seen, upTo: made.time)
            }
        } catch {
            throw ServiceFailure(changing: error)
        }
    }

    /// Changes all notifications sent up to `last`. The service cannot limit the change to a time: with one request if
    /// nothing is newer, otherwise one by one.
    ///
    /// - Throws: `rejected` if there are too many. An API that cannot mark single notifications as seen marks none of
    ///   them.
    private func changeAll(to change: StateChange, upTo last: Timestamp) async throws(MagicBellError) {
        let isRead = change == .read
        var predicate = StorePredicate()
        if isRead { predicate.read = false } else { predicate.seen = false }
        var older: [String] = []
        var cursor: InboxPageCursor?
        var hasNewer = false
        repeat {
            let page = try await api.page(of: predicate, after: cursor, size: PageSearch.longestPage)
            hasNewer = hasNewer || page.notifications.contains { $0.sent > last }
            guard hasNewer || page.notifications.isEmpty && page.next != nil else {
                return try await follower.changeAll(to: change, upTo: last)
            }
            older += page.notifications.filter { $0.sent <= last }.map(\.id)
            cursor = page.next
        } while cursor != nil && older.count <= Self.singleLimit
        guard isRead || api.capabilities.contains(.seen) else { return }
        guard older.count <= Self.singleLimit else {
            throw MagicBellError(
                .rejected,
                """
                Newer notifications have arrived since, and more than \(Self.singleLimit) older ones are \
                \(isRead ? "unread" : "unseen"): too many to mark one by one. \
                \(isRead ? "Mark all as read again." : "Reset the badge again.")
                """
            )
        }
        for id in older {
            do { try await follower.change(id, to: change) } catch {
                // It was deleted meanwhile.
                if error.kind != .notFound { throw error }
            }
        }
    }
}
