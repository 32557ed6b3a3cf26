package import Basics

/// The inbox of an account as the user sees it: the loaded notifications as the service last reported them, with the
/// user's pending changes applied to them.
///
/// The service keeps the newest part of the inbox up to date (``receive(_:)``). Pages of older notifications, and of
/// tabs, are loaded on request and appended (``add(_:to:)``). The cost of a change does not depend on the number of
/// loaded notifications.
package struct InboxState: Sendable {
    package typealias Entry = PendingChange<TimestampedChange>

    /// The difference of one notification between two moments.
    package enum Difference: Equatable, Sendable {
        case added(Notification)
        case changed(Notification)
        case removed(NotificationID)
        /// No longer loaded; the service still has it.
        case unloaded(NotificationID)
    }

    /// A notification with its pending changes, and the change of the counts by them.
    private struct Altered {
        /// nil: deleted.
        var notification: Notification?
        var counts: CountDifference
    }

    /// The maximum number of notifications that are loaded in addition to the newest part. If notifications that leave
    /// the newest part exceed it, the last ones of the largest view are unloaded, as many as of a page.
    package static let furtherLimit = 5_000
    static let unloadedAtOnce = 100
    /// The maximum size of all loaded notifications, in bytes: pages beyond it are unloaded in the same way.
    package var sizeLimit = Int.max
    /// Which notifications the copy on disk keeps: the sender's long data is in memory of the others only; nil: none.
    package var copyLimits: CopyLimits?

    package let tabs: [InboxTab]
    let rules: ServiceRules

    /// The service's last word.
    var reported: [NotificationID: Shared<Notification>] = [:]
    /// The size of the loaded notifications, in bytes.
    package private(set) var size = 0
    /// The newest part of the inbox, without gaps.
    var newest: Set<NotificationID> = []
    /// Whether the service has notifications beyond the newest part; true while it is not known.
    private var hasMoreThanNewest = true
    /// Whether the service has reported the inbox since the agent's start; before, nothing is known about it.
    package private(set) var isReported = false
    /// Whether a copy of a previous run is listed.
    private var isRestored = false
    /// The notifications of the copy that the service has not reported yet.
    private var unreported: Set<NotificationID> = []
    package private(set) var counts = Counts()

    var further = FurtherPages()
    var overlay = PendingOverlay()
    package private(set) var snoozes = Snoozes()
    var muting = InboxMuting()
    /// As of ``ShownCounts/hiddenUnread``, with zeros.
    var hidden: [Int?: Int] = [:]
    private var altered: [NotificationID: Altered] = [:]
    private var difference: CountDifference
    /// Of the listed notifications of the newest part.
    private var loaded = (unread: 0, unseen: 0, total: 0)
    /// All loaded notifications in order; nil: to be sorted again.
    private var sorted: [SortKey]?

    package init(tabs: [InboxTab] = [], rules: ServiceRules) {
        self.tabs = tabs
        self.rules = rules
        difference = CountDifference(tabs: tabs.count)
    }

    // MARK: The list and counts for the user

    /// The notification with this id, if it is loaded and was not removed by a pending change.
    package subscript(id: NotificationID) -> Notification? {
        guard let notification = present(id) else { return nil }
        let isListed =
            newest.contains(id)
            ? InboxPredicate.inbox.matches(notification) : further.contains(notification)
        return isListed ? notification : nil
    }

    /// The loaded notifications of a view, in order.
    package mutating func list(_ predicate: InboxPredicate) -> [Notification] {
        let places = sorted ?? reported.values.map { SortKey(of: $0.value) }.sorted()
        sorted = places
        return places.compactMap { place in
            guard isLoaded(place.id, in: predicate), let notification = present(place.id),
                predicate.matches(notification)
            else { return nil }
            return notification
        }
    }

    /// Whether a notification is on the loaded part of a view, unless it no longer matches.
    func isLoaded(_ id: NotificationID, in predicate: InboxPredicate) -> Bool {
        newest.contains(id) && !predicate.archived || further.contains(id, in: predicate)
    }

    /// Whether the service has more notifications of a view than are loaded.
    package func hasMore(_ predicate: InboxPredicate) -> Bool {
        further.hasMore(predicate) ?? (predicate.archived || hasMoreThanNewest)
    }

    /// The notifications that the user has not seen, of all that are loaded.
    package var unseen: [NotificationID] { loaded { $0.seen == nil } }

    private func loaded(where isIncluded: (Notification) -> Bool) -> [NotificationID] {
        reported.keys.filter { self[$0].map(isIncluded) ?? false }.sorted { $0.rawValue < $1.rawValue }
    }

    /// The unread notifications of the whole inbox; nil: not all of them are loaded.
    package var allUnread: [NotificationID]? {
        let unread = loaded { $0.read == nil }
        return unread.count == shownCounts.unread ? unread : nil
    }

    package func isLoaded(_ id: NotificationID) -> Bool { reported[id] != nil }

    /// Whether a notification belongs to the newest part, which the service keeps up to date.
    package func isNewest(_ id: NotificationID) -> Bool { newest.contains(id) }

    /// The newest part as the service reported it.
    package var newestReported: [Notification] { newest.compactMap { reported[$0]?.value } }

    /// A notification of the copy as it is now: as the service reported it if it is loaded, with the pending changes.
    /// nil: deleted.
    package func present(_ kept: Notification) -> Notification? {
        if isLoaded(kept.id) { return present(kept.id) }
        guard var present = withPendingChanges(kept).map(withLocalMarks) else { return nil }
        present.isMuted = muting.rules?.marks(of: kept)?.isMuted ?? false
        return present
    }

    private func withPendingChanges(_ notification: Notification) -> Notification? {
        applying(overlay.changes(of: notification.id), to: notification)
    }

    func applying(_ changes: [TimestampedChange], to notification: Notification) -> Notification? {
        changes.reduce(notification) { notification, made in
            notification.flatMap { made.applied(to: $0, by: rules) }
        }
    }

    package var shownCounts: ShownCounts {
        let readsAll = overlay.readsAll
        let unread =
            if let unread = counts.unread, !readsAll { unread + difference.unread } else { loaded.unread }
        let seesAll = rules.badgeIsUnseen && overlay.restartsBadge
        let unseen =
            if let unseen = counts.unseen, !seesAll { unseen + difference.unseen } else { loaded.unseen }
        let badge = overlay.resetsBadge ? counts.badge.map { _ in 0 } : counts.badge
        return ShownCounts(
            unread: max(0, unread),
            unseen: max(0, unseen),
            badge: max(0, badge ?? unseen),
            total: max(loaded.total, (counts.total ?? 0) + difference.total),
            tabs: tabs.indices.map { tab in
                if readsAll { return countUnread(in: tabs[tab].predicate) }
                return max(0, (counts.tabs[tabs[tab].id] ?? 0) + difference.tabs[tab])
            },
            hiddenUnread: hiddenUnread
        )
    }

    /// As of ``ShownCounts/hiddenUnread``.
    package var hiddenUnread: [Int?: Int] { hidden.filter { $0.value != 0 } }

    /// Unread notifications of the newest part: those that are not loaded become read with "mark all".
    private func countUnread(in predicate: InboxPredicate) -> Int {
        newest.count { id in present(id).map { $0.read == nil && predicate.matches($0) } ?? false }
    }

    func present(_ id: NotificationID) -> Notification? {
        let present = if let altered = altered[id] { altered.notification } else { reported[id]?.value }
        return snoozes.isEmpty && muting.isEmpty ? present : present.map(withLocalMarks)
    }

    /// With what only this computer knows.
    private func withLocalMarks(_ notification: Notification) -> Notification {
        var notification = notification
        notification.snoozed = snoozes[notification.id]?.until
        notification.isMuted = muting[notification.id]?.isMuted ?? false
        return notification
    }

    // MARK: The copy

    /// Whether it is known what is in the inbox, from the service or a copy.
    package var isKnown: Bool { isReported || isRestored }

    /// Begins with a copy that a previous run has kept of the newest part, until the service reports it.
    package mutating func restore(_ page: ViewPage, _ counts: Counts) -> [Difference] {
        guard !isKnown else { return [] }
        isRestored = true
        self.counts = counts
        hasMoreThanNewest = page.hasMore
        unreported = Set(page.notifications.map(\.id))
        return page.notifications.flatMap { notification in
            changing(notification.id) { state in
                state.newest.insert(notification.id)
                state.report(notification)
            }
        }
    }

    /// Unloads what only the copy contains: the newest part is reported.
    private mutating func unloadUnreported() -> [Difference] {
        let ids = unreported.sorted { $0.rawValue < $1.rawValue }
        unreported = []
        return changing(ids, isUnloading: true) { state in
            for id in ids { state.unload(id) }
        }
    }

    // MARK: The service

    /// The newest part changed, or a count.
    package mutating func receive(_ update: InboxUpdate) -> [Difference] {
        // An attempt to connect reports, too, that nothing is known yet.
        if update.isComplete || !update.changed.isEmpty { isReported = true }
        // The counts of the cache are better than none.
        if update.isCounted || !isRestored { counts = update.counts }
        hasMoreThanNewest = update.hasMore
        // Removed notifications may be archived now.
        var differences = update.removed.isEmpty ? [] : dropArchivedPages()
        if !unreported.isEmpty {
            unreported.subtract(update.changed.map(\.id))
            if update.isComplete { differences += unloadUnreported() }
        }
        for id in update.removed {
            differences += changing(id) { state in
                state.further.remove(id)
                state.discard(id)
            }
        }
        for id in update.unloaded {
            differences += changing(id, isUnloading: true) { state in
                state.newest.remove(id)
                if let notification = state.reported[id]?.value, !state.further.keep(notification) { state.unload(id) }
            }
        }
        for notification in update.changed {
            differences += changing(notification.id) { state in
                state.newest.insert(notification.id)
                state.report(notification)
            }
        }
        return differences + unloadExcess()
    }

    /// The service reports a changed notification, which may not be loaded.
    package mutating func receive(changed notification: Notification) -> [Difference] {
        guard !newest.contains(notification.id) else { return [] }
        let isLoaded = reported[notification.id] != nil
        guard further.keep(notification) || isLoaded else {
            return changing(notification.id) { $0.setUncounted([notification]) }
        }
        return changing(notification.id) { $0.report(notification) } + unloadExcess()
    }

    /// The service reports that notifications outside the newest part were seen, or all were read.
    package mutating func receive(_ made: TimestampedChange) -> [Difference] {
        let ids = concerned(by: made.change)
        return ids.flatMap { id -> [Difference] in
            guard !newest.contains(id) else { return [] }
            guard let present = reported[id]?.value else {
                return changing(id) { if !$0.isUnread(id, [made]) { $0.muting.discard(id) } }
            }
            guard let changed = made.applied(to: present, by: rules) else {
                return changing(id) { state in
                    state.further.remove(id)
                    state.discard(id)
                }
            }
            return changing(id) { $0.report(changed) }
        }
    }

    // MARK: Snoozed notifications

    /// Begins and ends (nil) snoozes.
    package mutating func snooze(_ changes: [NotificationID: Snoozes.Snooze?]) -> [Difference] {
        changing(changes.keys.sorted { $0.rawValue < $1.rawValue }) { state in
            for (id, snooze) in changes { state.snoozes[id] = snooze }
        }
    }

    // MARK: Pending changes

    /// The user made a change, or replaced one.
    package mutating func add(_ entry: Entry) -> [Difference] {
        changing(entry.change.change) { $0.overlay.add(entry) }
    }

    /// A change is no longer pending: it was confirmed, rejected or superseded.
    package mutating func remove(_ number: Int64) -> [Difference] {
        overlay[number].map { changing($0) { $0.overlay.remove(number) } } ?? []
    }

    mutating func changing(_ change: Change, _ body: (inout InboxState) -> Void) -> [Difference] {
        changing(concerned(by: change), body)
    }

    private func concerned(by change: Change) -> [NotificationID] {
        change.concernsAll(by: rules) ? Array(reported.keys) + muting.unloaded.keys : change.ids
    }

    // MARK: Implementation

    mutating func report(_ notification: Notification) {
        let loaded = isInCopy(notification) ? notification.withoutLongExtra : notification
        let old = reported.updateValue(Shared(loaded), forKey: notification.id)
        muting.load(notification)
        size += loaded.size - (old?.value.size ?? 0)
        if old.map({ SortKey(of: $0.value) }) != SortKey(of: notification) { sorted = nil }
    }

    private mutating func discard(_ id: NotificationID) {
        newest.remove(id)
        unreported.remove(id)
        muting.discard(id)
        guard let old = reported.removeValue(forKey: id) else { return }
        size -= old.value.size
        sorted = nil
    }

    /// Discards a notification that the service still has.
    mutating func unload(_ id: NotificationID) {
        let notification = reported[id]?.value
        discard(id)
        if let notification { setUncounted([notification]) }
    }

    private func isInCopy(_ notification: Notification) -> Bool {
        guard let copyLimits else { return false }
        return reported.count < copyLimits.count && copyLimits.since <= notification.sortTime
    }

    mutating func changing(
        _ id: NotificationID,
        isUnloading: Bool = false,
        _ body: (inout InboxState) -> Void
    ) -> [Difference] {
        changing([id], isUnloading: isUnloading, body)
    }

    /// Changes what is known of these notifications, and returns what the user sees of it.
    mutating func changing(
        _ ids: [NotificationID],
        isUnloading: Bool = false,
        _ body: (inout InboxState) -> Void
    ) -> [Difference] {
        let before = ids.map { self[$0] }
        for (id, notification) in zip(ids, before) {
            count(notification, id, by: -1)
            countHidden(id, by: -1)
        }
        body(&self)
        return zip(ids, before).compactMap { id, before in
            applyPendingChanges(to: id)
            let after = self[id]
            count(after, id, by: 1)
            countHidden(id, by: 1)
            return switch (before, after) {
            case (nil, nil): nil
            case (_?, nil): isUnloading ? .unloaded(id) : .removed(id)
            case (nil, let after?): .added(after)
            case (let before?, let after?): before == after ? nil : .changed(after)
            }
        }
    }

    private mutating func count(_ notification: Notification?, _ id: NotificationID, by step: Int) {
        guard let notification, newest.contains(id) else { return }
        loaded.total += step
        if notification.read == nil { loaded.unread += step }
        if notification.seen == nil { loaded.unseen += step }
    }

    private mutating func applyPendingChanges(to id: NotificationID) {
        if let previous = altered.removeValue(forKey: id) { difference -= previous.counts }
        guard !overlay.isEmpty, let reported = reported[id]?.value else { return }
        guard !overlay.changes(of: id).isEmpty else { return }
        let notification = withPendingChanges(reported)
        let counts = CountDifference(from: reported, to: notification, tabs: tabs)
        altered[id] = Altered(notification: notification, counts: counts)
        difference += counts
    }
}
