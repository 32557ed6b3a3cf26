import Basics
import Inbox

/// How far the table has what the service has. Above it, its notifications are the service's; below, they are kept, and
/// may be old.
struct InboxReach: Equatable {
    /// The maximum number of views of which pages are known; beyond it, the one that was used least recently ends.
    private static let viewLimit = 8

    /// How far one view is whole, in the service's order.
    struct Part: Equatable {
        /// The last place that it covers; nil: none.
        var end: SortKey?
        /// Whether the service has more.
        var hasMore = true
        /// Whether notifications before its end may be missing: more were created at one time than a page can have.
        var hasGap = false

        func covers(_ place: SortKey) -> Bool { !hasMore || end.map { place <= $0 } ?? false }

        /// Whether it reaches further than another one.
        func further(than other: Part) -> Bool {
            guard other.hasMore else { return false }
            guard hasMore else { return true }
            return end.map { end in other.end.map { $0 < end } ?? true } ?? false
        }
    }

    /// The whole inbox, without what is archived.
    var inbox = Part()
    /// Other views, of which pages were requested; the most recently used one last.
    private(set) var views: [(predicate: InboxPredicate, part: Part)] = []

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
    /// - Parameter request: What was asked for.
    mutating func extend(_ request: ViewPageRequest, by page: ViewPage) {
        var part = self[request.predicate]
        part.end = ([part.end] + page.notifications.map { SortKey(of: $0) }).compactMap(\.self).max()
        part.hasMore = page.hasMore
        if let place = request.place, request.skipsTies {
            part.hasGap = part.hasGap || !page.notifications.contains { $0.sortTime == place.time }
        }
        guard request.predicate != .inbox else { return inbox = part }
        views.removeAll { $0.predicate == request.predicate }
        views.append((request.predicate, part))
        if views.count > Self.viewLimit { views.removeFirst() }
    }

    /// What the service has beyond the newest part may have changed.
    mutating func removeViews(where isRemoved: (InboxPredicate) -> Bool = { _ in true }) {
        views.removeAll { isRemoved($0.predicate) }
    }

    static func == (a: InboxReach, b: InboxReach) -> Bool {
        a.inbox == b.inbox && a.views.map(\.predicate) == b.views.map(\.predicate)
            && a.views.map(\.part) == b.views.map(\.part)
    }
}

/// A request for the next page of a view.
struct ViewPageRequest: Equatable {
    let predicate: InboxPredicate
    /// The page begins after this place, and repeats the notifications of its time; nil: at the top.
    let place: SortKey?
    /// Whether it does not repeat them.
    var skipsTies = false
    /// How many notifications of that time are known.
    let ties: Int

    /// Whether a page leads on: it has a notification that is not listed, or an older time.
    ///
    /// - Parameter isListed: Whether a notification is listed in the view.
    func isContinued(by page: ViewPage, isListed: (NotificationID) -> Bool) -> Bool {
        page.goesBeyond(place) || page.notifications.contains { !isListed($0.id) }
    }
}
