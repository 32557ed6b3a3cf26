import Basics
import Inbox

/// Pages of a view beyond its reach.
extension InboxTable {
    /// The request for the next page of a view; nil: it is whole.
    mutating func nextPage(of predicate: InboxPredicate) throws(StoreError) -> ViewPageRequest? {
        let part = reach[predicate]
        guard part.hasMore else { return nil }
        reportedSinceRequest = []
        guard let end = part.end else { return ViewPageRequest(predicate: predicate, place: nil, ties: 0) }
        var ties = InboxCondition(predicate, in: inbox, isReported: true)
        ties.add("pinned = ? AND time = ?", .integer(end.isPinned ? 1 : 0), .integer(end.time.milliseconds))
        ties.add(part)
        return ViewPageRequest(predicate: predicate, place: end, ties: try count(ties))
    }

    /// Adds the answer to the last request for a page.
    ///
    /// - Returns: The number of notifications that were not listed in the view before; what the user sees of it; and
    ///   the request that is made instead, if the answer belongs to an earlier connection or does not lead on.
    mutating func add(
        _ page: ViewPage,
        for request: ViewPageRequest
    ) throws(StoreError) -> (added: Int, differences: [Difference], next: ViewPageRequest?) {
        let (predicate, part) = (request.predicate, reach[request.predicate])
        guard let reported = reportedSinceRequest, part.end == request.place else {
            return (0, [], try nextPage(of: predicate))
        }
        var known: Set<NotificationID> = []
        for notification in page.notifications {
            guard let shown = try row(notification.id)?.shown else { continue }
            if predicate.matches(shown), part.covers(SortKey(of: shown)) { known.insert(notification.id) }
        }
        var page = page
        if !request.isContinued(by: page, isListed: known.contains) {
            if page.hasMore, request.place != nil, !request.skipsTies {
                var next = request
                next.skipsTies = true
                return (0, [], next)
            }
            // It would be requested indefinitely.
            page.hasMore = false
        }
        let differences = try transact { [page] (table, rows) throws(StoreError) in
            for notification in page.notifications where !reported.contains(notification.id) {
                guard try !rows.row(notification.id).isFollowed else { continue }
                try table.report(notification, in: &rows)
            }
            try table.compare(page, request, in: &rows)
            let old = table.reach
            table.reach.extend(request, by: page)
            try table.touch(predicate, between: part, table.reach[predicate], in: &rows)
            for (ended, part) in old.views where !table.reach.views.contains(where: { $0.predicate == ended }) {
                try table.touch(ended, between: part, in: &rows)
            }
        }
        return (page.notifications.count { !known.contains($0.id) }, differences, nil)
    }

    /// What is kept where a page is, and is not on it, is no longer there. A mark may have changed that nobody has
    /// reported yet: then it has left the view only.
    private func compare(_ page: ViewPage, _ request: ViewPageRequest, in rows: inout TouchedRows) throws(StoreError) {
        let last = page.hasMore ? page.notifications.last.map { SortKey(of: $0) } : nil
        if page.hasMore, last == nil { return }
        var condition = InboxCondition(request.predicate, in: inbox, isReported: true)
        condition.add(from: request.place, isIncluded: !request.skipsTies, before: last)
        let known = Set(page.notifications.map(\.id)).union(reportedSinceRequest ?? [])
        let isAboutMarks = request.predicate.read != nil || request.predicate.seen != nil
        for id in try ids(condition) where !known.contains(id) {
            let row = try rows.row(id)
            if row.isFollowed || isAboutMarks && row.shown.map(reach.covers) == true { continue }
            try rows.remove(id)
        }
    }
}
