import Basics
import Inbox

/// How far the table has what the service has. Above it, its notifications are the service's; below, they are kept, and
/// may be old.
struct InboxReach {
    /// The maximum number of views of which pages are known; beyond it, the one that was used least recently ends.
    private static let viewLimit = 8

    /// How far one view is whole, in the service's order.
    struct Part: Equatable {
        /// The last place that it covers; nil: none.
        private(set) var end: SortKey?
        /// The notifications of the end's time that the service has listed: its order among them is unknown.
        private(set) var ties: Set<NotificationID> = []
        /// Whether the service has more.
        var hasMore = true
        /// Whether notifications before its end may be missing: more were created at one time than a page can have.
        var hasGap = false

        init() {}

        /// - Parameter places: At least its last one, with the others of that time that the service has listed.
        init(_ places: [SortKey], hasMore: Bool = true) {
            self.hasMore = hasMore
            extend(to: places)
        }

        /// The service has listed these, too.
        mutating func extend(to places: [SortKey]) {
            guard let last = SortKey.end(after: end, places) else { return }
            if end?.isTied(with: last) != true { ties = [] }
            end = last
            ties.formUnion(places.filter(last.isTied).map(\.id))
        }

        func covers(_ place: SortKey) -> Bool { !hasMore || end.map { place <= $0 } ?? false }

        /// Whether the part reaches further than another one.
        func further(than other: Part) -> Bool {
            guard other.hasMore else { return false }
            guard hasMore else { return true }
            return end.map { end in other.end.map { $0 < end } ?? true } ?? false
        }
    }

    typealias View = (predicate: InboxPredicate, part: Part)

    /// The whole inbox, without what is archived.
    var inbox = Part()
    /// Other views, of which pages were requested; the most recently used one last.
    private(set) var views: [View] = []

    /// How far a view is whole.
    subscript(predicate: InboxPredicate) -> Part {
        let own = views.first { $0.predicate == predicate }?.part
        guard !predicate.archived else { return own ?? Part() }
        guard let own, own.further(than: inbox) else { return inbox }
        return own
    }

    /// Whether a notification is listed, as the user sees it.
    func covers(_ notification: Notification) -> Bool {
        let place = SortKey(of: notification)
        return !notification.isArchived && inbox.covers(place)
            || views.contains { $0.part.covers(place) && $0.predicate.matches(notification) }
    }

    /// A page of a view was added.
    ///
    /// - Parameter request: The page's request.
    /// - Returns: The view that ends, because there are too many; nil: none does.
    mutating func extend(_ request: ViewPageRequest, by page: ViewPage) -> View? {
        var part = self[request.predicate]
        part.extend(to: page.notifications.map { SortKey(of: $0) })
        part.hasMore = page.hasMore
        if let place = request.place, request.skipsTies {
            part.hasGap = part.hasGap || !page.notifications.contains { $0.sortTime == place.time }
        }
        return set(part, of: request.predicate)
    }

    /// Sets how far a view is whole.
    ///
    /// - Returns: The view that ends, because there are too many; nil: none does.
    mutating func set(_ part: Part, of predicate: InboxPredicate) -> View? {
        guard predicate != .inbox else {
            inbox = part
            return nil
        }
        views.removeAll { $0.predicate == predicate }
        views.append((predicate, part))
        return views.count > Self.viewLimit ? views.removeFirst() : nil
    }

    /// Forgets how far some views are whole.
    mutating func removeViews(where isRemoved: (InboxPredicate) -> Bool) {
        views.removeAll { isRemoved($0.predicate) }
    }
}

/// A request for the next page of a view.
struct ViewPageRequest: Equatable {
    let predicate: InboxPredicate
    /// The page begins after this place, and repeats the notifications of its time; nil: at the top.
    let place: SortKey?
    /// Whether the page does not repeat them.
    var skipsTies = false
    /// How many notifications of that time are known.
    let ties: Int

    /// The request for what is strictly older than its place.
    var withoutTies: ViewPageRequest {
        var request = self
        request.skipsTies = true
        return request
    }
}
