package import Basics
import ClientKit
import FoundationEssentials
import Logging
import Transport

/// A user's inbox, kept up to date: the list of the active store, the counts, and each new notification once.
///
/// Call ``run()`` to follow the inbox: it connects, loads, receives events, reconnects indefinitely, and reloads after
/// a gap. The other methods work with or without it. Changes are optimistic: shown at once, and reverted if the service
/// refuses them.
public actor Feed {
    let service: Service
    let driver: SessionDriver
    let socketURL: String
    let environment: ClientEnvironment
    let logger: Logger

    var state: FeedState
    /// The data of a removed feed.
    private let empty: FeedData
    var order = ActionOrder()
    /// Woken when an action has ended.
    var turns = Waiters()
    private(set) var isRemoved = false
    var status = ConnectionStatus() {
        didSet {
            guard status.state != oldValue.state else { return }
            emit(.connection(status.state))
        }
    }
    private var mailboxes: [ObjectIdentifier: Mailbox] = [:]

    // Only during run().
    /// Ends ``run()`` of a removed feed.
    var life: AsyncStream<Never>.Continuation?
    /// Woken when ``run()`` has ended.
    var exitWaiters = Waiters()
    var work: AsyncStream<Job>.Continuation?
    /// Signalled when the list is to be loaded again.
    let loading = WakeSignal()
    /// Signalled when the next deadline became earlier.
    let deadline = WakeSignal()
    /// Signalled to connect now.
    let retry = WakeSignal()
    var isWaitingToConnect = false
    var isWaitingToLoad = false
    private var noticedDeadline: Timestamp?
    var noticedStaleness: UInt64?
    /// The token of the last CONNECT.
    var offeredToken: String?
    var roomWait = RoomWait()
    /// The time since the socket was joined.
    var joined: (@Sendable () -> Duration)?

    init(context: RequestContext, identity: Identity, options: FeedOptions, hosts: Hosts) {
        service = Service(
            context: context,
            scope: RequestScope(
                hosts: hosts,
                distinctID: identity.distinctID,
                tenantID: options.tenantID ?? identity.tenantID ?? "default"
            ),
            tokens: identity.tokens
        )
        environment = context.environment
        logger = context.logger
        driver = SessionDriver(webSocket: context.webSocket, clock: environment.clock, logger: logger)
        socketURL = SessionDriver.url(host: hosts.socket)
        state = FeedState(
            pageSize: options.pageSize,
            stores: options.stores,
            maximumRows: options.maximumRows,
            countsUnread: options.countsUnread
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
    public var connectionState: ConnectionState { status.state }

    /// The events from now on. Every call creates a listener, which ends when its task is cancelled or the stream is
    /// released.
    ///
    /// A slow listener receives the latest state and the announcements since its last event, at most 1,024 of them.
    public func events() -> AsyncStream<FeedEvent> {
        let listener = Listener()
        mailboxes[ObjectIdentifier(listener)] = Mailbox(listener: listener)
        return AsyncStream { await self.nextEvent(for: listener) }
    }

    private final class Listener: Sendable {}

    private struct Mailbox {
        weak var listener: Listener?
        var queue = EventQueue()
        var waiter: AsyncStream<Never>.Continuation?
    }

    private func nextEvent(for listener: Listener) async -> FeedEvent? {
        let id = ObjectIdentifier(listener)
        while !Task.isCancelled, mailboxes[id] != nil {
            if let event = mailboxes[id]?.queue.next() { return event }
            if isRemoved { break }
            let (rings, waiter) = AsyncStream<Never>.makeStream()
            mailboxes[id]?.waiter?.finish()
            mailboxes[id]?.waiter = waiter
            for await _ in rings {}
        }
        mailboxes[id] = nil
        return nil
    }

    private func emit(_ event: FeedEvent) {
        for id in mailboxes.keys {
            guard mailboxes[id]?.listener != nil else {
                mailboxes[id] = nil
                continue
            }
            if mailboxes[id]?.queue.add(event) == false {
                logger.warning("slow listener: oldest announcement dropped")
            }
            mailboxes[id]?.waiter?.finish()
        }
    }

    // MARK: Removal

    /// Ends the feed permanently: its data is empty, its events and ``run()`` end, later calls throw.
    func remove() async {
        guard !isRemoved else { return }
        isRemoved = true
        emit(.storeUpdate(empty))
        guard let life else { return }
        let end = exitWaiters.add()
        life.finish()
        await end.wait()
    }

    func checkNotRemoved() throws(SuprSendError) {
        if isRemoved { throw SuprSendError(.invalidState, "The feed was removed; create a new one.") }
    }

    // MARK: Effects

    var now: Timestamp { Timestamp(service.context.now) }

    /// Reports effects to the listeners, and starts the requests that are due.
    func tell(_ effects: [FeedState.Effect]) async {
        if isRemoved { return }
        var isUpdated = false
        for effect in effects {
            switch effect {
            case .announce(let notification, let catchUp): emit(.newNotification(notification, catchUp: catchUp))
            case .changed(let notification): emit(.notificationUpdate(notification))
            case .allRead: emit(.allRead)
            case .updated: isUpdated = true
            }
        }
        if isUpdated, !mailboxes.isEmpty { emit(.storeUpdate(state.data)) }
        guard let work else { return }
        while let (id, number) = state.beginDetails() { work.yield(.details(id: id, number: number)) }
        if state.wantsCount { work.yield(.count(state.beginCount())) }
        if state.staleSince != noticedStaleness {
            noticedStaleness = state.staleSince
            if state.isStale, !isWaitingToLoad { await loading.signal() }
        }
        let next = state.nextDeadline
        let isEarlier = (next ?? .init(milliseconds: .max)) < (noticedDeadline ?? .init(milliseconds: .max))
        noticedDeadline = next
        if isEarlier { await deadline.signal() }
    }
}
