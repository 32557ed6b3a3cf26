import AgentInterface
import Basics
package import DBus
package import Inbox
package import Logging

/// The agent: starts and connects all of its parts.
package actor Agent {
    struct Account {
        var configuration: AccountConfiguration
        var session: AccountSession
        var summary = AccountSession.Summary()
        /// Whether another account has the same inbox, so that this one is stopped.
        var isSecond = false
    }

    let version: String
    let file: ConfigurationFile
    let bus: Bus
    let makeInboxService: InboxServiceFactory
    let environment: AgentEnvironment
    let store: StateStore
    let connections: (any ServiceConnections)?
    let inboxes: InboxStore
    let logger: Logger
    let popups: PopupPresenter
    let signInPopups: SignInPopupPresenter
    /// nil: no account signs in with the browser.
    let browserSignIns: BrowserSignIns?
    let signIns: SignIns?
    let opener: LinkOpener
    let tray: TrayIcon
    let badge: LauncherBadgePublisher
    /// Optional: without it, suspend and network state are unknown.
    let systemBus: SystemBus
    private let host: HostWatch

    var configuration: Configuration
    /// Why the changed configuration is not used; empty: it is.
    var configurationProblem = ""
    let reloading = SerialGate()
    let configurationTimer = RestartableTimer()
    var isConfigurationDelayed = false
    /// nil: none.
    let serviceManager: ServiceManager?
    var serviceReports = ServiceReports()
    var accounts: [Account] = []
    var pause = Pause()
    let endOfPause = RestartableTimer()
    let quietHoursTimer = RestartableTimer()
    let endOfRule = RestartableTimer()
    /// The rules that clients know, without those that have ended.
    var appliedRules = Rules()
    /// The patterns of these that exceeded a limit.
    var exceedingPatterns: [Rules.ExceedingPattern] = []
    /// Rules are tried one by one: each one may need a processor for a while.
    let trying = SerialGate()
    var holds = PopupHolds()
    /// Whether the session is locked.
    var isLocked = false
    /// Whether popups wait because the notification server rejects more.
    var isServerFull = false
    /// The accounts that `run()` starts.
    let started = Mailbox<AccountSession>()
    /// Accounts whose tokens are of other users.
    let identified = Mailbox<(AccountSession, InboxOwner)>()
    /// Whether no other agent uses the state file.
    var ownsState = false
    /// Windows and pages are opened one by one.
    let openingGate = SerialGate()
    var openings = RecentOpenings()
    /// The notifications that the latest searches of the desktop have found, and Plasma's activation token.
    var hits = SearchHits()

    /// - Parameters:
    ///   - configuration: The last content of `file`.
    ///   - bus: A connection whose `run()` was not called yet.
    ///   - systemBus: The bus of logind and NetworkManager; nil: none.
    ///   - store: Holds the state that survives the agent.
    ///   - connections: The connections of all accounts; nil: there are none of this computer's.
    ///   - pictures: Loads the pictures of popups; nil: popups have none.
    ///   - serviceManager: The service manager that started this process; nil: none.
    ///   - signIns: The sign-ins that the inboxes of accounts use; nil: none does.
    package init(
        version: String,
        file: ConfigurationFile,
        configuration: Configuration,
        bus: Bus,
        systemBus: BusAddress? = nil,
        environment: AgentEnvironment = AgentEnvironment(),
        store: StateStore,
        connections: (any ServiceConnections)? = nil,
        pictures: (any PictureSource)? = nil,
        serviceManager: ServiceManager? = nil,
        signIns: SignIns? = nil,
        logger: Logger,
        makeInboxService: @escaping InboxServiceFactory
    ) {
        self.version = version
        self.file = file
        self.configuration = configuration
        self.bus = bus
        self.environment = environment
        self.store = store
        inboxes = InboxStore(beside: store)
        self.connections = connections
        self.serviceManager = serviceManager
        self.logger = logger
        self.makeInboxService = makeInboxService
        self.systemBus = SystemBus(systemBus, loop: bus.loop, logger: logger)
        host = HostWatch(
            systemBus: self.systemBus,
            sessionBus: bus,
            clock: environment.clock,
            logger: logger
        )
        popups = PopupPresenter(
            bus: bus,
            store: store,
            policy: configuration.popups,
            pictures: pictures,
            environment: environment,
            logger: logger
        )
        self.signIns = signIns
        browserSignIns = signIns.map {
            BrowserSignIns(bus: bus, signIns: $0, environment: environment, logger: logger)
        }
        signInPopups = SignInPopupPresenter(bus: bus, clock: environment.clock, logger: logger)
        opener = LinkOpener(
            opener: URLOpener(bus: bus, logger: logger),
            schemes: configuration.popups.openSchemes,
            clock: environment.clock,
            logger: logger
        ) { [notice = NoticePopup(bus: bus, logger: logger)] in await notice.show($0) }
        tray = TrayIcon(
            bus: bus,
            icons: TrayIcons(.installed(DesktopNotification.desktopEntry + "-symbolic")),
            clock: environment.clock,
            logger: logger
        )
        badge = LauncherBadgePublisher(bus: bus, clock: environment.clock, logger: logger)
    }

    /// The bus's: what is published is sent at once and in order.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Runs until the task is cancelled, the bus connection ends or another agent acquires the bus name.
    ///
    /// - Parameter replacing: Replace the agent that is running, if there is one.
    package func run(replacing: Bool = false) async throws(AgentFailure) {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    try await self.bus.run()
                    throw CancellationError()
                }
                // As early as possible: the signal of an earlier click is lost.
                try await popups.followSignals()
                try await export()
                await lockStateEarly()
                logUnused()
                try await apply(configuration)
                updateRules()
                group.addTask { await self.opener.run() }
                group.addTask { await self.runServiceReports() }
                let lost = try await bus.lostNames()
                try await endPredecessor(replacing: replacing)
                try await lockState()
                try await takeNames(replacing: replacing)
                group.addTask {
                    for await name in lost where name == AgentNames.busName {
                        await self.prepareToEnd()
                        throw AgentFailure.replaced
                    }
                }
                try await restoreOwners()
                await useState()
                await restorePause()
                // From here on no other agent uses the state file.
                group.addTask { try await self.popups.run { await self.respond(to: $0) } }
                group.addTask { await self.runSignInPopups() }
                group.addTask { await self.runSignIns() }
                group.addTask { await self.showUnused() }
                group.addTask { await self.runAccounts() }
                group.addTask { await self.followConfigurationFile() }
                group.addTask { await self.followOwners() }
                group.addTask { await self.store.run(clock: self.environment.clock) }
                group.addTask { await self.inboxes.run(clock: self.environment.clock) }
                group.addTask { await self.systemBus.run() }
                group.addTask { await self.runHoldSources() }
                group.addTask { await self.followTimeZone() }
                group.addTask { await self.applySearch() }
                group.addTask { await self.runPresence() }
                group.addTask { await self.host.run { await self.perform($0) } }
            }
        } catch let failure as AgentFailure {
            throw failure
        } catch let error as DBusError where error.name != .cancelled && !Task.isCancelled {
            throw .noBus(error)
        } catch let error as ConfigurationError {
            throw .configuration(error)
        } catch {}
        await bus.close()
    }

    /// Lets the popup that is being shown be recorded, and performs the user's actions so far: a click is recorded, and
    /// its link opened. Takes a few seconds at most. Call it before the task of ``run(replacing:)`` is cancelled.
    package func prepareToEnd() async {
        await popups.finish()
        await opener.finish()
        await sendHeld()
        await signIns?.finish()
    }

    private func runAccounts() async {
        await withDiscardingTaskGroup { group in
            for await session in started.messages { group.addTask { await session.run() } }
        }
    }

    /// Performs an effect on all accounts concurrently.
    func perform(_ effect: HostPowerState.Effect) async {
        switch effect {
        case .checkConnections(let probes):
            guard let connections, await connections.checkConnections(probes: probes) else { return }
            return await perform(.reconnectNow)
        case .retryNow:
            if await connections?.checkConnections(probes: false) == true { return await perform(.reconnectNow) }
            return await retryConnections()
        case .reconnectNow: await connections?.resetConnections()
        case .suspend:
            await sendHeld()
            await signIns?.finish()
        default: break
        }
        let services = accounts.map(\.session.service)
        await withDiscardingTaskGroup { group in
            for service in services { group.addTask { await service.perform(effect) } }
        }
        if case .wallClockChanged = effect { await clockChanged() }
    }

    private func retryConnections() async {
        for session in accounts.map(\.session) where await session.connection.state != .online {
            await session.service.reconnectNow()
        }
    }
}
