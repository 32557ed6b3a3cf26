import Basics
import Inbox
import MagicBell
import Synchronization

/// Loads pages of views, independently of the newest part of the inbox.
struct InboxLists: Sendable {
    private struct End: Sendable {
        /// The place after which the next page begins.
        var place: SortKey
        /// The last notification up to it, in the service's order.
        var last: String
        /// The number of notifications up to it, if pages have numbers.
        var offset = 0
        /// Otherwise where the list goes on; nil: unknown.
        var next: InboxPageCursor?
    }

    /// The maximum number of remembered views.
    private static let viewLimit = 16
    /// The maximum number of pages to find a place whose notification is gone.
    private static let pageLimit = 20

    private let api: any InboxAPI
    private let hasNumberedPages: Bool
    /// Where the last page of a view ended.
    private let ends = Ends()

    private final class Ends: Sendable {
        let byView = Mutex<[StorePredicate: End]>([:])
    }

    /// - Parameter hasNumberedPages: Whether pages have numbers, as in the REST API, or begin after a notification.
    init(api: any InboxAPI, hasNumberedPages: Bool) {
        self.api = api
        self.hasNumberedPages = hasNumberedPages
    }

    /// One page of a view, after a place.
    ///
    /// - Parameter estimate: How many notifications there are up to the place, as far as is known.
    func page(
        of predicate: StorePredicate,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool,
        estimate: Int
    ) async throws(MagicBellError) -> (notifications: [InboxNotification], hasMore: Bool) {
        let known = ends.byView.withLock { $0[predicate] }.flatMap { $0.place == place ? $0 : nil }
        guard hasNumberedPages else {
            return try await page(of: predicate, after: place, from: known?.next, size: size)
        }
        let offset = known?.offset ?? estimate
        var search = PageSearch(after: place, size: size, skipsTies: skipsTies, last: known?.last, offset: offset)
        var request = search.firstRequest()
        while true {
            let page = try await api.page(of: predicate, after: request.cursor, size: request.size)
            switch search.step(after: page, of: request) {
            case .request(let next): request = next
            case .found(let rows, let hasMore, let offset):
                remember(rows, after: place, offset: offset, of: predicate)
                return (rows, hasMore)
            }
        }
    }

    private func remember(
        _ rows: [InboxNotification],
        after place: SortKey?,
        offset: Int = 0,
        next: InboxPageCursor? = nil,
        of predicate: StorePredicate
    ) {
        let places = rows.map { SortKey(isPinned: false, time: $0.sent, id: NotificationID($0.id)) }
        guard let last = rows.last, let end = SortKey.end(after: place, places) else { return }
        ends.byView.withLock { ends in
            if ends.count >= Self.viewLimit { ends = [:] }
            ends[predicate] = End(place: end, last: last.id, offset: offset, next: next)
        }
    }

    /// A page after a notification. If the service does not know it any more, or merges several lists, the list is
    /// followed from its top.
    private func page(
        of predicate: StorePredicate,
        after place: SortKey?,
        from cursor: InboxPageCursor?,
        size: Int
    ) async throws(MagicBellError) -> (notifications: [InboxNotification], hasMore: Bool) {
        let size = max(1, min(size, PageSearch.longestPage))
        do {
            let cursor = cursor ?? place.map { .after(id: $0.id.rawValue) }
            let page = try await api.page(of: predicate, after: cursor, size: size)
            remember(page.notifications, after: place, next: page.next, of: predicate)
            return (page.notifications, page.next != nil)
        } catch {
            guard let place, [.notFound, .rejected, .invalidArgument].contains(error.kind) else { throw error }
            return try await follow(predicate, to: place, size)
        }
    }

    private func follow(
        _ predicate: StorePredicate,
        to place: SortKey,
        _ size: Int
    ) async throws(MagicBellError) -> (notifications: [InboxNotification], hasMore: Bool) {
        var cursor: InboxPageCursor?
        for _ in 0..<Self.pageLimit {
            let page = try await api.page(of: predicate, after: cursor, size: PageSearch.longestPage)
            let rows = page.notifications.filter { $0.sent <= place.time && $0.id != place.id.rawValue }
            if !rows.isEmpty || page.next == nil {
                return (Array(rows.prefix(size)), rows.count > size || page.next != nil)
            }
            cursor = page.next
        }
        return ([], false)
    }
}
