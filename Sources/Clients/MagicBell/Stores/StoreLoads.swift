/// The number of a store of a user; a disposed store's is not used again.
typealias StoreNumber = UInt64

/// A request of a page of a store.
struct PageLoad: Sendable, Equatable {
    enum Kind: Sendable { case first, next }
    /// The app's call; or keeping the store up to date.
    enum Purpose: Sendable { case fetch, refresh, update }

    var store: StoreNumber
    /// Greater than that of every request that began before.
    var number: UInt64
    var kind: Kind
    var predicate: StorePredicate
    var cursor: InboxPageCursor?
    var size: Int
    var purpose: Purpose
    /// The state of the store, and of the journal, when it began.
    var version: UInt64
    var position: Int
    var departures: Int
    /// The need that it satisfies.
    var need: StoreState.Need

    /// Whether a call of the app waits for it.
    var isRequested: Bool { purpose != .update }
}

/// A request of a store's counts.
struct CountLoad: Sendable, Equatable {
    var store: StoreNumber
    var number: UInt64
    var predicate: StorePredicate
    var version: UInt64
}

/// How a page load ended.
enum LoadOutcome: Sendable, Equatable {
    /// The rows that it added.
    case loaded([InboxNotification])
    /// Too much happened meanwhile; request it again.
    case outdated
    /// The request was superseded, or the store was disposed.
    case discarded
    case failed(MagicBellError)
}
