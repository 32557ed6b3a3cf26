import Basics
import ClientKit
import ServiceModels

@testable import SuprSend

/// A ``FeedState`` over a service that pages as the real one does: strictly behind the cursor, pinned rows first.
struct PagedService {
    var rows: [FeedNotification]
    var driver: StateDriver
    /// The questions about the list, in order.
    private(set) var calls: [FeedCall] = []

    init(_ rows: [FeedNotification] = [], stores: [NotificationStore]? = nil, maximumRows: Int = 1_000) {
        self.rows = rows
        driver = StateDriver(stores, maximumRows: maximumRows)
    }

    mutating func page(_ call: FeedCall) -> NotificationPage {
        guard case .list(let size, let store, let cursor) = call else { return .init(rows: []) }
        calls.append(call)
        let all = SuprSendRules.sorted(rows.filter { SuprSendRules.belongs($0, to: store.query) })
        let rest = all.filter { row in
            cursor.map { SuprSendRules.isBehind(row, pinned: $0.isPinned, created: $0.created.milliseconds) } ?? true
        }
        return .init(rows: Array(rest.prefix(size)), total: all.count, hasMore: rest.count > size)
    }

    /// Loads the list and looks at the other stores, as a feed does that was away. Returns the ids announced.
    mutating func catchUp() -> [String] {
        driver.state.becomeStale()
        let load = driver.state.beginRefresh(isQuiet: true)
        var effects = driver.state.finish(load, .success(page(load.call)), now: driver.now).effects
        for var scan in driver.state.scans() {
            while let call = scan.call { effects += driver.state.proceed(&scan, page(call), now: driver.now) }
        }
        effects += driver.state.finishScans()
        return effects.announced
    }

    /// A new row, and its event. Returns the ids announced.
    mutating func publish(_ row: FeedNotification) -> [String] {
        rows.append(row)
        _ = driver.takeEffects()
        driver.news(row)
        return driver.takeEffects().announced
    }

    mutating func fetchNextPage() throws {
        let load = try driver.state.beginNextPage()
        _ = driver.state.finish(load, .success(page(load.call)), now: driver.now)
    }

    /// The program ends and starts again, knowing how far the feed was and what it has announced.
    mutating func restart(announced: [String]) {
        let mark = driver.state.caughtUp
        let (stores, now) = (driver.state.stores, driver.now)
        driver = StateDriver(stores, maximumRows: driver.state.rows.maximum)
        driver.now = now
        driver.state.resume(after: mark, announced: announced)
    }
}

extension [FeedState.Effect] {
    var announced: [String] {
        compactMap { if case .report(.announced(let row, _)) = $0 { row.id } else { nil } }
    }
}
