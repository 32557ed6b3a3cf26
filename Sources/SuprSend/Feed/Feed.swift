import ClientKit
import FoundationEssentials
import Logging
import Transport

/// A person's inbox, kept up to date: the list of the active store, the numbers, and every new notification once.
///
/// Nothing happens before ``run()``, which is the feed's life: it connects, loads, follows events, reconnects for ever and reloads
/// what a gap may have hidden. The other methods work with or without it. Changes show at once and are undone if the service refuses.
public actor Feed {
    let service: Service
    let driver: SessionDriver
    let socketURL: String
    let surroundings: Surroundings
    let logger: Logger

    var state: FeedState
    /// What a feed shows that has nothing to show.
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

    // While run() runs.
    /// Ends the life of a feed that is removed.
    var life: AsyncStream<Never>.Continuation?
    /// Woken when that life has ended.
    var mourners = Waiters()
    var work: AsyncStream<Job>.Continuation?
    /// Woken when the list is to be loaded again.
    let loading = Doorbell()
    /// Woken when something is due earlier than it was.
    let deadline = Doorbell()
    /// Woken when a connection is to be tried now.
    let retry = Doorbell()
    var isWaitingToConnect = false
    var isWaitingToLoad = false
    private var noticedDeadline: Milliseconds?
    var noticedStaleness: UInt64?
    /// The token of the last CONNECT.
    var offeredToken: String?
    var roomWait = RoomWait()
    /// Tells the time since the socket was joined.
    var joined: (@Sendable () -> Duration)?

    init(workspace: Workspace, identity: Identity, options: FeedOptions, hosts: Hosts) {
        service = Service(
            workspace: workspace,
            scope: RequestScope(
                hosts: hosts,
                distinctID: identity.distinctID,
                tenantID: options.tenantID ?? identity.tenantID ?? "default"
            ),
            tokens: identity.tokens
        )
        surroundings = workspace.surroundings
        logger = workspace.logger
        driver = SessionDriver(webSocket: workspace.webSocket, clock: surroundings.clock, logger: logger)
        socketURL = SessionDriver.url(host: hosts.socket)
        state = FeedState(
            pageSize: options.pageSize,
            stores: options.stores,
            maximumRows: options.maximumRows,
            countsUnread: options.countsUnread
        )
        empty = state.data
    }

    // MARK: What there is to see

    /// The list and the numbers, now.
    public var data: FeedData { isRemoved ? empty : state.data }

    /// Goes on where an earlier life of the app has ended. To be called before ``run()``: what came after `moment` and is not seen is then
    /// announced as caught up, except for `ids`.
    ///
    /// - Parameter moment: Nil: what the service holds at the start is no news.
    package func resume(after moment: Milliseconds?, announced ids: some Sequence<String> & Sendable) {
        state.resume(after: moment, announced: ids)
    }

    /// How the feed stands with the service, now.
    public var connectionState: ConnectionState { status.state }

    /// What happens from now on. Every call makes a listener of its own, which ends when its task is cancelled or the stream is dropped.
    ///
    /// A listener that is behind finds the latest state and the announcements it missed, at most 1,024 of them.
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
                logger.warning("a listener is behind; its oldest announcement is dropped")
            }
            mailboxes[id]?.waiter?.finish()
        }
    }

    // MARK: The end

    /// Ends the feed for good: what it shows is empty, its events and its life end, every further call is refused.
    func remove() async {
        guard !isRemoved else { return }
        isRemoved = true
        emit(.storeUpdate(empty))
        guard let life else { return }
        let end = mourners.add()
        life.finish()
        for await _ in end {}
    }

    func checkNotRemoved() throws(SuprSendError) {
        if isRemoved { throw SuprSendError(.invalidState, "The feed was removed; make another one.") }
    }

    // MARK: From the state to the world

    var now: Milliseconds { Milliseconds(service.workspace.now) }

    /// Tells the listeners, and starts what has become due.
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
            if state.isStale, !isWaitingToLoad { await loading.ring() }
        }
        let next = state.nextDeadline
        let isEarlier = (next ?? .init(.max)) < (noticedDeadline ?? .init(.max))
        noticedDeadline = next
        if isEarlier { await deadline.ring() }
    }
}
