import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The copy of the inbox on this computer: what is listed until the service reports it, or while it cannot, and what is
/// searched.
extension AccountSession {
    /// The number of notifications that are read from the copy at once.
    static let keptAtOnce = 100
    /// The maximum number of notifications that a search returns.
    private static let longestSearch = 1_000

    // MARK: Keeping

    func keep(_ change: CacheChange) {
        kept.record(change, of: identity.key)
        copyVersion += 1
    }

    /// A notification for the copy.
    func copy(_ notification: Notification) -> CachedNotification {
        let text = publication.text(of: notification, isLoaded: inbox.isLoaded(notification.id))
        let words = [text.title, text.body, text.subtext, notification.category].joined(separator: "\n")
        return CachedNotification(notification, words: words)
    }

    /// Keeps what a report of the service says.
    func keep(_ update: InboxUpdate) {
        if update.isComplete, mustCompareCopy {
            // The service does not report what was removed while there was no connection.
            mustCompareCopy = false
            // Loaded ones may lack data that the copy has, unless it is new.
            let reported = Dictionary(update.changed.map { ($0.id, $0) }) { $1 }
            let notifications = inbox.newestReported.map { reported[$0.id] ?? $0 }
            let last = update.hasMore ? notifications.map { SortKey(of: $0) }.max() : nil
            keep(.list(notifications.map(copy), CacheChange.Range(isArchived: false, first: nil, last: last)))
            uncountedCopy.signal()
        } else if !update.changed.isEmpty {
            keep(.put(update.changed.map(copy)))
        }
        if !update.removed.isEmpty { keep(.remove(update.removed)) }
        keepCounts()
    }

    /// Keeps the counts, and when they were known.
    func keepCounts() {
        guard inbox.isKnown else { return }
        let hasMore = inbox.hasMore(.inbox)
        let state = CachedInbox(asOf: asOf, lastEvent: lastEvent, hasMore: hasMore, counts: inbox.counts)
        kept.record(state, of: identity.key)
    }

    /// Keeps a page of a view. That of the whole inbox, or of all that is archived, shows what was removed.
    ///
    /// - Parameters:
    ///   - start: The place after which it begins; nil: at the top.
    ///   - skipsTies: Whether it lacks the notifications of that time.
    func keep(_ page: ViewPage, of predicate: InboxPredicate, after start: SortKey?, skipsTies: Bool) {
        let notifications = page.notifications.map(copy)
        guard predicate == InboxPredicate(archived: predicate.archived) else { return keep(.put(notifications)) }
        let last = page.hasMore ? page.notifications.last.map { SortKey(of: $0) } ?? start : nil
        var first = start
        if skipsTies { first?.id = "" }
        let range = CacheChange.Range(isArchived: predicate.archived, first: first, last: last)
        keep(.list(notifications, range))
    }

    /// Keeps a change that the service has confirmed or reported, of notifications that may not be loaded.
    func keep(_ made: TimestampedChange) {
        let time = made.time
        // The service has reported those that it keeps up to date.
        let ids = made.change.ids.filter { !inbox.isNewest($0) }
        func mark(_ marks: CacheChange.Mark...) {
            for mark in marks where !ids.isEmpty { keep(.mark(mark, ids: ids, time: time)) }
        }
        let rules = service.rules
        switch made.change {
        case .interacted: rules.interactedIsRead ? mark(.interacted, .read, .seen) : mark(.interacted)
        case .seen: mark(.seen)
        case .read: rules.readIsSeen ? mark(.read, .seen) : mark(.read)
        case .unread: mark(.unread)
        case .archive: mark(.archived)
        case .unarchive: mark(.unarchived)
        case .delete: keep(.remove(ids))
        case .allRead: keep(.markAll(.read, time: time))
        case .badgeReset: if rules.badgeIsUnseen { keep(.markAll(.seen, time: time)) }
        }
    }

    // MARK: Listing

    /// Lists the copy of a previous run, until the service reports the inbox.
    func restoreInbox() async {
        guard let known = await kept.inbox(of: identity.key) else { return }
        let page = await keptPage(of: .inbox, after: nil, size: service.pageSize)
        guard !inbox.isKnown else { return }
        setAsOf(known.asOf)
        lastEvent = known.lastEvent
        var counts = known.counts
        counts.tabs = counts.tabs.filter { id, _ in inbox.tabs.contains { $0.id == id } }
        let listed = ViewPage(page.notifications, hasMore: page.hasMore || known.hasMore)
        limitInbox()
        publish(inbox.restore(listed, counts).withExtra(of: listed.notifications))
    }

    /// A page of a view as it was kept.
    func keptPage(of predicate: InboxPredicate, after place: SortKey?, size: Int) async -> ViewPage {
        var page = ViewPage([], hasMore: false)
        await readKept(isArchived: predicate.archived, after: place) { notification, hasMore in
            guard predicate.matches(notification) else { return true }
            page.notifications.append(notification)
            guard page.notifications.count == size else { return true }
            page.hasMore = hasMore
            return false
        }
        return page
    }

