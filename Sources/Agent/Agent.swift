import AgentInterface
package import DBus
import Desktop
package import Inbox
package import Logging
package import Store

/// The agent: everything that runs, put together. `run()` is its life.
package actor Agent {
    /// Makes the service's side of an account.
    package typealias ProviderFactory = @Sendable (AccountConfiguration) throws(ConfigurationError) -> AccountProvider

    /// An account as its service knows it.
    package struct AccountProvider: Sendable {
        package var identity: AccountSession.Identity
        package var provider: any InboxProvider

        package init(identity: AccountSession.Identity, provider: any InboxProvider) {
            self.identity = identity
            self.provider = provider
        }
    }

    private struct Account {
        var configuration: AccountConfiguration
        var session: AccountSession
        var summary = AccountSession.Summary()
    }

    private let version: String
    private let file: ConfigurationFile
    private let bus: Bus
    private let makeProvider: ProviderFactory
    private let surroundings: Surroundings
    private let store: StateStore
    private let logger: Logger
    private let popups: PopupPresenter
    private let opener: LinkOpener
    /// For whoever needs it; nothing depends on there being one.
    let systemBus: SystemBus
    private let machine: MachineWatch

    private var configuration: Configuration
    private var accounts: [Account] = []
    private var pause = Pause()
    private let starts: AsyncStream<Start>
    private let startInput: AsyncStream<Start>.Continuation

    /// What the group of `run()` is asked to begin.
    private enum Start: Sendable {
        case account(AccountSession)
        case pauseTimer(Pause.Timer, after: Duration)
    }

    /// - Parameters:
    ///   - configuration: What `file` held when it was last read.
    ///   - bus: A connection whose `run()` nobody runs yet.
    ///   - systemBus: Where the machine's sleep and its network are told; nil: nowhere.
    ///   - store: Where everything is kept that has to survive the end of the agent.
    package init(
        version: String,
        file: ConfigurationFile,
        configuration: Configuration,
        bus: Bus,
        systemBus: BusAddress? = nil,
        surroundings: Surroundings = Surroundings(),
        store: StateStore,
        logger: Logger,
        makeProvider: @escaping ProviderFactory
    ) {
        self.version = version
        self.file = file
        self.configuration = configuration
        self.bus = bus
        self.surroundings = surroundings
        self.store = store
        self.logger = logger
        self.makeProvider = makeProvider
        self.systemBus = SystemBus(systemBus, logger: logger)
        machine = MachineWatch(
            systemBus: self.systemBus,
            sessionBus: bus,
            clock: surroundings.clock,
            logger: logger
        )
        let server = NotificationServer(bus: bus, logger: logger)
        popups = PopupPresenter(server: server, surroundings: surroundings, logger: logger)
        opener = LinkOpener(
            opener: URLOpener(bus: bus, logger: logger),
            schemes: configuration.popups.openSchemes,
            logger: logger
        )
        (starts, startInput) = AsyncStream.makeStream()
    }

    /// Runs until the task is cancelled, the bus is gone or another agent takes the name.
    ///
    /// - Parameter replacing: Takes the place of the agent that is running, if there is one.
    package func run(replacing: Bool = false) async throws(AgentFailure) {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    try await self.bus.run()
                    throw CancellationError()
                }
                try await export()
                try await apply(configuration)
                let policy = configuration.popups
                group.addTask { try await self.popups.run(policy: policy) { await self.respond(to: $0) } }
                group.addTask { await self.opener.run() }
                let lost = try await takeName(replacing: replacing)
                group.addTask {
                    for await name in lost where name == AgentNames.busName { throw AgentFailure.replaced }
                }
                group.addTask { await self.runStarts() }
                group.addTask { await self.systemBus.run() }
                group.addTask { await self.machine.run { await self.perform($0) } }
            }
        } catch let failure as AgentFailure {
            throw failure
        } catch let error as DBusError where error.name != .cancelled {
            throw .noBus(error)
        } catch let error as ConfigurationError {
            throw .configuration(error)
        } catch {}
        await bus.close()
    }

    private func runStarts() async {
        await withDiscardingTaskGroup { group in
            for await start in starts {
                switch start {
                case .account(let session): group.addTask { await session.run() }
                case .pauseTimer(let timer, let delay): group.addTask { await self.end(timer, after: delay) }
                }
            }
        }
    }

    /// How long an agent that was replaced may take to end before its successor connects all the same.
    private static let patience = Duration.seconds(5)

    /// Owning the name is readiness, so everything is exported before.
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

    /// Two agents that are connected at the same time would show things twice.
    private func waitForEnd(of predecessor: BusName) async throws {
        let owners = try await bus.nameOwnerChanges(of: predecessor)
        await withTaskGroup { group in
            group.addTask { for await change in owners where change.new == nil { break } }
            group.addTask { [surroundings] in try? await surroundings.clock.sleep(for: Self.patience) }
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
        object.handle(AgentRoot.pause) { until in try await self.pause(until: until) }
        object.handle(AgentRoot.resume) { await self.resume() }
        object.handle(AgentRoot.reload) { try await self.reload() }
        object.handle(AgentRoot.reconnect) { await self.reconnect() }
        try await bus.export(object)
        await bus.exportObjectManager(at: AgentNames.agentPath)
    }

    private func publish() async {
        let (accounts, pause) = (accounts, pause)
        await bus.update(AgentNames.agentPath) { changes in
            changes.set(AgentRoot.accounts, accounts.map(\.session.path))
            changes.set(AgentRoot.unreadCount, UInt32(clamping: accounts.reduce(0) { $0 + $1.summary.unread }))
            changes.set(AgentRoot.attentionNeeded, accounts.contains(where: \.summary.needsAttention))
            changes.set(AgentRoot.paused, pause.isOn)
            changes.set(AgentRoot.pausedUntil, pause.until?.milliseconds ?? 0)
        }
    }

    private func reload() async throws(DBusError) {
        do {
            let new = try file.read()
            try await apply(new)
            configuration = new
            popups.post(.policyChanged(new.popups))
            await opener.allow(new.popups.openSchemes)
            logger.notice("configuration read", metadata: ["accounts": "\(new.accounts.count)"])
        } catch let error as ConfigurationError {
            logger.error("configuration not accepted", metadata: ["problem": "\(error)"])
            throw DBusError(.invalidArgs, error.description)
        } catch {
            throw DBusError(reporting: error)
        }
    }

    private func reconnect() async {
        for account in accounts { await account.session.reconnect() }
    }
}

