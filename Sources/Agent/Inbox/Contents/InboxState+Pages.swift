import Basics

/// The pages beyond the newest part, and how much is loaded.
extension InboxState {
    /// After which place the next page of a view begins; nil: at its top.
    package func end(of predicate: InboxPredicate) -> SortKey? {
        if let end = further.end(of: predicate) { return end }
        return predicate.archived ? nil : newest.lazy.compactMap { reported[$0] }.map { SortKey(of: $0.value) }.max()
    }

    /// The number of loaded notifications of a view at the same time as its end. The next page repeats them.
    package func ties(at end: SortKey, of predicate: InboxPredicate) -> Int {
        reported.values.lazy.map(\.value).count {
            $0.isPinned == end.isPinned && $0.sortTime == end.time && predicate.matches($0)
        }
    }

    /// Whether a page continues a view: it contains a notification beyond the view's end, or one that is not loaded.
    package func isContinued(_ predicate: InboxPredicate, by page: ViewPage) -> Bool {
        page.goesBeyond(end(of: predicate)) || page.notifications.contains { !isLoaded($0.id, in: predicate) }
    }

    /// Whether a view lacks notifications that cannot be loaded: more were created at one time than a page can have.
    package func hasGap(_ predicate: InboxPredicate) -> Bool { further.hasGap(predicate) }

    /// A view is continued below its end, although it may lack notifications of that time.
    package mutating func skipTies(of predicate: InboxPredicate) { further.addGap(to: predicate) }

    /// Whether the maximum number of loaded notifications is reached.
    package var isFull: Bool { further.count >= Self.furtherLimit }

    /// Whether the size of loaded notifications leaves no room for a further page.
    package var isLarge: Bool { size >= sizeLimit / 4 * 3 }

    /// Whether a further page can be kept.
    package var hasRoom: Bool { !isFull && !isLarge }

    /// Appends a page to a view.
    ///
    /// - Returns: The number of notifications that were not in the view before, and the differences.
    package mutating func add(_ page: ViewPage, to predicate: InboxPredicate) -> (added: Int, [Difference]) {
        var differences: [Difference] = []
        var added = 0
        for notification in page.notifications {
            let id = notification.id
            if !isLoaded(id, in: predicate) { added += 1 }
            guard !newest.contains(id) else { continue }
            differences += changing(id) { state in
                state.further.insert(id, in: predicate)
                state.report(notification)
            }
        }
        further.extend(predicate, by: page)
        return (added, differences)
    }

    /// Unloads everything except the newest part: after a gap in the events, its state is unknown.
    package mutating func dropFurtherPages() -> [Difference] { unloading { $0.removeAll() } }

    /// Unloads the views of archived notifications: one was archived or unarchived.
    package mutating func dropArchivedPages() -> [Difference] { unloading { $0.removeViews { $0.archived } } }

    /// Unloads the view that was used least recently, if there are too many.
    package mutating func use(_ predicate: InboxPredicate) -> [Difference] { unloading { $0.use(predicate) } }

    /// Unloads what views no longer list, and other views, if a limit is reached, so that a view can grow. ``hasRoom``
    /// says whether it can.
    package mutating func makeRoom(for predicate: InboxPredicate) -> [Difference] {
        guard !hasRoom else { return [] }
        var pages = further
        let unlisted = pages.removeUnlisted { id, predicate in
            reported[id].map { predicate.matches($0.value) } ?? false
        }
        var differences = unload(unlisted, leaving: pages)
        while !hasRoom, let oldest = further.oldest(besides: predicate) {
            differences += unloading { $0.removeViews { $0 == oldest } }
        }
        return differences
    }

    mutating func unloadExcess() -> [Difference] {
        var differences: [Difference] = []
        while further.count > Self.furtherLimit || (size > sizeLimit && further.count > 0) {
            var pages = further
            let ids = pages.removeLast(Self.unloadedAtOnce) { id in reported[id].map { SortKey(of: $0.value) } }
            guard pages.count < further.count else { break }
            differences += unload(ids, leaving: pages)
        }
        return differences
    }

    /// - Parameter body: Returns the notifications that are on no further page any longer.
    private mutating func unloading(_ body: (inout FurtherPages) -> Set<NotificationID>) -> [Difference] {
        var pages = further
        let ids = body(&pages)
        return unload(ids, leaving: pages)
    }

    private mutating func unload(_ ids: Set<NotificationID>, leaving pages: FurtherPages) -> [Difference] {
        let ids = ids.subtracting(newest).sorted { $0.rawValue < $1.rawValue }
        return changing(ids, isUnloading: true) { state in
            state.further = pages
            for id in ids { state.unload(id) }
        }
    }
}
