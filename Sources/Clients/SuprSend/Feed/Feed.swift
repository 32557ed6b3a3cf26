package import Basics
import ClientKit
import FoundationEssentials
import Logging

/// A user's inbox, kept up to date: the list of the active store, the counts, and each new notification once.
///
/// Call ``run()`` to follow the inbox: it connects, loads, receives events, reconnects indefinitely, and reloads after
/// a gap. The other methods work with or without it. Changes are optimistic: shown at once, and reverted if the service
/// refuses them.
public actor Feed {
    let service: APIClient
    var connection: FeedConnection
    let environment: ClientEnvironment
    let logger: Logger

    var state: FeedState
    /// The data of a removed feed.
    private let empty: FeedData
    var order = ActionOrder()
    /// Actions that wait for an earlier one to end.
    var actionWaiters = Waiters()
    private(set) var isRemoved = false
    /// nil: the feed is not kept.
    let storage: SnapshotStorage<FeedSnapshot>?
    /// The contents that were kept last.
    var lastKept: FeedSnapshot?
    /// The last known ``FeedState/caughtUp``; it is unknown while the list is loaded again, and after ``run()``.
    var lastCaughtUp: Timestamp?
    var isUnsaved = false
    var isSaving = false
    /// Signalled when something is to be saved.
    let saving = WakeSignal()
    var status = FollowStatus<SuprSendError>() {
        didSet {
            guard status.state != oldValue.state else { return }
            emit(.connection(connectionState))
            observer?(.connection(connectionState))
        }
    }
    private var subscriptions = FeedSubscriptions()
    private var observer: (@Sendable (FeedUpdate) -> Void)?

    // Only during run().
    /// Finished to end ``run()`` of a removed feed.
    var runEnd: Completion?
    /// Calls that wait for the end of ``run()``.
    var exitWaiters = Waiters()
    /// Requests of single rows and counts.
    var jobs: Mailbox<@Sendable () async -> Void>?
    /// Signalled when the list is to be loaded again.
    let loading = WakeSignal()
    /// Signalled when the next deadline became earlier.
    let deadline = WakeSignal()
    var isWaitingToLoad = false
    private var signalledDeadline: Timestamp?
    var signalledStaleness: UInt64?

    init(
        context: RequestContext,
        identity: Identity,
        options: FeedOptions,
        hosts: Hosts,
        storage: (any SuprSendStorage)? = nil
    ) {
        let tenantID = options.tenantID ?? identity.tenantID ?? "default"
        service = APIClient(
            context: context,
            scope: RequestScope(hosts: hosts, distinctID: identity.distinctID, tenantID: tenantID),
            tokens: identity.tokens
        )
        let owner = [context.publicKey, identity.distinctID, tenantID]
        self.storage = storage.map { SnapshotStorage(in: $0, prefix: "ss_feed_", owner: owner, logger: context.logger) }
        connection = FeedConnection(service: service)
        environment = context.environment
        logger = context.logger
        state = FeedState(
            pageSize: options.pageSize,
            stores: options.stores,
            maximumRows: options.maximumRows ?? .max,
            counted: options.counted
        )
        empty = state.data
    }

    // MARK: Contents

    /// The present list and counts.
    public var data: FeedData { isRemoved ? empty : state.data }

    /// Continues after a previous run. Call it before ``run()``: notifications after `moment` that are not seen are
    /// then announced as caught up, except for `ids`.
    ///
    /// - Parameter moment: Nil: the notifications that exist at the start are not announced.
    package func resume(after moment: Timestamp?, announced ids: some Sequence<String> & Sendable) {
        state.resume(after: moment, announced: ids)
    }

    /// The present state of the connection.
    public var connectionState: ConnectionState { ConnectionState(status.state) }

    // MARK: Events

    /// The events from now on. Every call creates a listener, which ends when its task is cancelled or the stream is
    /// released.
    ///
    /// A slow listener receives the latest state and the announcements since its last event, at most 1,024 of them.
    public func events() -> AsyncStream<FeedEvent> {
        let listener = subscriptions.add()
        return AsyncStream { await self.nextEvent(for: listener) }
    }

    /// Reports everything to `observer` from now on, in order; nil: ends the reports.
    package func observe(_ observer: (@Sendable (FeedUpdate) -> Void)?) { self.observer = observer }

    private func nextEvent(for listener: FeedSubscriptions.Listener) async -> FeedEvent? {
        while !Task.isCancelled {
            if let event = subscriptions.next(for: listener) { return event }
            if isRemoved { break }
            guard let wait = subscriptions.wait(for: listener) else { break }
            await wait.wait()
        }
        subscriptions.remove(listener)
        return nil
    }

    private func emit(_ event: FeedEvent) {
        if !subscriptions.emit(event) { logger.warning("slow listener: oldest announcement dropped") }
    }

    // MARK: Removal

    /// Ends the feed permanently: its data is empty, its events and ``run()`` end, later calls throw.
    func remove() async {
        guard !isRemoved else { return }
        await save()
        guard !isRemoved else { return }
        isRemoved = true
        emit(.storeUpdate(empty))
        guard let runEnd else { return }
        let exit = exitWaiters.add()
        runEnd.finish()
        await exit.wait()
    }

    /// Throws `invalidState` if the feed was removed, or its client was shut down.
    func checkUsable() throws(SuprSendError) {
        try service.context.checkNotShutDown()
        if isRemoved { throw SuprSendError(.invalidState, "The feed was removed; create a new one.") }
    }

    // MARK: Effects

    var now: Timestamp { Timestamp(service.context.now) }

    /// Reports effects to the listeners, and starts the requests that are due.
    func perform(_ effects: [FeedState.Effect]) {
        if isRemoved { return }
        let isUpdated = effects.contains(.updated)
        // The rows first: the list contains a notification before it is announced.
        if isUpdated {
            if storage != nil {
                lastCaughtUp = state.caughtUp ?? lastCaughtUp
                isUnsaved = true
                saving.signal()
            }
            let update = state.takeUpdate()
            observer?(.contents(update))
        }
        for case .report(let report) in effects {
            observer?(.report(report))
            if !subscriptions.isEmpty, let event = FeedEvent(report) { emit(event) }
        }
        if isUpdated, let newest = state.caughtUp { observer?(.caughtUp(newest)) }
        if isUpdated, !subscriptions.isEmpty { emit(.storeUpdate(state.data)) }
        guard let jobs else { return }
        while let request = state.beginDetails() { jobs.send { await self.loadDetails(request) } }
        if state.wantsCount {
            let count = state.beginCount()
            jobs.send { await self.load(count) }
        }
        if state.staleSince != signalledStaleness {
            signalledStaleness = state.staleSince
            if state.isStale, !isWaitingToLoad { loading.signal() }
        }
        let never = Timestamp(milliseconds: .max)
        let next = state.nextDeadline
        let isEarlier = (next ?? never) < (signalledDeadline ?? never)
        signalledDeadline = next
        if isEarlier { deadline.signal() }
    }
}
