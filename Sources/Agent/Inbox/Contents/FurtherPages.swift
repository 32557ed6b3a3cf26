/// The pages of older notifications that were loaded in addition to the newest part of the inbox, by view.
struct FurtherPages: Sendable {
    /// The maximum number of views; beyond it the one that was used least recently is unloaded.
    private static let viewLimit = 8

    private struct View: Sendable {
        let predicate: InboxPredicate
        var ids: Set<NotificationID> = []
        /// The last notification of the last page; nil: no page was loaded, or only an empty one.
        var end: SortKey?
        var hasMore = true
        /// Whether notifications before its end may be missing.
        var hasGap = false

        /// Whether a notification at this place is on the loaded pages.
        func covers(_ place: SortKey) -> Bool { !hasMore || end.map { place <= $0 } ?? false }
    }

    /// Not a dictionary, whose indices hold a copy of it: each change in a loop over them would copy all ids.
    private var views: [View] = []
    /// The most recently used one last.
    private var recent: [InboxPredicate] = []

    private func view(_ predicate: InboxPredicate) -> View? { views.first { $0.predicate == predicate } }

    /// The index of a view, which is added if it is missing.
    private mutating func index(_ predicate: InboxPredicate) -> Int {
        if let index = views.firstIndex(where: { $0.predicate == predicate }) { return index }
        views.append(View(predicate: predicate))
        return views.count - 1
    }

    var count: Int { views.reduce(0) { $0 + $1.ids.count } }

    func contains(_ id: NotificationID, in predicate: InboxPredicate) -> Bool {
        view(predicate)?.ids.contains(id) ?? false
    }

    /// Whether a notification, as it is now, belongs to a view that loaded it.
    func contains(_ notification: Notification) -> Bool {
        views.contains { $0.ids.contains(notification.id) && $0.predicate.matches(notification) }
    }

    /// nil: no page of the view was loaded.
    func hasMore(_ predicate: InboxPredicate) -> Bool? { view(predicate)?.hasMore }

    func end(of predicate: InboxPredicate) -> SortKey? { view(predicate)?.end }

    func hasGap(_ predicate: InboxPredicate) -> Bool { view(predicate)?.hasGap ?? false }

    mutating func addGap(to predicate: InboxPredicate) { views[index(predicate)].hasGap = true }

    mutating func insert(_ id: NotificationID, in predicate: InboxPredicate) {
        views[index(predicate)].ids.insert(id)
    }

    /// A page of the view was loaded.
    mutating func extend(_ predicate: InboxPredicate, by page: ViewPage) {
        let index = index(predicate)
        if let last = page.notifications.last.map(SortKey.init) {
            views[index].end = views[index].end.map { max($0, last) } ?? last
        }
        views[index].hasMore = page.hasMore
    }

    /// Adds a notification to the views whose pages would contain it.
    ///
    /// - Returns: Whether a view contains it.
    mutating func keep(_ notification: Notification) -> Bool {
        let place = SortKey(of: notification)
        var isKept = false
        for index in views.indices where views[index].predicate.matches(notification) && views[index].covers(place) {
            views[index].ids.insert(notification.id)
            isKept = true
        }
        return isKept
    }

    mutating func remove(_ id: NotificationID) {
        for index in views.indices { views[index].ids.remove(id) }
    }

    /// - Returns: The notifications that no view contains any longer.
    mutating func removeAll() -> Set<NotificationID> { removeViews { _ in true } }

    mutating func removeViews(where isRemoved: (InboxPredicate) -> Bool) -> Set<NotificationID> {
        let ids = views.filter { isRemoved($0.predicate) }.reduce(into: Set()) { $0.formUnion($1.ids) }
        views.removeAll { isRemoved($0.predicate) }
        recent.removeAll(where: isRemoved)
        return views.reduce(into: ids) { $0.subtract($1.ids) }
    }

    /// Unloads the last notifications of the largest view.
    ///
    /// - Parameter place: The place of a loaded notification.
    /// - Returns: The notifications that no view contains any longer.
    mutating func removeLast(_ count: Int, place: (NotificationID) -> SortKey?) -> Set<NotificationID> {
        guard let index = views.indices.max(by: { views[$0].ids.count < views[$1].ids.count }) else { return [] }
        let places = views[index].ids.compactMap(place).sorted()
        let removed = places.suffix(count).map(\.id)
        views[index].ids.subtract(removed)
        views[index].end = places.dropLast(count).last
        views[index].hasMore = true
        return views.reduce(into: Set(removed)) { $0.subtract($1.ids) }
    }

    /// Unloads what views contain and no longer list.
    ///
    /// - Parameter isListed: Whether a view lists a notification that it contains.
    /// - Returns: The notifications that no view contains any longer.
    mutating func removeUnlisted(isListed: (NotificationID, InboxPredicate) -> Bool) -> Set<NotificationID> {
        var removed: Set<NotificationID> = []
        for index in views.indices {
            let predicate = views[index].predicate
            let others = views[index].ids.filter { !isListed($0, predicate) }
            views[index].ids.subtract(others)
            removed.formUnion(others)
        }
        return views.reduce(into: removed) { $0.subtract($1.ids) }
    }

    /// The view that was used least recently, other than this one; nil: there is none.
    func oldest(besides predicate: InboxPredicate) -> InboxPredicate? { recent.first { $0 != predicate } }

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