// MARK: Accounts

extension Agent {
    /// Ends the accounts that are no longer configured as they were, and begins the new ones. If one of the new ones is
    /// wrong, nothing happens at all.
    private func apply(_ new: Configuration) async throws {
        var next: [Account] = []
        for configured in new.accounts {
            let running = accounts.first { $0.configuration == configured }
            next.append(try running ?? Account(configuration: configured, session: session(configured)))
        }
        let (before, after) = (accounts, next)
        accounts = next
        for account in before where !after.contains(where: { $0.session === account.session }) {
            await account.session.end()
        }
        for account in after where !before.contains(where: { $0.session === account.session }) {
            try await account.session.export()
            startInput.yield(.account(account.session))
        }
        await publish()
    }

    private func session(_ account: AccountConfiguration) throws(ConfigurationError) -> AccountSession {
        let made = try makeProvider(account)
        return AccountSession(
            identity: made.identity,
            provider: made.provider,
            bus: bus,
            popups: popups,
            opener: opener,
            surroundings: surroundings,
            store: store,
            logger: logger
        ) { [weak self] session, summary in await self?.note(summary, of: session) }
    }

    private func note(_ summary: AccountSession.Summary, of session: AccountSession) async {
        guard let index = accounts.firstIndex(where: { $0.session === session }), accounts[index].summary != summary
        else { return }
        accounts[index].summary = summary
        await publish()
    }

    private func respond(to response: PopupPresenter.Response) async {
        switch response {
        case .activated(let subject, let url, let token):
            if let url { opener.open(url.text, token: token) }
            await session(subject.account)?.interacted(subject.item)
        case .seen(let subjects):
            for (account, subjects) in Dictionary(grouping: subjects, by: \.account) {
                await session(account)?.seen(subjects.map(\.item))
            }
        }
    }

    /// The services of all accounts.
    var providers: [any InboxProvider] { accounts.map(\.session.provider) }

    private func session(_ name: String) -> AccountSession? {
        accounts.first { $0.session.identity.name == name }?.session
    }
}

// MARK: Pausing

extension Agent {
    private func pause(until milliseconds: Int64) async throws(DBusError) {
        let now = surroundings.now()
        let until = milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
        if let until, until <= now {
            throw DBusError(
                .invalidArgs,
                "The time to pause until is past. Give milliseconds since the Unix epoch, or 0."
            )
        }
        let timer = pause.begin(until: until)
        if let until { startInput.yield(.pauseTimer(timer, after: now.duration(to: until))) }
        popups.post(.paused(true, now: now))
        await publish()
    }

    private func resume() async {
        guard pause.isOn else { return }
        pause.end()
        popups.post(.paused(false, now: surroundings.now()))
        await publish()
    }

    private func end(_ timer: Pause.Timer, after delay: Duration) async {
        guard (try? await surroundings.clock.sleep(for: delay)) != nil, pause.isCurrent(timer) else { return }
        await resume()
    }
}
