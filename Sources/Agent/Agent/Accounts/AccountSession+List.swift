import AgentInterface
import Basics
import DBus
import Inbox

/// `List`: the notifications of a view, of which a reply has as many as its size allows.
extension AccountSession {
    /// The maximum number of notifications that are requested by their ids.
    private static let requestedByID = 50
    /// The maximum number of notifications that a search returns.
    private static let longestSearch = 1_000

    /// - Parameter caller: Who asks.
    func list(_ filter: NotificationFilter, for caller: String) async throws(DBusError) -> [[String: Value]] {
        guard let predicate = try predicate(filter.tab).narrowed(by: filter) else { return [] }
        try await waitForInbox()
        let ended = DBusError(.failed, "The account was stopped.")
        // Each of these replies may be large.
        if let text = filter.text {
            let searches = environment.replyLimits.searches
            return try await searches.pass(of: caller, orThrow: ended) { () async throws(DBusError) in
                try await self.search(text, predicate, filter)
            }
        }
        if filter.takesKept {
            let replies = environment.replyLimits.replies
            return try await replies.pass(of: caller, orThrow: ended) { () async throws(DBusError) in
                try await self.list(predicate, filter)
            }
        }
        return try await list(predicate, filter)
    }

    private func list(
        _ predicate: InboxPredicate,
        _ filter: NotificationFilter
    ) async throws(DBusError) -> [[String: Value]] {
        if filter.ids == nil { pageFailures[predicate] = nil }
        // Of what is archived, only what was listed is kept.
        let isKept = filter.takesKept && !predicate.archived
        let pageSize = max(service.pageSize, filter.ids?.count ?? 0)
        if !isKept, let needed = filter.needed(pageSize: pageSize), await !isFound(filter) {
            try await load(needed, of: predicate, for: filter)
        }
        if isKept { reportUnkept(predicate) }
        if filter.ids != nil { await checkFound(predicate, filter) }
        return try reply { (table, add) throws(StoreError) in try table.forEach(predicate, filter, add) }
    }

    /// The part of what `body` reads that a reply has room for.
    private func reply(
        _ body: (InboxTable, (Notification) -> Bool) throws(StoreError) -> Void
    ) throws(DBusError) -> [[String: Value]] {
        var reply = LimitedReply(limit: environment.replyLimits.size)
        do throws(StoreError) {
            try body(inbox) { notification in
                reply.add(size: notification.size) { publication.dictionary(notification) }
                return !reply.isCut
            }
        } catch {
            if error.isTimeout {
                throw DBusError(.limitsExceeded, "The search takes too long. Search for longer words.")
            }
            throw DBusError(.failed, "The list of notifications cannot be read: \(error).")
        }
        return reply.items
    }

    /// Whether all notifications of a filter's ids are known, after those that are not were requested from the service.
    /// Beginnings of ids are found in what is known only.
    private func isFound(_ filter: NotificationFilter) async -> Bool {
        guard let ids = filter.ids?.map({ NotificationID($0) }) else { return false }
        let unknown = ids.filter { inbox.known($0) == nil }
        guard unknown.count <= Self.requestedByID else { return false }
        for id in unknown where (try? await notification(id)) == nil { return false }
        return true
    }

    /// Removes the only notification that a filter's ids find, if the service does not have it any more.
    private func checkFound(_ predicate: InboxPredicate, _ filter: NotificationFilter) async {
        guard (try? inbox.count(predicate, filter, atMost: 2)) == 1,
            let id = (try? inbox.list(predicate, filter))?.first?.id, inbox[id] == nil
        else { return }
        _ = await firstMissing(of: [id])
    }

    /// Searches all that is kept, as the user sees it.
    private func search(
        _ text: String,
        _ predicate: InboxPredicate,
        _ filter: NotificationFilter
    ) async throws(DBusError) -> [[String: Value]] {
        guard let match = InboxSearch(text).match else {
            let sentence = "The search has no word: it needs a letter, a digit or a symbol such as an emoji."
            throw DBusError(.invalidArgs, sentence)
        }
        guard await inboxes.limits.count > 0 else {
            let sentence = "There is nothing to search: keep is 0 in [inbox] of the configuration."
            throw DBusError(AgentErrors.notSupported, sentence)
        }
        await inboxes.indexWords()
        // A list of everything has what is archived, too.
        let isAboutAll = filter.takesKept && filter.archived == nil && filter.tab.isEmpty
        var limited = filter
        limited.limit = min(filter.limit ?? .max, Self.longestSearch)
        return try reply { (table, add) throws(StoreError) in
            for found in try table.search(match, isAboutAll ? nil : predicate, limited) where !add(found) { return }
        }
    }

    /// Lets `ListProblem` say that the inbox has more than is kept.
    private func reportUnkept(_ predicate: InboxPredicate) {
        guard inbox.hasMore(.inbox), let known = try? inbox.keptCount, known < shownCounts.total else { return }
        let sentence = "Only the newest \(known) of \(shownCounts.total) notifications are kept on this computer."
        keep(failure: sentence, of: predicate)
    }
}

/// The reply to `List`, limited in size.
struct LimitedReply {
    /// The maximum size of the notifications, in bytes.
    private let limit: Int

    private(set) var items: [[String: Value]] = []
    private var size = 0
    /// Whether there was no room for a notification: the last item says so.
    private(set) var isCut = false

    init(limit: Int) { self.limit = limit }

    /// Adds a notification, if there is room for it, or if it is the first.
    ///
    /// - Parameter size: Its approximate size in bytes.
    mutating func add(size: Int, _ item: () -> [String: Value]) {
        guard items.isEmpty || self.size + size <= limit else {
            if !isCut { items[items.count - 1][ListParts.more] = .bool(true) }
            isCut = true
            return
        }
        self.size += size
        items.append(item())
    }
}
