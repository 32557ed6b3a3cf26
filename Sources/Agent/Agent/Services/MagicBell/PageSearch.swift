import Basics
import Inbox
import MagicBell

/// Finds the page of a list that begins after a place.
///
/// The REST API numbers its pages, and they shift while notifications come and go. So each request is for a page that
/// also contains what comes before the place: then nothing is skipped. The user API begins after a notification.
struct PageSearch: Sendable, Equatable {
    struct Request: Sendable, Equatable {
        var cursor: InboxPageCursor?
        var size: Int
        /// The number of notifications before the page; nil: unknown.
        fileprivate var start: Int?
    }

    enum Step: Sendable, Equatable {
        case request(Request)
        /// The notifications after the place, and whether there are others. `offset`: how many there are up to the last
        /// one.
        case found([InboxNotification], hasMore: Bool, offset: Int)
    }

    /// Pages are not larger.
    static let longestPage = 100
    private static let requestLimit = 60

    private let place: SortKey?
    private let size: Int
    private let skipsTies: Bool
    /// The last notification before the page, if it is known; nil also after it was found.
    private var last: String?
    /// Whether ``last`` was found: then all that follow are beyond the place.
    private var hasFoundLast = false
    /// The number of notifications up to the place; an estimate.
    private var offset: Int
    private var requestsLeft = PageSearch.requestLimit
    /// The end of the page before, if everything on it is before the place.
    private var end: Int?

    /// - Parameters:
    ///   - place: The page begins after it, and repeats what was sent at its time; nil: at the top.
    ///   - size: 1 to 100.
    ///   - skipsTies: Nothing is repeated.
    ///   - last: The id of the last notification before the page: it continues there, whatever was sent at its time.
    ///     nil: unknown.
    ///   - offset: How many notifications there are up to the place, as far as known.
    init(after place: SortKey?, size: Int, skipsTies: Bool, last: String? = nil, offset: Int) {
        self.place = place
        self.last = last
        self.size = max(1, min(size, Self.longestPage))
        self.skipsTies = skipsTies
        self.offset = place == nil ? 0 : max(0, offset)
    }

    /// The first request of a list with numbered pages.
    mutating func firstRequest() -> Request { request(from: max(0, offset - 1)) }

    /// A page that contains `start` and as many notifications after it as are wanted.
    private mutating func request(from start: Int) -> Request {
        // After a wrong estimate, long pages find the place sooner.
        let isFirst = requestsLeft == Self.requestLimit
        requestsLeft -= 1
        let wanted = isFirst ? min(size + 1, Self.longestPage) : Self.longestPage
        // A page of `length` has to begin at a multiple of it.
        let length = (wanted...Self.longestPage).first { start % $0 + wanted <= $0 } ?? Self.longestPage
        let page = start / length
        return Request(cursor: page == 0 ? nil : .page(page + 1), size: length, start: page * length)
    }

    /// The next step after the response to the last request.
    mutating func step(after page: StorePage, of request: Request) -> Step {
        let rows = page.notifications
        let start = request.start ?? 0
        if let index = rows.lastIndex(where: { $0.id == last }) {
            (last, hasFoundLast) = (nil, true)
            return found(rows[(index + 1)...], of: page, start)
                ?? next(after: page, request)
        }
        guard let first = rows.firstIndex(where: isBeyond) else {
            // Everything is before the place, or nothing of the page matches, or the list ended before the page.
            if rows.isEmpty, start > 0, end == nil, requestsLeft > 0 { return back(from: start, request.size) }
            return next(after: page, request)
        }
        // Without anything before the place, something may lie between.
        if first == 0, start > 0, end.map({ start > $0 }) ?? true, requestsLeft > 0 {
            return back(from: start, request.size)
        }
        return found(rows[first...], of: page, start) ?? next(after: page, request)
    }

    /// The notifications after the place on a page that begins at `start`; nil: there are none.
    private func found(_ beyond: ArraySlice<InboxNotification>, of page: StorePage, _ start: Int) -> Step? {
        guard !beyond.isEmpty else { return nil }
        let found = beyond.prefix(size)
        return .found(
            Array(found),
            hasMore: found.endIndex < beyond.endIndex || page.next != nil,
            offset: start + found.endIndex
        )
    }

    /// Everything on a page is before the place: continues after it.
    private mutating func next(after page: StorePage, _ request: Request) -> Step {
        let start = request.start ?? 0
        guard page.next != nil, requestsLeft > 0 else { return .found([], hasMore: false, offset: start) }
        end = start + request.size
        return .request(self.request(from: start + request.size))
    }

    private mutating func back(from start: Int, _ length: Int) -> Step {
        .request(request(from: max(0, start - length)))
    }

    private func isBeyond(_ row: InboxNotification) -> Bool {
        guard let place, !hasFoundLast else { return true }
        return skipsTies ? row.sent < place.time : row.sent <= place.time
    }
}
