import AgentInterface
import Basics
import DBus
import Inbox
import Logging
import Store

/// The preferences of a running account: loads and publishes them, keeps the user's changes on disk and sends them.
/// ``PreferenceSync`` decides.
actor AccountPreferences {
    /// How long a call waits for stale preferences to be loaded again.
    private static let reloadTimeout = Duration.seconds(3)

    let capabilities: Capabilities
    let service: String
    private let provider: any PreferencesProvider
    private let bus: Bus
    private let path: ObjectPath
    private let storage: OutboxStorage<PreferenceChange>
    private let environment: AgentEnvironment
    private let logger: Logger
    /// The time since the creation of this object.
    private let time: @Sendable () -> Duration

    private var sync: PreferenceSync
    private var connection = Connection.State.connecting
    private var isRestored = false
    private var restorationWaiters = Waiters()
    private var isEnded = false
    /// The load that callers share.
    private var isLoading = false
    private var loadFailure: ProviderFailure?
    private var loadWaiters = Waiters()
    /// The results of the `Flush` calls.
    private var flushes: [UInt64: Mailbox<ProviderFailure?>] = [:]
    private var lastFlush: UInt64 = 0
    private let effects = Mailbox<PreferenceOutbox.Effect>()

    init(
        _ provider: any PreferencesProvider,
        of account: AccountSession.Identity,
        rules: ServiceRules,
        capabilities: Capabilities,
        bus: Bus,
        path: ObjectPath,
        store: StateStore,
        environment: AgentEnvironment,
        logger: Logger
    ) {
        self.provider = provider
        service = account.provider
        self.capabilities = capabilities
        self.bus = bus
        self.path = path
        storage = OutboxStorage(store: store, owner: account.key, logger: logger)
        self.environment = environment
        self.logger = logger
        time = environment.clock.stopwatch()
        sync = PreferenceSync(rules: rules)
    }

    // MARK: The account's lifetime

    /// Restores the pending changes of the previous run.
    func restore() async {
        if let (changes, last) = await storage.load() { await process(.restored(changes, last: last)) }
        isRestored = true
        restorationWaiters.wakeAll()
    }

    /// Follows the preferences and sends changes, until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.provider.run { try? await self.load() } }
            for await effect in effects.messages {
                group.addTask { await self.perform(effect) }
            }
            group.cancelAll()
        }
        for result in flushes.values { result.close() }
    }

    /// The state of the account's connection changed.
    func connectionChanged(to state: Connection.State) async {
        let isBack = state == .online && connection != .online
        connection = state
        if isBack { await process(.reachable) }
    }

    /// The account's object is no longer on the bus.
    func end() { isEnded = true }

    private func untilRestored() async throws(DBusError) {
        while !isRestored {
            if Task.isCancelled { throw DBusError(.cancelled, "The account was stopped.") }
            await restorationWaiters.add().wait()
        }
    }

    // MARK: Calls

    /// The preferences with the user's pending changes. Stale ones are loaded again first; if that fails or exceeds the
    /// timeout, the stale ones are returned.
    func shown() async throws(DBusError) -> PreferencesContents {
        try await untilRestored()
        if sync.reported != nil, connection == .online, sync.isStale(now: time()) {
            await withTaskGroup { [clock = environment.clock] group in
                group.addTask { try? await self.loadOnce() }
                group.addTask { try? await clock.sleep(for: Self.reloadTimeout) }
                await group.next()
                group.cancelAll()
            }
        }
        _ = try await request { () async throws(ProviderFailure) in try await self.reported() }
        return sync.shown ?? PreferencesContents()
    }

    /// Applies a change at once and sends it in the background.
    func submit(_ change: PreferenceChange) async throws(DBusError) {
        try await untilRestored()
        let checked = try await request { () async throws(ProviderFailure) in
            try await self.reported().checked(change)
        }
        await process(.submitted(checked))
    }

    /// Sends the pending changes, and returns when the service has confirmed all of them. Throws the first failure.
    /// Changes stay pending and are retried if the service is unreachable or rejects the credentials.
    func flush() async throws(DBusError) {
        try await untilRestored()
        // Both the connection and the last request failed: another attempt would only delay the error.
        if let obstacle = sync.outbox.obstacle, [.offline, .unauthorized].contains(connection) {
            throw obstacle.flushError
        }
        lastFlush += 1
        let id = lastFlush
        let result = Mailbox<ProviderFailure?>()
        flushes[id] = result
        defer { flushes[id] = nil }
        await process(.flush(id: id))
        for await failure in result.messages {
            if let failure { throw failure.flushError }
            return
        }
        throw DBusError(AgentErrors.offline, "The account was stopped. Pending changes are sent when it runs again.")
    }

    /// Loads the preferences again.
    func refresh() async throws(DBusError) {
        try await request { () async throws(ProviderFailure) in try await self.load() }
    }

    /// Performs a request to the service, and converts its failure to a D-Bus error.
    private func request<Result: Sendable>(
        _ body: () async throws(ProviderFailure) -> Result
    ) async throws(DBusError) -> Result {
        do { return try await body() } catch { throw error.busError }
    }

    // MARK: Loading

    /// What the service last said. Loads it if it never did.
    private func reported() async throws(ProviderFailure) -> PreferencesContents {
        if sync.reported == nil { try await loadOnce() }
        guard let contents = sync.reported else { throw ProviderFailure(.transient, "The account was stopped.") }
        return contents
    }

    /// Loads the preferences. Concurrent callers share one request.
    private func loadOnce() async throws(ProviderFailure) {
        if isLoading {
            await loadWaiters.add().wait()
            if let loadFailure { throw loadFailure }
            return
        }
        isLoading = true
        defer {
            isLoading = false
            loadWaiters.wakeAll()
        }
        do {
            try await load()
            loadFailure = nil
        } catch {
            loadFailure = error
            throw error
        }
    }

    private func load() async throws(ProviderFailure) {
        let number = sync.beginLoad()
        do {
            sync.finishLoad(number, try await provider.load(), now: time())
        } catch {
            sync.finishLoad(number, nil, now: time())
            throw error
        }
        await publishDifference()
    }

    // MARK: Effects

    /// Writes to disk before D-Bus and the service: a change that was confirmed or sent is never lost.
    private func process(_ event: PreferenceOutbox.Event, answer: PreferenceAnswer? = nil) async {
        let effects = sync.receive(event, answer: answer)
        await storage.save(effects)
        let count = UInt32(clamping: sync.outbox.count)
        if !isEnded { await bus.update(path) { $0.set(AgentPreferences.pending, count) } }
        for case .rejected(let target, let failure) in effects { await reportRejection(of: target, failure) }
        await publishDifference()
        for effect in effects { self.effects.send(effect) }
    }

    private func perform(_ effect: PreferenceOutbox.Effect) async {
        switch effect {
        case .send(let entries): await send(entries)
        case .startTimer(let timer, let delay):
            guard (try? await environment.clock.sleep(for: delay)) != nil else { return }
            await process(.timerFired(timer))
        case .flushed(let id, let failure): flushes[id]?.send(failure)
        case .keep, .forget, .rejected: break
        }
    }

    private func send(_ entries: [PreferenceOutbox.Entry]) async {
        do throws(ProviderFailure) {
            let contents = try await currentContents()
            var valid: [PreferenceOutbox.Entry] = []
            for entry in entries {
                // It was checked when it was submitted, but perhaps in a previous run.
                do throws(ProviderFailure) {
                    _ = try contents.checked(entry.change)
                    valid.append(entry)
                } catch {
                    await process(.failed([entry.number], error, jitter: 0))
                }
            }
            if !valid.isEmpty { await send(valid, to: contents) }
        } catch {
            await process(.failed(entries.map(\.number), error, jitter: environment.jitter()))
        }
    }

    /// What the service said within the last minute: a request replaces all choices of a category, also those that were
    /// made elsewhere. A failure to load does not reject the change: it is transient, unless the credentials are
    /// rejected.
    private func currentContents() async throws(ProviderFailure) -> PreferencesContents {
        do {
            if sync.isStale(now: time()) { try await loadOnce() }
            return try await reported()
        } catch {
            throw error.kind == .unauthorized ? error : ProviderFailure(.transient, error.sentence)
        }
    }

    private func send(_ entries: [PreferenceOutbox.Entry], to contents: PreferencesContents) async {
        let numbers = entries.map(\.number)
        do throws(ProviderFailure) {
            let answer = try await provider.apply(entries.map(\.change), to: contents)
            // The change is confirmed, even if the rest cannot be loaded.
            let isLoaded = answer.isPartial ? (try? await load()) != nil : false
            await process(.confirmed(numbers), answer: isLoaded ? nil : answer)
        } catch {
            await process(.failed(numbers, error, jitter: environment.jitter()))
        }
    }

    // MARK: Signals

    private func publishDifference() async {
        guard let categories = sync.takeDifference(), !isEnded else { return }
        let dictionaries = categories.map(\.dictionary)
        do { try await bus.emit(AgentPreferences.updated, (dictionaries), from: path) } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    /// Reports changes that the service rejected. They were reverted already.
    private func reportRejection(of target: PreferenceChange.Target, _ failure: ProviderFailure) async {
        guard !isEnded else { return }
        logger.warning(
            "the service rejected a preference change",
            metadata: ["target": "\(target.name)", "reason": "\(failure.sentence)"]
        )
        do {
            let error = failure.errorName.text
            try await bus.emit(AgentPreferences.updateFailed, (target.name, error, failure.sentence), from: path)
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }
}

extension ProviderFailure {
    /// The error of `Flush`. Its message states whether the change is retried.
    fileprivate var flushError: DBusError {
        guard isTransient else { return busError }
        return DBusError(errorName, sentence + " The changes are kept and retried.")
    }
}

extension Clock where Duration == Swift.Duration {
    /// A function that returns the time since this call.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
