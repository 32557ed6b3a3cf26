import Basics
import ClientKit
import FoundationEssentials
import Inbox
import Logging
import MagicBell

/// Runs ``InboxMirror``: receives the events, sends the requests, reports the changes.
actor InboxFollower {
    let api: any InboxAPI
    private let realtime: any RealtimeSource
    private let environment: ClientEnvironment
    private let logger: Logger
    /// The present time on the service's clock.
    private let now: @Sendable () -> Timestamp

    private var state: InboxMirror
    private var status = FollowStatus<MagicBellError>() {
        didSet { if status != oldValue { connectionChanged() } }
    }
    private var report: (@Sendable (ServiceEvent) -> Void)?
    private var connectionChange: (@Sendable (FollowStatus<MagicBellError>) -> Void)?
    /// One load at a time.
    private let turn = SerialGate()

    // Only during run().
    private var singles: Mailbox<InboxMirror.SingleRequest>?
    /// Signalled when it has to be loaded, or earlier than before.
    private let loading = WakeSignal()
    private var signalledLoad: Timestamp?
    /// Whether the start waits for the first events.
    private var isStarting = false

    init(
        api: any InboxAPI,
        realtime: any RealtimeSource,
        state: InboxMirror,
        environment: ClientEnvironment,
        now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        self.api = api
        self.realtime = realtime
        self.state = state
        self.environment = environment
        self.now = now
        self.logger = logger
    }

    /// Continues after a previous run, and reports to `report` and `connectionChange` from now on, in order.
    func begin(
        after marks: DeliveryMarks,
        _ report: @escaping @Sendable (ServiceEvent) -> Void,
        connectionChange: @escaping @Sendable (FollowStatus<MagicBellError>) -> Void
    ) {
        state.resume(after: marks, now: now())
        self.report = report
        self.connectionChange = connectionChange
    }

    /// Ends the reports.
    func end() {
        report = nil
        connectionChange = nil
    }

    /// Follows the inbox until the task is cancelled. Call it again to continue: what arrived in between is reported.
    func run() async {
        let singles = Mailbox<InboxMirror.SingleRequest>()
        self.singles = singles
        signalledLoad = state.loadTime
        isStarting = true
        await withDiscardingTaskGroup { group in
            group.addTask { await self.realtime.run { await self.receive($0) } }
            group.addTask { await self.stayLoaded() }
            group.addTask { await self.loadSingles(singles) }
        }
        self.singles = nil
        state.suspend()
        status = FollowStatus()
        apply()
    }

    /// Ends the waits before the next attempts.
    func reconnect() async {
        state.retryNow()
        apply()
        await realtime.reconnect()
    }

    /// The wall clock was set: the times of waits are wrong.
    func wallClockChanged() {
        state.retryNow()
        state.missedEvents()
        apply()
    }

    // MARK: Events

    private func receive(_ update: RealtimeUpdate) {
        switch update {
        case .connecting: status.beginConnecting()
        case .connected(let isContinuous):
            state.retryNow()
            if !isContinuous { state.missedEvents() }
            if !status.isJoined { status.link = .joined(since: now().date) }
            if isStarting { loading.signal() }
        case .lost(let error, let nextAttempt):
            status.link = .lost(.init(error: error, nextAttempt: nextAttempt))
        case .event(let event): state.receive(event, now: now())
        }
        apply()
    }

    /// Reports the effects of a change, and starts the requests that are due.
    private func apply() {
        for event in state.takeReports() { report?(event) }
        guard let singles else { return }
        while let request = state.beginSingle() { singles.send(request) }
        let time = state.loadTime
        defer { signalledLoad = time }
        let isEarlier = time.map { time in signalledLoad.map { time < $0 } ?? true } ?? false
        if isEarlier, !isStarting { loading.signal() }
    }

    private func connectionChanged() { connectionChange?(status) }

    // MARK: Loading

    /// Loads the newest part whenever it may be incomplete.
    private func stayLoaded() async {
        // One load serves both the start and the first events; without events it is loaded as well.
        if !status.isJoined { await loading.wait(atMost: .seconds(1), clock: environment.clock) }
        isStarting = false
        var policy = ReconnectPolicy(scale: environment.waitScale)
        while !Task.isCancelled {
            let delay = state.loadTime.map { now().duration(to: $0) }
            if let delay, delay <= .zero {
                do throws(MagicBellError) {
                    try await load()
                    policy.startOver()
                    status.loading = nil
                } catch {
                    if Task.isCancelled { return }
                    let delay = policy.delay(after: error, jitter: environment.jitter())
                    state.postponeLoad(until: now().advanced(milliseconds: Int64(delay / .milliseconds(1))))
                    let next = environment.date(after: delay)
                    status.loading = .init(error: error, nextAttempt: next)
                    apply()
                }
            } else {
                // At most a minute: the wall clock may be set.
                await loading.wait(atMost: delay.map { min($0, .seconds(60)) }, clock: environment.clock)
            }
        }
    }

    /// Loads the newest part and the counts now.
    func refresh() async throws(MagicBellError) {
        state.missedEvents()
        try await load()
        status.loading = nil
    }

    private func load() async throws(MagicBellError) {
        let cancellation = MagicBellError(.cancelled, "The account was stopped.")
        try await turn.pass(orThrow: cancellation) { () async throws(MagicBellError) in
            // Another call may have loaded it meanwhile.
            guard var request = self.beginLoad() else { return }
            while let next = try await self.loadPage(request) { request = next }
            await self.count()
        }
    }

    private func beginLoad() -> PageRequest? { state.beginLoad(now: now()) }

    private func loadPage(_ request: PageRequest) async throws(MagicBellError) -> PageRequest? {
        do throws(MagicBellError) {
            let page = try await api.page(of: StorePredicate(), after: request.cursor, size: request.size) { part in
                await self.show(part, of: request)
            }
            let next = state.finish(request, page, now: now())
            apply()
            return next
        } catch {
            state.fail(request)
            throw error
        }
    }

    private func show(_ part: StorePage, of request: PageRequest) {
        state.show(part, of: request, now: now())
        apply()
    }

    /// Counts what the newest part does not show. Without an answer, the last counts stay.
    private func count() async {
        for request in state.beginCounts(now: now()) {
            do throws(MagicBellError) {
                let answer = try await api.counts(of: request.predicate)
                state.finish(request, answer, now: now())
            } catch {
                logger.debug("cannot count", metadata: ["reason": "\(error.message)"])
            }
        }
        apply()
    }

    // MARK: Single notifications

    private func loadSingles(_ requests: Mailbox<InboxMirror.SingleRequest>) async {
        await withDiscardingTaskGroup { group in
            for await request in requests.messages {
                group.addTask { await self.load(request) }
            }
        }
    }

    private func load(_ request: InboxMirror.SingleRequest) async {
        var request = request
        while true {
            let failure: MagicBellError
            do throws(MagicBellError) {
                let row = try await api.notification(request.id)
                guard row.id == request.id else { throw Self.wrongRow }
                state.finish(request, row, now: now())
                return apply()
            } catch {
                failure = error
            }
            if Task.isCancelled { return }
            let delay = state.fail(request, failure, now: now())
            apply()
            guard let delay else {
                let metadata: Logger.Metadata = ["id": "\(request.id)", "reason": "\(failure)"]
                return logger.info("notification not loaded", metadata: metadata)
            }
            try? await environment.clock.sleep(for: delay)
            guard !Task.isCancelled, let next = state.beginAgain(request) else { return }
            request = next
        }
    }

    private static let wrongRow = MagicBellError(.unexpectedAnswer, "The service returned another notification.")

    // MARK: The user's changes

    /// A notification as the service has it.
    func notification(_ id: String) async throws(MagicBellError) -> InboxNotification {
        let number = state.beginCheck()
        do throws(MagicBellError) {
            let row = try await api.notification(id)
            state.finishCheck(number, row.id == id ? row : nil)
            return row
        } catch {
            state.finishCheck(number, nil)
            throw error
        }
    }

    /// Sends a change of one notification. Returns when its effect was reported.
    func change(_ id: String, to change: StateChange) async throws(MagicBellError) {
        try await request(change, on: id)
        let request = state.finishAction(change, on: id, now: now())
        if let request {
            let row = try? await api.notification(id)
            state.finish(own: request, row?.id == id ? row : nil, now: now())
        }
        apply()
    }

    func delete(_ id: String) async throws(MagicBellError) {
        try await request(nil, on: id)
        state.finishDeletion(of: id, now: now())
        apply()
    }

    /// Sends a change of one notification; nil: its deletion.
    private func request(_ change: StateChange?, on id: String) async throws(MagicBellError) {
        state.beginAction(change, on: id)
        do throws(MagicBellError) {
            if let change { try await api.change(id, to: change) } else { try await api.delete(id) }
        } catch {
            state.failAction(change, on: id, now: now())
            apply()
            throw error
        }
    }

    /// Marks all notifications of the inbox as read or seen. The user made the change at the time `last`.
    func changeAll(to change: StateChange, upTo last: Timestamp) async throws(MagicBellError) {
        try await api.changeAll(StorePredicate(), to: change)
        state.finishActionOnAll(change, upTo: last, now: now())
        apply()
    }

    /// The number of notifications of a predicate in the newest part at or above a time.
    func count(of predicate: StorePredicate, downTo time: Timestamp) -> Int {
        state.rows.count(of: predicate, downTo: time)
    }
}
