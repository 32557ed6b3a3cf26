/// The pages of older notifications that were loaded in addition to the newest part of the inbox, by view.
struct FurtherPages: Sendable {
    /// The maximum number of views; beyond it the one that was used least recently is unloaded.
    private static let viewLimit = 8

    private struct View: Sendable {
        var ids: Set<NotificationID> = []
        /// The last notification of the last page; nil: no page was loaded, or only an empty one.
        var end: ListPlace?
        var hasMore = true

        /// Whether a notification at this place is on the loaded pages.
        func covers(_ place: ListPlace) -> Bool { !hasMore || end.map { place <= $0 } ?? false }
    }

    private var views: [InboxPredicate: View] = [:]
    /// The most recently used one last.
    private var recent: [InboxPredicate] = []

    var count: Int { views.values.reduce(0) { $0 + $1.ids.count } }

    func contains(_ id: NotificationID, in predicate: InboxPredicate) -> Bool {
        views[predicate]?.ids.contains(id) ?? false
    }

    /// Whether a notification, as it is now, belongs to a view that loaded it.
    func contains(_ notification: Notification) -> Bool {
        views.contains { $1.ids.contains(notification.id) && $0.matches(notification) }
    }

    /// nil: no page of the view was loaded.
    func hasMore(_ predicate: InboxPredicate) -> Bool? { views[predicate]?.hasMore }

    func end(of predicate: InboxPredicate) -> ListPlace? { views[predicate]?.end }

    mutating func insert(_ id: NotificationID, in predicate: InboxPredicate) {
        views[predicate, default: View()].ids.insert(id)
    }

    /// A page of the view was loaded.
    mutating func extend(_ predicate: InboxPredicate, by page: InboxPage) {
        var view = views[predicate] ?? View()
        if let last = page.notifications.last.map(ListPlace.init) { view.end = view.end.map { max($0, last) } ?? last }
        view.hasMore = page.hasMore
        views[predicate] = view
    }

    /// Adds a notification to the views whose pages would contain it.
    ///
    /// - Returns: Whether a view contains it.
    mutating func keep(_ notification: Notification) -> Bool {
        let place = ListPlace(of: notification)
        var isKept = false
        // By index: a copy of the view would make each insertion copy all ids.
        for index in views.indices where views[index].key.matches(notification) && views.values[index].covers(place) {
            views.values[index].ids.insert(notification.id)
            isKept = true
        }
        return isKept
    }

    mutating func remove(_ id: NotificationID) {
        for index in views.indices { views.values[index].ids.remove(id) }
    }

    /// - Returns: The notifications that no view contains any longer.
    mutating func removeAll() -> Set<NotificationID> { removeViews { _ in true } }

    mutating func removeViews(where isRemoved: (InboxPredicate) -> Bool) -> Set<NotificationID> {
        guard !views.isEmpty else { return [] }
        let ids = views.filter { isRemoved($0.key) }.values.reduce(into: Set()) { $0.formUnion($1.ids) }
        views = views.filter { !isRemoved($0.key) }
        recent.removeAll(where: isRemoved)
        return views.values.reduce(into: ids) { $0.subtract($1.ids) }
    }

    /// Unloads the last notifications of the largest view.
    ///
    /// - Parameter place: The place of a loaded notification.
    /// - Returns: The notifications that no view contains any longer.
    mutating func removeLast(_ count: Int, place: (NotificationID) -> ListPlace?) -> Set<NotificationID> {
        guard let index = views.indices.max(by: { views.values[$0].ids.count < views.values[$1].ids.count }) else {
            return []
        }
        let places = views.values[index].ids.compactMap(place).sorted()
        let removed = places.suffix(count).map(\.id)
        views.values[index].ids.subtract(removed)
        views.values[index].end = places.dropLast(count).last
        views.values[index].hasMore = true
        return views.values.reduce(into: Set(removed)) { $0.subtract($1.ids) }
    }

    /// Marks a view as used.
    ///
    /// - Returns: The notifications that no view contains any longer.
    mutating func use(_ predicate: InboxPredicate) -> Set<NotificationID> {
        recent.removeAll { $0 == predicate }
        recent.append(predicate)
        guard recent.count > Self.viewLimit else { return [] }
        let oldest = recent.removeFirst()
        return removeViews { $0 == oldest }
    }
}
