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
        var (page, unlisted, next) = (page, 0, ViewPageRequest?.none)
        let differences = try transact { (table, rows) throws(StoreError) in
            for notification in page.notifications {
                let shown = try rows.row(notification.id).shown
                let isListed = shown.map { predicate.matches($0) && part.covers(SortKey(of: $0)) } ?? false
                if !isListed { unlisted += 1 }
            }
            if unlisted == 0, !page.goesBeyond(request.place) {
                if page.hasMore, !request.skipsTies, request.place != nil {
                    next = request.withoutTies
                    return
                }
                // It would be requested indefinitely.
                page.hasMore = false
            }
            for notification in page.notifications where !reported.contains(notification.id) {
                guard try !rows.row(notification.id).isFollowed else { continue }
                try table.report(notification, in: &rows)
            }
            try table.compare(page, request, after: part, in: &rows)
            if let ended = table.reach.extend(request, by: page) {
                try table.touch(ended.predicate, between: ended.part, in: &rows)
            }
            try table.touch(predicate, between: part, table.reach[predicate], in: &rows)
        }
        if next != nil { return (0, differences, next) }
        reportedSinceRequest = nil
        return (unlisted, differences, nil)
    }

    /// Lists what is kept beyond the reach of a view, until the next connection: the service cannot be reached.
    ///
    /// - Returns: The number of notifications that are listed in addition, and what the user sees of it.
    mutating func listKept(
        _ size: Int,
        of predicate: InboxPredicate
    ) throws(StoreError) -> (added: Int, differences: [Difference]) {
        let part = reach[predicate]
        var condition = InboxCondition(predicate, in: inbox, isReported: true)
        condition.add(after: part.end)
        let places = try places(condition, limit: size)
        guard part.hasMore, let end = places.last else { return (0, []) }
        let differences = try transact { (table, rows) throws(StoreError) in
            var longer = InboxReach.Part([end])
            longer.hasGap = part.hasGap
            if let ended = table.reach.set(longer, of: predicate) {
                try table.touch(ended.predicate, between: ended.part, in: &rows)
            }
            try table.touch(predicate, between: part, longer, in: &rows)
        }
        return (places.count, differences)
    }

    /// Removes what is kept beyond the limits and listed by no view, unless it is pinned or snoozed.
    mutating func trim(to limits: InboxLimits) throws(StoreError) {
        let unlisted = try kept(beyond: limits).filter { !$0.isFollowed && !($0.shown.map(reach.covers) ?? false) }
        if unlisted.isEmpty { return }
        _ = try transact { (_, rows) throws(StoreError) in for row in unlisted { try rows.remove(row.id) } }
    }

    /// What is beyond the limits, and neither pinned, snoozed nor listed in the inbox. The inbox may list thousands,
    /// which are not read.
    func kept(beyond limits: InboxLimits) throws(StoreError) -> [InboxRow] {
        let asOf = record.asOf ?? now()
        let oldest = limits.oldest(now: now().milliseconds, asOf: asOf.milliseconds) ?? .min
        let kept = "inbox = ?1 AND content <> ''"
        let newest = "SELECT number FROM rows WHERE \(kept) ORDER BY pinned DESC, time DESC LIMIT -1 OFFSET ?3"
        var listed = InboxCondition(.inbox, in: inbox)
        listed.add(reach.inbox)
        return try rows(
            "\(kept) AND pinned = 0 AND snoozed = 0 AND (time < ?2 OR number IN (\(newest))) AND NOT (\(listed.sql))",
            [.integer(inbox), .integer(oldest), .integer(Int64(limits.count))] + listed.values
        )
    }

    /// Removes the notifications that are kept where a page is, and are not on it. If the view is one of marks, a mark
    /// may have changed without a report: then the notification has left this view only.
    ///
    /// - Parameter part: What was known of the view before.
    private func compare(
        _ page: ViewPage,
        _ request: ViewPageRequest,
        after part: InboxReach.Part,
        in rows: inout TouchedRows
    ) throws(StoreError) {
        let last = page.hasMore ? page.notifications.last.map { SortKey(of: $0) } : nil
        if page.hasMore, last == nil { return }
        var condition = InboxCondition(request.predicate, in: inbox, isReported: true)
        condition.add(from: request.place, isIncluded: !request.skipsTies, before: last)
        // A page that goes on after a notification does not repeat those of its time that were listed before.
        let known = part.ties.union(page.notifications.map(\.id)).union(reportedSinceRequest ?? [])
        let isAboutMarks = request.predicate.read != nil || request.predicate.seen != nil
        for id in try ids(condition) where !known.contains(id) {
            let row = try rows.row(id)
            if row.isFollowed || isAboutMarks && row.shown.map(reach.covers) == true { continue }
            try rows.remove(id)
        }
    }
}
