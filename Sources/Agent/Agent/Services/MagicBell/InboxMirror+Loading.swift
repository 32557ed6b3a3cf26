import Basics
import Inbox
import MagicBell

/// Loading the newest part and its counts.
extension InboxMirror {
    /// When to load; nil: it need not be, or is being loaded.
    var loadTime: Timestamp? {
        guard case .stale(let due) = phase else { return nil }
        return hold.map { max($0, due) } ?? due
    }

    /// Begins to load, if it is stale.
    mutating func beginLoad(now: Timestamp) -> PageRequest? {
        guard case .stale = phase else { return nil }
        hold = nil
        lastLoad = now
        let request = begin(PageRequest(number: nextNumber(), size: pageSize, isFirst: true))
        phase = .loading(Load(number: request.number))
        return request
    }

    private mutating func begin(_ request: PageRequest) -> PageRequest {
        requests.insert(request.number)
        return request
    }

    /// A page of the load is loaded. Returns the request for the next one; nil: the load is complete.
    mutating func finish(_ request: PageRequest, _ page: StorePage, now: Timestamp) -> PageRequest? {
        requests.remove(request.number)
        defer { prune() }
        guard isLoading(request) else { return nil }
        if request.isFirst { replace(with: page, request.number, now) } else { add(page, request.number, now) }
        guard case .loading(var load) = phase else { return nil }
        let isComplete = arrivals.compare(page, in: &load.scan)
        let gap = load.gap(before: page, of: request)
        guard !isComplete || gap != nil, load.pagesLeft > 0 else {
            complete(load, reachesEnd: page.next == nil, now: now)
            return nil
        }
        load.pagesLeft -= 1
        phase = .loading(load)
        // The next page of the first one would have its size.
        let cursor = request.isFirst ? nil : gap ?? page.next
        return begin(PageRequest(number: nextNumber(), cursor: cursor, size: PageRequest.scanSize, isFirst: false))
    }

    /// The first notifications of a page that is not loaded completely, which may take minutes. What is known below
    /// them stays.
    mutating func show(_ part: StorePage, of request: PageRequest, now: Timestamp) {
        guard request.isFirst, isLoading(request) else { return }
        if rows.isLoaded { add(part, request.number, now) } else { replace(with: part, request.number, now) }
        counts.show(part.counts)
        guard case .loading(var load) = phase else { return }
        if let new = arrivals.takeNew(on: part, in: &load.scan, now: now) {
            phase = .loading(load)
            report(new)
        }
        prune()
    }

    /// A page could not be loaded: the load has to begin again.
    mutating func fail(_ request: PageRequest) {
        requests.remove(request.number)
        if isLoading(request) { phase = .stale(due: 0) }
        prune()
    }

    /// Whether the request belongs to the present load.
    private func isLoading(_ request: PageRequest) -> Bool {
        if case .loading(let load) = phase { load.number <= request.number } else { false }
    }

    /// After a failure, the next load waits until this time, whatever becomes stale.
    mutating func postponeLoad(until time: Timestamp) { hold = time }

    /// The wait after a failure ends.
    mutating func retryNow() { hold = nil }

    private mutating func replace(with page: StorePage, _ number: UInt64, _ now: Timestamp) {
        counts.replace(with: page.counts)
        lastPage = nextNumber()
        for (listed, present) in rows.replace(with: page, requestNumber: number) {
            counts.adjust(from: listed, to: present)
        }
        if rows.isAmbiguous || counts.changedBetweenParts {
            becomeStale(at: now.advanced(milliseconds: Self.countDelay))
        }
        guard let before = unreadBefore else { return }
        unreadBefore = nil
        let unread = rows.all.filter { !$0.isRead }.map(\.id)
        // The event does not say which notifications were read. All were, if each unread one is on the page and was
        // not there before.
        let isAll = !rows.hasMore || page.counts.unread == page.notifications.count { !$0.isRead }
        isChanged = true
        if isAll, before.isDisjoint(with: unread) { report(.allRead) }
    }

    /// A further page shows notifications that are newer than the first page. One with a wrong time seems to be, and
    /// the first page has counted it.
    private mutating func add(_ page: StorePage, _ number: UInt64, _ now: Timestamp) {
        for row in page.notifications where rows.contains(row) && row.sent <= arrivals.latest(now) {
            let old = rows[row.id]
            guard let present = rows.merge(row, requestNumber: number), present != old else { continue }
            counts.adjust(from: old, to: present)
            countsChanged(number, now)
        }
        rows.trim()
    }

    private mutating func complete(_ load: Load, reachesEnd: Bool, now: Timestamp) {
        let result = arrivals.finish(load.scan, number: load.number, reachesEnd: reachesEnd, now: now)
        phase = load.again.map { .stale(due: $0) } ?? .current
        reportedNewest = nil
        isChanged = true
        if let newest = result.newestAtFirst { report(.caughtUp(newest)) }
        report(result.new)
    }

    private mutating func report(_ new: Arrivals.New) {
        if !new.missed.isEmpty { report(.arrived(new.missed.map { Notification($0) }, isCatchUp: true)) }
        if !new.announced.isEmpty { report(.arrived(new.announced.map { Notification($0) })) }
    }

    // MARK: Counting

    /// Begins to count what the newest part does not show, after a load, and not too often.
    mutating func beginCounts(now: Timestamp) -> [CountRequest] {
        let unknown = counts.unknown(in: rows)
        guard !unknown.isEmpty else { return [] }
        if let time = nextCount, now < time, time <= now.advanced(milliseconds: countInterval(unknown.count)) {
            becomeStale(at: time)
            return []
        }
        nextCount = now.advanced(milliseconds: countInterval(unknown.count))
        let requests = unknown.map { CountRequest(number: nextNumber(), tab: $0.tab, predicate: $0.predicate) }
        firstCount = requests[0].number
        return requests
    }

    /// In milliseconds: the minimum interval between two counts of this number of predicates. So counts are at most a
    /// fifth of the requests that the service allows.
    private func countInterval(_ count: Int) -> Int64 { max(10_000, Int64(count) * 3_000) }

    /// A predicate was counted.
    mutating func finish(_ request: CountRequest, _ answer: StoreCounts, now: Timestamp) {
        // A later request asks for the same.
        guard request.number >= firstCount else { return }
        counts.replace(request.tab, with: answer)
        isChanged = true
        if lastChange > request.number { countsChanged(lastChange, now) }
    }

    /// A change was added to the counts. The last answer of the service may have contained it, or lack it, so what is
    /// not derived from the newest part is counted again.
    mutating func countsChanged(_ number: UInt64, _ now: Timestamp) {
        lastChange = max(lastChange, number)
        guard let time = nextCount, !counts.unknown(in: rows).isEmpty else { return }
        becomeStale(at: max(time, now))
    }
}

/// A request for one page of the inbox.
struct PageRequest: Sendable, Equatable {
    /// The size of the pages after the first.
    static let scanSize = 100

    var number: UInt64
    /// nil: the first page.
    var cursor: InboxPageCursor?
    var size: Int
    /// Whether the page is the newest part of the inbox. Others are only compared with what is known.
    var isFirst: Bool
}

/// A request for the unread notifications of the inbox or of a tab.
struct CountRequest: Sendable, Equatable {
    var number: UInt64
    /// nil: the whole inbox.
    var tab: String?
    var predicate: StorePredicate
}
