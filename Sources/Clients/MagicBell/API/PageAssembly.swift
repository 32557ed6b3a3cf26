/// Assembles a page of a predicate from lists of the user API, which filters by one status, one category and one topic
/// only. Says what to load next and takes the answer; ``page`` is the result.
///
/// | Predicate | Lists |
/// |---|---|
/// | `archived: true` | `archived` |
/// | `read: true` | `read` |
/// | `seen: false` | `unseen` |
/// | `seen: true, read: false` | `unread` |
/// | `read: false` | `unread` and `unseen`, merged |
/// | `seen: true` | `unread` and `read`, merged |
/// | neither | all |
/// | `seen: false, read: true` | none, because reading also sees |
///
/// Notifications of a list that the predicate does not select are left out, and further pages are loaded instead,
/// within ``mostRequests``.
package struct PageAssembly: Sendable {
    /// The maximum number of requests for one page. After them the page may be short, and its cursor leads on.
    package static let mostRequests = 10
    /// The size of pages of which a part may be left out.
    static let filteredLimit = 50

    private struct Source: Sendable {
        var query: ListQuery
        /// Loaded and not yet used, newest first.
        var buffer: ArraySlice<InboxNotification> = []
        var position: ListPosition
        /// Whether the service has no more than `buffer`.
        var isComplete: Bool

        var isAtEnd: Bool { buffer.isEmpty && isComplete }
    }

    private let predicate: StorePredicate
    private let size: Int
    private var sources: [Source]
    private var isFirstPage: Bool
    private var requests = 0
    private var found: [InboxNotification] = []
    private var known: Set<String> = []

    /// Throws `invalidArgument` for the cursor of another list.
    package init(_ predicate: StorePredicate, after cursor: InboxPageCursor?, size: Int) throws(MagicBellError) {
        self.predicate = predicate
        self.size = size
        isFirstPage = cursor == nil
        let queries = Self.queries(predicate, size: size)
        let positions: [ListPosition]
        switch cursor {
        case nil: positions = queries.map { _ in .start }
        case .after(let id): positions = [.after(id: id)]
        case .afterEach(let several): positions = several
        case .page: throw .foreignCursor
        }
        guard positions.count == queries.count else { throw .foreignCursor }
        sources = zip(queries, positions).map { Source(query: $0, position: $1, isComplete: $1 == .end) }
    }

    /// The first page of each list.
    static func queries(_ predicate: StorePredicate, size: Int) -> [ListQuery] {
        let statuses: [ListQuery.Status?] =
            switch (predicate.archived, predicate.seen, predicate.read) {
            case (true, _, _): [.archived]
            case (_, false, true): []
            case (_, _, true): [.read]
            case (_, false, _): [.unseen]
            case (_, true, false): [.unread]
            case (_, nil, false): [.unread, .unseen]
            case (_, true, nil): [.unread, .read]
            case (_, nil, nil): [nil]
            }
        let isExact = predicate.categories.count <= 1 && predicate.topics.count <= 1 && statuses != [nil]
        return statuses.map { status in
            ListQuery(
                status: status,
                category: predicate.categories.count == 1 ? predicate.categories.first : nil,
                topic: predicate.topics.count == 1 ? predicate.topics.first : nil,
                limit: isExact ? size : max(size, filteredLimit)
            )
        }
    }

    /// The list to load next, with its number for ``add(_:for:)``; nil: the page is complete.
    package var nextQuery: (number: Int, query: ListQuery)? {
        guard found.count < size, requests < Self.mostRequests else { return nil }
        guard let number = sources.firstIndex(where: { $0.buffer.isEmpty && !$0.isComplete }) else { return nil }
        var query = sources[number].query
        if case .after(let id) = sources[number].position { query.after = id }
        return (number, query)
    }

    /// The lists are loaded with at most this number of notifications in each request.
    package mutating func limit(to rows: Int) {
        for index in sources.indices { sources[index].query.limit = min(sources[index].query.limit, rows) }
    }

    /// Adds the answer to ``nextQuery``.
    package mutating func add(_ chunk: NotificationChunk, for number: Int) {
        requests += 1
        var source = sources[number]
        var fresh = chunk.notifications[...]
        // A service that repeats the page before, or a part of it.
        if case .after(let id) = source.position, let last = fresh.firstIndex(where: { $0.id == id }) {
            fresh = fresh[(last + 1)...]
        }
        source.buffer = fresh
        source.isComplete = fresh.isEmpty || !(chunk.hasMore ?? (chunk.received >= source.query.limit))
        sources[number] = source
        merge()
    }

    /// Takes the newest of the lists, until one that goes on has nothing left.
    private mutating func merge() {
        while found.count < size, sources.allSatisfy({ !$0.buffer.isEmpty || $0.isComplete }) {
            let heads = sources.indices.filter { !sources[$0].buffer.isEmpty }
            let newest = heads.max { left, right in
                guard let left = sources[left].buffer.first, let right = sources[right].buffer.first else {
                    return false
                }
                return left.sent == right.sent ? left.id > right.id : left.sent < right.sent
            }
            guard let newest, let notification = sources[newest].buffer.first else { return }
            // Two lists may have it: then it would also be on the next page.
            for index in heads where sources[index].buffer.first?.id == notification.id {
                sources[index].buffer.removeFirst()
                sources[index].position = .after(id: notification.id)
            }
            if predicate.matches(notification), known.insert(notification.id).inserted { found.append(notification) }
        }
    }

    /// The page so far. Its counts are known if it is the whole list.
    package var page: StorePage {
        let notifications = found.newestFirst
        guard sources.contains(where: { !$0.isAtEnd }) else {
            return StorePage(notifications, counts: isFirstPage ? StoreCounts(of: notifications) : StoreCounts())
        }
        let positions = sources.map { $0.isAtEnd ? .end : $0.position }
        let next: InboxPageCursor =
            if positions.count == 1, case .after(let id) = positions[0] { .after(id: id) } else {
                .afterEach(positions)
            }
        return StorePage(notifications, next: next)
    }
}

extension StoreCounts {
    init(of notifications: [InboxNotification]) {
        self.init(
            total: notifications.count,
            unread: notifications.count { !$0.isRead },
            unseen: notifications.count { !$0.isSeen }
        )
    }
}
