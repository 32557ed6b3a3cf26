import AgentInterface
import Basics
import DBus
import Inbox

/// `List`: the notifications of a view, of which a reply has as many as its size allows.
extension AccountSession {
    /// The maximum number of notifications of the copy that are looked up by the beginning of an id.
    private static let keptByPrefix = 20
    /// The number of notifications that are requested at once beyond the loaded ones.
    private static let pageBeyond = 100
    /// The maximum number of notifications that are requested by their ids.
    private static let requestedByID = 50

    /// - Parameter caller: Who asks.
    func list(_ filter: NotificationFilter, for caller: String) async throws(DBusError) -> [[String: Value]] {
        guard let predicate = try predicate(filter.tab).narrowed(by: filter) else { return [] }
        try await waitForInbox()
        let ended = DBusError(.failed, "The account was stopped.")
        // What waits for the disk or the service happens one at a time: each reply may be large.
        if let text = filter.text {
            let searches = environment.loaded.searches
            return try await searches.pass(of: caller, orThrow: ended) { () async throws(DBusError) in
                let found = try await self.search(text, predicate, filter)
                return await self.items(found.notifications, ofCopy: found.withoutTexts)
            }
        }
        limitInbox()
        publish(inbox.use(predicate))
        if filter.ids == nil { pageFailures[predicate] = nil }
        // Of what is archived, the copy has only what was listed.
        let isKept = filter.takesKept && !predicate.archived
        let pageSize = max(service.pageSize, filter.ids?.texts.count ?? 0)
        let needed = isKept ? nil : filter.needed(pageSize: pageSize)
        // Pages need not be loaded to find single ones.
        let single = needed == nil ? nil : await unlisted(filter, predicate)
        if let needed, single == nil { try await load(needed, of: predicate, for: filter) }
        let now = await service.serviceTime
        publishDue()
        // Only the newest part is kept up to date.
        let listed = inbox.list(predicate)
        let present = listed.filter { predicate.archived || !$0.isExpired(at: now) }
        let found = present.inDisplayOrder.filter(filter.matches)
        if let single {
            let known = Set(listed.map(\.id))
            let all = (present.filter(filter.matches) + single.filter { !known.contains($0.id) })
                .sorted { SortKey(of: $0) < SortKey(of: $1) }
            return await items(filter.chosen(of: all.inDisplayOrder), ofCopy: [])
        }
        if let needed, needed > found.count, !filter.takesLoaded, !filter.takesKept, !inbox.hasRoom,
            inbox.hasMore(predicate)
        {
            // The account may unload pages while it waits for its turn.
            let loaded = LoadedPart(end: inbox.end(of: predicate), ids: Set(listed.map(\.id)))
            return try await loading.pass(orThrow: ended) { () async throws(DBusError) in
                var reply = LimitedReply(limit: self.environment.loaded.replyLimit)
                await self.add(filter.chosen(of: found), ofCopy: [], to: &reply)
                let skipped = max(0, filter.offset - found.count)
                await self.add(needed - filter.offset, beyond: loaded, to: &reply, filter, predicate, skipping: skipped)
                return reply.items
            }
        }
        if filter.takesKept {
            return try await environment.loaded.replies.pass(of: caller, orThrow: ended) {
                () async throws(DBusError) in
                let ids = Set(listed.map(\.id))
                let others = await self.keptNotifications(besides: ids, of: predicate, filter)
                let all = (found + others.notifications).inDisplayOrder
                return await self.items(filter.chosen(of: all), ofCopy: others.withoutTexts)
            }
        }
        let prefixes = copyPrefixes(of: filter)
        guard filter.snoozed == true || !prefixes.isEmpty || found.contains(where: { $0.extraOnDisk != nil }) else {
            var reply = LimitedReply(limit: self.environment.loaded.replyLimit)
            for notification in filter.chosen(of: found) where !reply.isCut { add(notification, to: &reply) }
            return reply.items
        }
        return try await environment.loaded.replies.pass(of: caller, orThrow: ended) { () async throws(DBusError) in
            var ids = filter.snoozed == true ? self.inbox.snoozes.ids : []
            if !prefixes.isEmpty {
                let kept = await self.kept.ids(of: self.identity.key, prefixes: prefixes, limit: Self.keptByPrefix)
                ids += await self.existing(kept)
            }
            var known = Set(found.map(\.id))
            let others = await self.keptNotifications(ids.filter { known.insert($0).inserted }, filter)
            return await self.items(filter.chosen(of: found + others.notifications), ofCopy: others.withoutTexts)
        }
    }

    private func items(_ notifications: [Notification], ofCopy: Set<NotificationID>) async -> [[String: Value]] {
        var reply = LimitedReply(limit: self.environment.loaded.replyLimit)
        await add(notifications, ofCopy: ofCopy, to: &reply)
        return reply.items
    }

    /// The beginnings of ids that are looked up in the copy. A complete id, as programs give it, needs no look at the
    /// disk.
    private func copyPrefixes(of filter: NotificationFilter) -> [String] {
        (filter.ids?.texts ?? []).filter { !$0.isEmpty && !inbox.isLoaded(NotificationID($0)) }
    }

