import Basics
import ClientKit
import Logging
import Synchronization

/// The stores of a user. A store is a list of the notifications that match a predicate, with their counts.
///
/// All stores of a user are kept consistent: an action in one of them, and an event of the service, change every store
/// that it concerns.
public final class Stores: Sendable {
    struct Shared: Sendable {
        var state: StoresState
        /// Why no call is possible any more: the user was disconnected.
        var end: MagicBellError?
        var listeners: [StoreNumber: StoreListeners] = [:]
        fileprivate var handles: [StoreNumber: Handle] = [:]
        /// Calls that wait for the end of a request or of an earlier action.
        var waiters = Waiters()
        /// Only while the realtime feed runs.
        var jobs: Mailbox<StoresState.Effect>?
        /// Where stores are kept that survive the program.
        var places: [StoreNumber: SnapshotStorage<StoreSnapshot>] = [:]
        /// The stores that have changed since they were saved.
        var unsaved: Set<StoreNumber> = []
        var isSaving = false

        /// Reports to the listeners, and starts the requests that are due.
        mutating func flush() {
            for (number, report) in state.takeReports() {
                listeners[number]?.report(report)
                if places[number] != nil { unsaved.insert(number) }
            }
            for effect in state.takeEffects() { jobs?.send(effect) }
        }
    }

    fileprivate struct Handle: Sendable {
        weak var store: NotificationStore?
    }

    let api: any InboxAPI
    let scope: CallScope
    let environment: ClientEnvironment
    let logger: Logger
    /// The project and the user.
    let owner: [String]
    /// Signalled when a store is to be saved.
    let saving = WakeSignal()
    private let shared: Mutex<Shared>

    init(
        api: any InboxAPI,
        scope: CallScope,
        environment: ClientEnvironment,
        logger: Logger,
        pageSize: Int,
        owner: [String] = []
    ) {
        self.api = api
        self.scope = scope
        self.environment = environment
        self.logger = logger
        self.owner = owner
        shared = Mutex(Shared(state: StoresState(pageSize: pageSize, waitScale: environment.waitScale)))
    }

    /// The store with the notifications that match all of it. The same arguments return the same store, until it is
    /// disposed. Nothing is requested before ``NotificationStore/fetch()`` or ``NotificationStore/refresh()``.
    ///
    /// - Parameters:
    ///   - read: Read or unread ones only; nil: both.
    ///   - seen: Seen or unseen ones only; nil: both.
    ///   - archived: Archived ones only, or ones that are not archived.
    ///   - categories: One of these categories; empty: any, also none.
    ///   - topics: One of these topics; empty: any, also none.
    /// - Throws: `invalidState` after the user was disconnected.
    public func build(
        read: Bool? = nil,
        seen: Bool? = nil,
        archived: Bool = false,
        categories: [String] = [],
        topics: [String] = []
    ) throws(MagicBellError) -> NotificationStore {
        try build(
            predicate: StorePredicate(
                read: read,
                seen: seen,
                archived: archived,
                categories: categories,
                topics: topics
            )
        )
    }

    /// The store of `predicate`. Equal predicates return the same store, until it is disposed.
    ///
    /// - Throws: `invalidState` after the user was disconnected.
    public func build(predicate: StorePredicate) throws(MagicBellError) -> NotificationStore {
        try change { (shared) throws(MagicBellError) in
            if let end = shared.end { throw end }
            let number = shared.state.build(predicate)
            if let store = shared.handles[number]?.store { return store }
            let store = NotificationStore(number, predicate, self)
            shared.handles[number] = Handle(store: store)
            if shared.listeners[number] == nil { shared.listeners[number] = StoreListeners() }
            return store
        }
    }

    /// Ends a store: its sequences end, and its later calls throw. Building its predicate again creates another one.
    public func dispose(_ store: NotificationStore) {
        if store.stores === self { dispose(store.number) }
    }

    /// Ends the store of `predicate`, if there is one.
    public func dispose(predicate: StorePredicate) {
        if let number = locked({ $0.state.numbers[predicate] }) { dispose(number) }
    }

    private func dispose(_ number: StoreNumber) {
        locked { shared in
            shared.state.dispose(number)
            shared.places[number] = nil
            shared.listeners[number]?.end()
            shared.listeners[number] = nil
            shared.handles[number] = nil
            shared.waiters.wakeAll()
        }
    }

    /// Ends every store, permanently; later calls throw `error`.
    func end(_ error: MagicBellError) {
        locked { shared in
            guard shared.end == nil else { return }
            shared.end = error
            for number in shared.state.stores.keys { shared.state.dispose(number) }
            for number in shared.listeners.keys { shared.listeners[number]?.end() }
            shared.handles = [:]
            shared.jobs?.close()
            shared.waiters.wakeAll()
        }
    }

    // MARK: State

    func locked<Result: Sendable>(_ body: (inout Shared) -> Result) -> Result {
        let (result, isUnsaved) = shared.withLock { shared in (body(&shared), !shared.unsaved.isEmpty) }
        if isUnsaved { saving.signal() }
        return result
    }

    /// Changes the state, reports to the listeners, and starts the requests that are due.
    func change<Result: Sendable>(
        _ body: (inout Shared) throws(MagicBellError) -> Result
    ) throws(MagicBellError) -> Result {
        // Also after a failure, before which something may have changed.
        defer { locked { _ in } }
        return try shared.withLock { (shared) throws(MagicBellError) in
            defer { shared.flush() }
            return try body(&shared)
        }
    }

    /// Throws `invalidState` when the store was disposed or the user disconnected.
    static func check(_ number: StoreNumber, in shared: Shared) throws(MagicBellError) {
        if let end = shared.end { throw end }
        if shared.state.stores[number] == nil { throw .disposed }
    }

    /// The present time, for what the service does not date.
    var now: Timestamp { Timestamp(environment.now()) }
}

extension MagicBellError {
    static let disposed = MagicBellError(.invalidState, "The store was disposed; build it again.")
    static let disconnected = MagicBellError(.invalidState, "The user was disconnected; connect the user again.")
}
