import ClientKit

/// A scan of a store's list from the top down to the first row that was not missed.
package struct CatchUpScan: Sendable, Equatable {
    /// The size of the pages after the first.
    static let pageSize = Limits.rows
    /// The maximum number of pages.
    private static let maximumPages = 10

    package let store: NotificationStore
    /// The size of the next page.
    private(set) var size: Int
    private var cursor: PageCursor?
    private var pagesLeft = CatchUpScan.maximumPages
    private var isComplete = false

    init(of store: NotificationStore, firstPage size: Int) {
        self.store = store
        self.size = size
    }

    /// The next request; nil: the scan is complete.
    package var call: FeedCall? { isComplete ? nil : .list(pageSize: size, store: store, after: cursor) }

    /// The response to the last request is compared with the store's watermark in `catchUp`.
    mutating func advance(past page: NotificationPage, in catchUp: inout CatchUp) {
        size = Self.pageSize
        cursor = page.rows.last.map { PageCursor(after: $0).following(cursor) }
        pagesLeft -= 1
        if pagesLeft == 0 { catchUp.giveUp(store) }
        isComplete = !catchUp.isIncomplete(store)
    }
}
