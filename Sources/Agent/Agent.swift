import AgentInterface
import Basics
package import DBus
import Desktop
package import Inbox
package import Logging
package import ServiceKit
package import Store

/// The agent: starts and connects all of its parts.
package actor Agent {
    /// Creates the provider of an account.
    package typealias ProviderFactory = @Sendable (AccountConfiguration) throws(ConfigurationError) -> AccountProvider

    /// The provider of an account, and the account's identity at its service.
    package struct AccountProvider: Sendable {
        package var identity: AccountSession.Identity
        package var provider: any InboxProvider

        package init(identity: AccountSession.Identity, provider: any InboxProvider) {
            self.identity = identity
            self.provider = provider
        }

        /// Creates the provider by the account's service.
        package init(
            _ account: AccountConfiguration,
            environment: ServiceEnvironment
        ) throws(ConfigurationError) {
            let service = account.service
            identity = AccountSession.Identity(
                name: account.name,
                provider: type(of: service).description.name,
                user: service.user,
                key: service.inboxKey
            )
            do { provider = try service.makeProvider(environment) } catch {
                throw ConfigurationError(file: "accounts.\(account.name)", problem: error.sentence)
            }
        }
    }

    struct Account {
        var configuration: AccountConfiguration
        var session: AccountSession
        var summary = AccountSession.Summary()
    }

    private let version: String
    private let file: ConfigurationFile
    let bus: Bus
    let makeProvider: ProviderFactory
    let environment: AgentEnvironment
    let store: StateStore
    let logger: Logger
    let popups: PopupPresenter
    let opener: LinkOpener
    /// Optional: without it, suspend and network state are unknown.
    let systemBus: SystemBus
    private let machine: MachineWatch

    var configuration: Configuration
    private var isReloading = false
    private var reloadWaiters: [CheckedContinuation<Void, Never>] = []
    var accounts: [Account] = []
    var pause = Pause()
    let endOfPause = RestartableTimer()
    let quietHoursTimer = RestartableTimer()
    /// The active reasons to suppress popups; true: critical ones are shown.
    var holds: [Popups.HoldReason: Bool] = [:]
    /// Whether popups wait because the notification server rejects more.
    var isServerFull = false
    /// The accounts that `run()` starts.
    private let started: AsyncStream<AccountSession>
    let start: AsyncStream<AccountSession>.Continuation

    /// - Parameters:
    ///   - configuration: The last content of `file`.
    ///   - bus: A connection whose `run()` was not called yet.
    ///   - systemBus: The bus of logind and NetworkManager; nil: none.
    ///   - store: Holds the state that survives the agent.
    package init(
        version: String,
        file: ConfigurationFile,
        configuration: Configuration,
        bus: Bus,
        systemBus: BusAddress? = nil,
        environment: AgentEnvironment = AgentEnvironment(),
        store: StateStore,
        logger: Logger,
        makeProvider: @escaping ProviderFactory
    ) {
        self.version = version
        self.file = file
        self.configuration = configuration
        self.bus = bus
        self.environment = environment
        self.store = store
        self.logger = logger
        self.makeProvider = makeProvider
        self.systemBus = SystemBus(systemBus, logger: logger)
        machine = MachineWatch(
            systemBus: self.systemBus,
            sessionBus: bus,
            clock: environment.clock,
            logger: logger
        )
        let server = NotificationServer(bus: bus, logger: logger)
        let memory = PopupMemory(store: store, logger: logger)
        popups = PopupPresenter(server: server, memory: memory, environment: environment, logger: logger)
        opener = LinkOpener(
            opener: URLOpener(bus: bus, logger: logger),
            schemes: configuration.popups.openSchemes,
            clock: environment.clock,
            logger: logger
        )
        (started, start) = AsyncStream.makeStream()
    }

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
                let signals = try await popups.subscribe()
                try await export()
                try await apply(configuration)
                group.addTask { await self.opener.run() }
                let lost = try await takeName(replacing: replacing)
                group.addTask {
                    for await name in lost where name == AgentNames.busName { throw AgentFailure.replaced }
                }
                try await lockState()
                await useState()
                // From here on no other agent uses the state file.
                let policy = configuration.popups
                group.addTask { try await self.popups.run(signals, policy: policy) { await self.respond(to: $0) } }
                group.addTask { await self.runAccounts() }
                group.addTask { await self.store.run(clock: self.environment.clock) }
                group.addTask { await self.systemBus.run() }
                group.addTask { await self.runHoldSources() }
                group.addTask { await self.machine.run { await self.perform($0) } }
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

    private func runAccounts() async {
        await withDiscardingTaskGroup { group in
            for await session in started { group.addTask { await session.run() } }
        }
    }

    /// The time that a replaced agent may take to end before its successor connects anyway.
    private static let replacementTimeout = Duration.seconds(5)

    /// The bus name signals readiness, so all objects are exported before.
    private func takeName(replacing: Bool) async throws -> AsyncStream<BusName> {
        let lost = try await bus.lostNames()
        let predecessor = replacing ? try await bus.nameOwner(of: AgentNames.busName) : nil
        let flags: NameFlags = [.doNotQueue, .allowReplacement]
        let reply = try await bus.requestName(
            AgentNames.busName,
            flags: replacing ? flags.union(.replaceExisting) : flags
        )
        guard reply.isOwner else { throw AgentFailure.alreadyRunning }
        if let predecessor { try await waitForEnd(of: predecessor) }
        logger.notice("ready", metadata: ["version": "\(version)", "accounts": "\(accounts.count)"])
        return lost
    }

    /// Two agents that are connected at the same time would show notifications twice.
    private func waitForEnd(of predecessor: BusName) async throws {
        let owners = try await bus.nameOwnerChanges(of: predecessor)
        await withTaskGroup { group in
            group.addTask { for await change in owners where change.new == nil { break } }
            group.addTask { [environment] in try? await environment.clock.sleep(for: Self.replacementTimeout) }
            await group.next()
            group.cancelAll()
        }
    }
}

