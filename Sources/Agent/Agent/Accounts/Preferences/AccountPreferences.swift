import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The preferences of a running account: loads and publishes them, keeps the user's changes on disk and sends them.
/// ``PreferenceSync`` decides.
actor AccountPreferences {
    /// How long a call waits for stale preferences to be loaded again.
    private static let reloadTimeout = Duration.seconds(3)

    let capabilities: Capabilities
    /// The account and its service, in messages.
    let subject: String
    let service: any PreferencesService
    let bus: Bus
    let path: ObjectPath
    let storage: OutboxStorage<PreferenceChange>
    let environment: AgentEnvironment
    let logger: Logger
    /// The time since the creation of this object.
    let time: @Sendable () -> Duration

    var sync: PreferenceSync
    private var connection = Connection.State.connecting
    private var isRestored = false
    private var restorationWaiters = Waiters()
    private(set) var isEnded = false
    /// The load that callers share.
    var isLoading = false
    var loadFailure: ServiceFailure?
    var loadWaiters = Waiters()
    /// The results of the `Flush` calls.
    private(set) var flushes: [UInt64: Mailbox<ServiceFailure?>] = [:]
    private var lastFlush: UInt64 = 0
    let effects = Mailbox<PreferenceOutbox.Effect>()

    init(
        _ service: any PreferencesService,
        of account: AccountSession.Identity,
        rules: ServiceRules,
        capabilities: Capabilities,
        bus: Bus,
        path: ObjectPath,
        store: StateStore,
        environment: AgentEnvironment,
        logger: Logger
    ) {
        self.service = service
        subject = "The account \"\(account.name)\" (\(account.provider))"
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
        if let (changes, last, _) = await storage.load() { await process(.restored(changes, last: last)) }
        isRestored = true
        restorationWaiters.wakeAll()
    }

    /// Follows the preferences and sends changes, until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.service.run { try? await self.load() } }
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
            await withTimeLimit(Self.reloadTimeout, clock: environment.clock) { try? await self.loadIfStale() }
        }
        _ = try await request { () async throws(ServiceFailure) in try await self.reported() }
        return sync.shown ?? PreferencesContents()
    }

    /// The preferences with the user's pending changes, as far as they are loaded; nil: they are not.
    var known: PreferencesContents? { sync.shown }

    /// Applies a change at once and sends it in the background.
    func submit(_ change: PreferenceChange) async throws(DBusError) {
        try await untilRestored()
        let checked = try await request { () async throws(ServiceFailure) in
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
        let result = Mailbox<ServiceFailure?>()
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
        try await request { () async throws(ServiceFailure) in try await self.load() }
    }

    /// Performs a request to the service, and converts its failure to a D-Bus error.
    private func request<Result: Sendable>(
        _ body: () async throws(ServiceFailure) -> Result
    ) async throws(DBusError) -> Result {
        do { return try await body() } catch { throw error.busError }
    }
}

extension ServiceFailure {
    /// The error of `Flush`. Its message states whether the change is retried.
    fileprivate var flushError: DBusError {
        guard isTransient else { return busError }
        return DBusError(errorName, sentence + " The changes are kept and retried.")
    }
}