    /// Reads the copy in order.
    ///
    /// - Parameter body: Takes a notification, and whether there may be more, and returns whether to go on.
    func readKept(
        isArchived: Bool,
        after start: SortKey? = nil,
        _ body: (Notification, _ hasMore: Bool) -> Bool
    ) async {
        var place = start
        repeat {
            let (found, last) = await kept.list(
                of: identity.key,
                isArchived: isArchived,
                after: place,
                limit: Self.keptAtOnce
            )
            for (index, notification) in found.enumerated() {
                guard body(notification, last != nil || index + 1 < found.count) else { return }
            }
            place = last
        } while place != nil
    }

    /// Notifications as the copy has them, by id; what it does not have is left out.
    func keptNotifications(_ ids: [NotificationID]) async -> [NotificationID: Notification] {
        let found = ids.isEmpty ? [] : await kept.notifications(of: identity.key, ids: ids)
        return Dictionary(found.map { ($0.id, $0) }) { $1 }
    }

    /// Notifications of the copy that are not loaded and pass a filter, in order.
    func keptNotifications(_ ids: [NotificationID], _ filter: NotificationFilter) async -> FoundNotifications {
        var found = FoundNotifications(size: environment.loaded.replyLimit)
        var rest = ids.filter { !inbox.isLoaded($0) }[...]
        while !rest.isEmpty {
            for kept in await keptNotifications(Array(rest.prefix(Self.keptAtOnce))).values {
                guard !inbox.isLoaded(kept.id), let present = inbox.present(kept), filter.matches(present) else {
                    continue
                }
                found.add(present)
            }
            rest = rest.dropFirst(Self.keptAtOnce)
        }
        found.sort()
        return found
    }

    /// All notifications of a view that are kept and not listed, and pass a filter, in order. What the inbox has beyond
    /// them is reported by `ListProblem`.
    ///
    /// - Parameter listed: The ids of the view's loaded notifications.
    func keptNotifications(
        besides listed: Set<NotificationID>,
        of predicate: InboxPredicate,
        _ filter: NotificationFilter
    ) async -> FoundNotifications {
        var found = FoundNotifications(size: environment.loaded.replyLimit)
        let loaded = inbox.list(.inbox)
        let ids = Set(loaded.map(\.id))
        var count = loaded.count
        await readKept(isArchived: predicate.archived) { notification, _ in
            // Another view may have loaded it.
            guard !listed.contains(notification.id), let present = inbox.present(notification) else { return true }
            if !present.isArchived, !ids.contains(present.id) { count += 1 }
            if predicate.matches(present), filter.matches(present) { found.add(present) }
            return true
        }
        found.sort()
        if !predicate.archived { reportUnkept(count, predicate) }
        return found
    }

    /// - Parameter known: The number of notifications of the inbox that are loaded or kept.
    private func reportUnkept(_ known: Int, _ predicate: InboxPredicate) {
        let total = inbox.shownCounts.total
        guard inbox.hasMore(.inbox), known < total else { return }
        keep(failure: "Only the newest \(known) of \(total) notifications are kept on this computer.", of: predicate)
    }

    // MARK: Searching

    /// Searches the whole copy, and applies a filter to what is found. Loaded notifications and pending changes are as
    /// they are listed.
    func search(
        _ text: String,
        _ predicate: InboxPredicate,
        _ filter: NotificationFilter
    ) async throws(DBusError) -> FoundNotifications {
        let search = CacheSearch(text)
        guard search.hasWords else {
            let sentence = "The search has no word: it needs a letter, a digit or a symbol such as an emoji."
            throw DBusError(.invalidArgs, sentence)
        }
        let limit = min(filter.limit ?? .max, Self.longestSearch)
        let needed = filter.offset.addingReportingOverflow(limit)
        // A list of everything has what is archived, too.
        let isAboutAll = filter.takesKept && filter.archived == nil && filter.tab.isEmpty
        var found = FoundNotifications(size: environment.loaded.replyLimit)
        var last: CacheSearch.Position?
        repeat {
            for kept in try await keptNotifications(for: search, after: &last) {
                guard let present = inbox.present(kept), isAboutAll || predicate.matches(present),
                    filter.matches(present)
                else { continue }
                found.add(present)
            }
        } while last != nil && (needed.overflow || found.notifications.count < needed.partialValue)
        found.sort()
        found.notifications = Array(found.notifications.inDisplayOrder.dropFirst(filter.offset).prefix(limit))
        return found
    }

    private func keptNotifications(
        for search: CacheSearch,
        after last: inout CacheSearch.Position?
    ) async throws(DBusError) -> [Notification] {
        let result: (found: [Notification], last: CacheSearch.Position?)?
        do throws(StoreError) {
            result = try await kept.search(identity.key, for: search, after: last, limit: Self.keptAtOnce)
        } catch {
            if error.isTimeout {
                throw DBusError(.limitsExceeded, "The search takes too long. Search for longer words.")
            }
            throw DBusError(.failed, "The copy of the inbox cannot be searched: \(error).")
        }
        guard let result else {
            let sentence = "There is nothing to search: keep is 0 in [inbox] of the configuration."
            throw DBusError(AgentErrors.notSupported, sentence)
        }
        last = result.last
        return result.found
    }
}
