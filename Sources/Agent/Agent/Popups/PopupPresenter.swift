import Basics
import DBus
package import Inbox
import Logging

/// Runs the `Popups` state machine: performs its effects (popups, storage, timers) and sends it the events of the
/// notification server.
package actor PopupPresenter {
    /// The time that the session's own server has to start before D-Bus activation: an early activation at login could
    /// start another server.
    package static let graceAtStart = Duration.seconds(10)
    private static let earlySignalLimit = 1_024

    let bus: Bus
    let server: NotificationServer
    var memory: PopupMemory
    /// nil: popups have no pictures.
    let pictures: (any PictureSource)?
    /// Callers of ``picture(of:_:)``.
    var pictureWaiters: [PictureURL: [Mailbox<String?>]] = [:]
    let icon = ApplicationIcon.installed(DesktopNotification.desktopEntry)
    let environment: AgentEnvironment
    let logger: Logger
    private(set) var popups: Popups
    /// The id of the bus, once the previous run's state is restored.
    private var busID: String?
    private var restorationWaiters = Waiters()
    /// Events received before then; of the server's signals, the first ``earlySignalLimit``.
    private var early: [Popups.Event] = []
    private var earlySignals: [ServerSignal] = []
    /// The last server of which ``quietStateBecameKnown(of:)`` was called before then.
    private var earlyKnown: BusName?
    /// The calls of the server, in order.
    let calls = Mailbox<@Sendable () async -> Void>()
    /// The number of calls that have not ended.
    var callsUnderWay = 0
    /// Whether the server has shown a new popup in this turn of the loop, at whose end its signals are handled: some of
    /// them may have been sent before the reply.
    var hasNewPopup = false
    /// The number of requests to the agent that are not performed yet.
    var responsesUnderWay = 0
    /// Whether ``finish()`` was called.
    var isFinishing = false
    var idleWaiters = Waiters()
    /// Requests to the agent, and the popups to discard and to close at this server after them: an open popup can be
    /// clicked again.
    let responses = Mailbox<([Popups.Response], ends: [Popups.Effect], server: String)>()
    private let serverRequests = Mailbox<Void>(.bufferingNewest(1))
    private let timers: [Popups.Timer: RestartableTimer] = [
        .catchUp: RestartableTimer(), .burst: RestartableTimer(), .expiry: RestartableTimer(),
        .full: RestartableTimer(), .digest: RestartableTimer(), .picture: RestartableTimer(),
        .revival: RestartableTimer(),
    ]

    init(
        bus: Bus,
        store: StateStore,
        policy: PopupPolicy,
        pictures: (any PictureSource)? = nil,
        environment: AgentEnvironment,
        logger: Logger
    ) {
        self.bus = bus
        server = NotificationServer(bus: bus, logger: logger)
        memory = PopupMemory(store: store, logger: logger)
        self.pictures = pictures
        popups = Popups(policy: policy, localTime: environment.localTime)
        self.environment = environment
        self.logger = logger
    }

    /// The bus's: an account's event becomes a popup without a change of executors.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Handles an event at once. For callers that run on the bus's executor.
    package nonisolated func post(_ event: Popups.Event) { assumeIsolated { $0.receive(event) } }

    /// The popup that shows this notification and no other, also if only the previous run has shown it.
    func open(showing reference: NotificationReference) async -> OpenPopup? {
        if busID == nil { await restorationWaiters.add().wait() }
        return popups.open(showing: reference)
    }

    /// Which rules apply to a notification if it arrives now, in the form of `dbus/org.feedbell.Agent1.xml`.
    func ruleChecks(_ notification: Notification, of account: String) -> [[String: Value]] {
        popups.rules.dictionaries(popups.ruleChecks(notification, of: account, now: environment.now()))
    }

    /// Receives the servers' signals from now on. ``run(_:)`` handles clicks since then.
    func followSignals() async throws(DBusError) {
        try await server.followSignals { [weak self] (message) throws(DBusError) in
            guard let signal = try ServerSignal(message) else { return }
            self?.assumeIsolated { $0.receive(signal) }
        }
    }

    /// Shows popups until the task is cancelled or the bus connection ends.
    func run(_ respond: @escaping @Sendable (Popups.Response) async -> Void) async throws {
        do {
            try await restore()
            try await showPopups(respond)
        } catch {
            // Accounts record arrivals from the start, also if the popups of the previous run were never restored.
            await memory.save()
            throw error
        }
        await memory.save()
    }

    private func restore() async throws {
        let id = try await server.busID
        let (marks, open) = await memory.load()
        _ = popups.receive(.restored(marks, open))
        busID = id
        restorationWaiters.wakeAll()
        for event in early { receive(event) }
        for signal in earlySignals { receive(signal) }
        if let earlyKnown { quietStateBecameKnown(of: earlyKnown) }
        (early, earlySignals, earlyKnown) = ([], [], nil)
    }

    private func showPopups(_ respond: @escaping @Sendable (Popups.Response) async -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await self.server.followServers { await self.serverChanged(to: $0) } }
            group.addTask { await self.runCalls() }
            group.addTask { await self.runResponses(respond) }
            group.addTask { await self.startServers() }
            group.addTask { await self.loadPictures() }
            for (id, timer) in timers {
                group.addTask { [environment] in
                    await timer.run(clock: environment.clock) { await self.fired(id) }
                }
            }
        }
    }

    // MARK: Events

    func receive(_ event: Popups.Event) {
        guard busID != nil else { return early.append(event) }
        let effects = popups.receive(event)
        let server = popups.server ?? ""
        var newCall: (@Sendable () async -> Void)?
        var kept: [Popups.Effect] = []
        var ends: [Popups.Effect] = []
        var responses: [Popups.Response] = []
        var wanted: [PictureURL] = []
        for effect in effects {
            switch effect {
            case .notify(let request, let popup, let replaced):
                newCall = { await self.notify(request, popup, replacing: replaced, at: server) }
            // Nothing waits for these.
            case .respond(.serverIsFull(let isFull)): ask([.serverIsFull(isFull)], at: server)
            case .respond(.patternExceedsLimit(let pattern)): ask([.patternExceedsLimit(pattern)], at: server)
            case .respond(let response): responses.append(response)
            case .loadPicture(let url): wanted.append(url)
            case .needServer: serverRequests.send()
            case .wait(let timer, let delay): timers[timer]?.set(after: delay)
            case .close, .forget: ends.append(effect)
            case .delivered, .snoozesShown, .keep, .forgetServers: kept.append(effect)
            }
        }
        memory.record(kept)
        if responses.isEmpty {
            // If the server accepts no more popups, close old ones first.
            end(ends, at: server)
        } else {
            ask(responses, thenEnding: ends, at: server)
        }
        if let newCall { send(newCall) }
        for url in wanted {
            if let pictures { pictures.request(url) } else { receive(.pictureLoaded(url, file: nil)) }
        }
    }

    private func fired(_ timer: Popups.Timer) { receive(.fired(timer, now: environment.now())) }

    private func receive(_ signal: ServerSignal) {
        guard let busID else {
            if earlySignals.count < Self.earlySignalLimit { earlySignals.append(signal) }
            return
        }
        var signal = signal
        signal.server = "\(busID) \(signal.server)"
        receive(.signal(signal, isBesideReply: hasNewPopup, now: environment.now()))
    }

    func serverChanged(to server: (owner: BusName, information: NotificationServer.Information)?) {
        guard let (owner, information) = server else { return receive(.serverVanished) }
        let features = ServerFeatures(
            capabilities: information.capabilities,
            name: information.name,
            vendor: information.vendor,
            version: information.version,
            isKnown: information.isKnown
        )
        let alias = information.broadcaster.map(name)
        let (closed, now) = (information.closed, environment.now())
        receive(.serverAppeared(server: name(owner), features, closed: closed, alias: alias, now: now))
    }

    /// Shows the popups that a server would have discarded while its do-not-disturb state was unknown.
    ///
    /// - Parameter owner: The server's unique name.
    func quietStateBecameKnown(of owner: BusName) {
        guard busID != nil else { return earlyKnown = owner }
        receive(.quietKnown(server: name(owner), now: environment.now()))
    }

    /// The name of a server that no other one ever has.
    private func name(_ owner: BusName) -> String { "\(busID ?? "") \(owner.text)" }

    private func startServers() async {
        guard (try? await environment.clock.sleep(for: Self.graceAtStart)) != nil else { return }
        for await _ in serverRequests.messages where await server.isMissing { await server.start() }
    }
}