// MARK: The agent's object

extension Agent {
    private func export() async throws(DBusError) {
        var object = ExportedObject(AgentNames.agentPath)
        object.set(AgentRoot.version, version)
        object.set(AgentRoot.accounts, [])
        object.set(AgentRoot.unreadCount, 0)
        object.set(AgentRoot.attentionNeeded, false)
        object.set(AgentRoot.paused, false)
        object.set(AgentRoot.pausedUntil, 0)
        object.set(AgentRoot.heldBack, [])
        object.handle(AgentRoot.pause) { until in try await self.pause(until: until) }
        object.handle(AgentRoot.resume) { await self.resume() }
        object.handle(AgentRoot.reload) { try await self.reload() }
        object.handle(AgentRoot.reconnect) { await self.reconnect() }
        try await bus.export(object)
        await bus.exportObjectManager(at: AgentNames.agentPath)
    }

    func publish() async {
        let (accounts, pause) = (accounts, pause)
        let heldBack = holds.keys.map(\.name).sorted() + (isServerFull ? ["server-full"] : [])
        await bus.update(AgentNames.agentPath) { changes in
            changes.set(AgentRoot.accounts, accounts.map(\.session.path))
            changes.set(AgentRoot.unreadCount, UInt32(clamping: accounts.reduce(0) { $0 + $1.summary.unread }))
            changes.set(AgentRoot.attentionNeeded, accounts.contains(where: \.summary.needsAttention))
            changes.set(AgentRoot.paused, pause.isOn)
            changes.set(AgentRoot.pausedUntil, pause.until?.milliseconds ?? 0)
            changes.set(AgentRoot.heldBack, heldBack)
        }
    }

    /// One at a time: two interleaved reloads could leave an account running that is in no list.
    private func reload() async throws(DBusError) {
        while isReloading { await withCheckedContinuation { reloadWaiters.append($0) } }
        isReloading = true
        defer {
            isReloading = false
            for waiter in reloadWaiters { waiter.resume() }
            reloadWaiters = []
        }
        do {
            let new = try file.read()
            try await apply(new)
            configuration = new
            await useState()
            popups.post(.policyChanged(new.popups))
            await updateQuietHours()
            await opener.allow(new.popups.openSchemes)
            logger.notice("configuration read", metadata: ["accounts": "\(new.accounts.count)"])
        } catch let error as ConfigurationError {
            logger.error("configuration rejected", metadata: ["problem": "\(error)"])
            throw DBusError(.invalidArgs, error.description)
        } catch {
            throw DBusError(reporting: error)
        }
    }

    private func reconnect() async {
        for account in accounts { await account.session.reconnect() }
    }
}