    /// Adds notifications in order.
    ///
    /// - Parameter ofCopy: Those that have to be read from the copy.
    private func add(
        _ notifications: [Notification],
        ofCopy: Set<NotificationID>,
        to reply: inout LimitedReply
    ) async {
        var rest = notifications[...]
        while !rest.isEmpty, !reply.isCut {
            let part = rest.prefix(Self.keptAtOnce)
            rest = rest.dropFirst(part.count)
            let onDisk = part.filter { ofCopy.contains($0.id) || $0.extraOnDisk != nil }.map(\.id)
            let copies = await keptNotifications(onDisk)
            for notification in part {
                let isOfCopy = ofCopy.contains(notification.id)
                let copy = copies[notification.id]
                // A loaded one is as it is listed, also if the copy was searched.
                guard let listed = isOfCopy ? copy.flatMap({ inbox.present($0) }) : notification else { continue }
                add(listed.with(copy?.extra), to: &reply)
                if reply.isCut { return }
            }
        }
    }

    private func add(_ notification: Notification, to reply: inout LimitedReply) {
        let isLoaded = inbox.isLoaded(notification.id)
        reply.add(size: notification.size) { publication.dictionary(notification, isLoaded: isLoaded) }
    }

    /// Adds notifications beyond the loaded ones, which are as many or as large as they may be: the pages are requested
    /// for this reply only.
    ///
    /// - Parameter count: The number of notifications that the reply should have.
    private func add(
        _ count: Int,
        beyond loaded: LoadedPart,
        to reply: inout LimitedReply,
        _ filter: NotificationFilter,
        _ predicate: InboxPredicate,
        skipping: Int
    ) async {
        var listed = filter
        (listed.offset, listed.limit) = (0, nil)
        let start = BeyondEnd(filter: listed, loaded: loaded.end, count: skipping)
        let known = beyondEnd.flatMap { $0.end == start ? $0.place : nil }
        var (skipping, place) = (known == nil ? skipping : 0, known ?? loaded.end)
        var end = BeyondEnd(filter: listed, loaded: loaded.end, count: known == nil ? 0 : start.count)
        defer { if let place, filter.ids == nil { beyondEnd = (end, place) } }
        while !reply.isCut, reply.items.count < count {
            let page: ViewPage
            do throws(ServiceFailure) { page = try await pageBeyond(place, of: predicate) } catch {
                return keep(failure: error.sentence, of: predicate)
            }
            let new = page.notifications.filter { notification in
                place.map { $0 < SortKey(of: notification) } ?? true && !loaded.ids.contains(notification.id)
            }
            for notification in new {
                if let present = inbox.present(notification), filter.matches(present) {
                    if skipping > 0 {
                        skipping -= 1
                    } else {
                        if reply.items.count < count { add(present, to: &reply) } else { return }
                        if reply.isCut { return }
                    }
                    end.count += 1
                }
                place = SortKey(of: notification)
            }
            guard page.hasMore, let last = new.last else { return }
            if let since = filter.since, !last.isPinned, last.created < since { return }
        }
    }

    /// The notifications of a filter's ids beyond the loaded part of a view; nil: the filter has no ids, or some that
    /// nobody knows, such as beginnings of ids.
    private func unlisted(_ filter: NotificationFilter, _ predicate: InboxPredicate) async -> [Notification]? {
        guard let ids = filter.ids?.texts.map({ NotificationID($0) }) else { return nil }
        let unlisted = Set(ids).subtracting(inbox.list(predicate).map(\.id))
        guard unlisted.count <= Self.requestedByID else { return nil }
        var found: [Notification] = []
        for id in unlisted {
            guard let notification = try? await notification(id) else { return nil }
            guard let present = inbox.present(notification) else { continue }
            if predicate.matches(present), filter.matches(present) { found.append(present) }
        }
        return found
    }

    private func pageBeyond(_ place: SortKey?, of predicate: InboxPredicate) async throws(ServiceFailure) -> ViewPage {
        do throws(ServiceFailure) {
            let page = try await service.page(of: predicate, after: place, size: Self.pageBeyond, skipsTies: false)
            keep(page, of: predicate, after: place, skipsTies: false)
            return page
        } catch {
            guard error.isTransient, connection.state != .online else { throw error }
            return await keptPage(of: predicate, after: place, size: Self.pageBeyond)
        }
    }

    /// Sets what limits the inbox now.
    func limitInbox() {
        inbox.sizeLimit = environment.loaded.room(for: self)
        let limits = kept.currentLimits
        let since = environment.now().advanced(milliseconds: -Int64(limits.days) * 86_400_000)
        inbox.copyLimits = limits.count > 0 ? CopyLimits(count: limits.count, since: since) : nil
    }
}

/// The loaded part of a view.
private struct LoadedPart {
    let end: SortKey?
    let ids: Set<NotificationID>
}

/// Where a reply beyond the loaded notifications has ended. The next part of the list begins there, without requests
/// for what was before.
struct BeyondEnd: Equatable {
    /// The filter of the list, without offset and limit.
    let filter: NotificationFilter
    /// The end of the loaded ones.
    let loaded: SortKey?
    /// The number of listed ones after it.
    var count: Int
}

/// Notifications of the copy that a reply may have. Beyond the size of one, they are without their texts, and are read
/// again if they are needed.
struct FoundNotifications {
    var notifications: [Notification] = []
    /// The ids of the notifications without their texts.
    private(set) var withoutTexts: Set<NotificationID> = []
    private var room: Int

    /// - Parameter size: Of a reply, in bytes.
    init(size: Int) { room = size }

    mutating func add(_ notification: Notification) {
        room -= notification.size
        if room < 0 { withoutTexts.insert(notification.id) }
        notifications.append(room < 0 ? notification.withoutTexts : notification)
    }

    /// Sorts them as they are listed.
    mutating func sort() { notifications.sort { SortKey(of: $0) < SortKey(of: $1) } }
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
