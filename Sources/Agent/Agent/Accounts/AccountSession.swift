package import AgentInterface
import Basics
package import DBus
package import Inbox
package import Logging
import Synchronization

/// A running account: follows its service, publishes its inbox on D-Bus, posts new notifications to the popups and
/// sends the user's actions.
package actor AccountSession {
    /// The identity of an account on the bus and in the state store.
    package struct Identity: Sendable, Equatable {
        package var name: String
        package var provider: String
        package var user: String
        /// Identifies the inbox: service, host, project and user, without the account's name. State is stored under it,
        /// so another user under the same name has separate state.
        package var key: String

        package init(name: String, provider: String, user: String, key: String) {
            self.name = name
            self.provider = provider
            self.user = user
            self.key = key
        }
    }

    /// An account's part of the agent's own properties.
    package struct Summary: Sendable, Equatable {
        package var unread = 0
        /// The number of unread notifications that are not listed, as they are snoozed.
        package var hiddenUnread = 0
        /// The number that badges show.
        package var shownUnread: Int { max(0, unread - hiddenUnread) }
        package var needsAttention = false
        /// Whether its service does not let its user in.
        package var mustSignIn = false
        /// Whether a new token is what it needs.
        package var needsNewToken = false
        /// Whether the user can give it one; otherwise only an administrator can.
        package var canSignIn = true
        /// Whether the user has never signed in.
        package var isNew = false
        package var isOnline = false
    }

    package nonisolated let identity: Identity
    package nonisolated let path: ObjectPath
    let service: any InboxService
    let bus: Bus
    let popups: PopupPresenter
    let opener: LinkOpener
    /// The web page to which relative addresses of notifications belong; nil: unknown.
    private let linkBase: OpenableURL?
    private let origin: AccountOrigin
    let signIn: TokenBackend?
    private let takesToken: Bool
    /// Whether a notification is archived when its link was opened.
    var archivesOnClick: Bool
    let environment: AgentEnvironment
    let store: StateStore
    let inboxes: InboxStore
    let logger: Logger
    let summarized: @Sendable (AccountSession, Summary) -> Void
    let identified: @Sendable (AccountSession, InboxOwner) -> Void
    let connectionStates = Mailbox<(Connection.State, isBack: Bool)>()

    var inbox: InboxTable
    /// Why the inbox could not be read or changed last.
    var lastStoreError: StoreError?
    var shownCounts = ShownCounts()
    var publication: AccountPublication
    var connection: Connection
    /// The local cause for which the connection waits, such as a token command; nil: there is none.
    var delay: ServiceFailure?
    /// Whether the service has reported the whole newest part since the last connection was lost.
    var isComplete = false
    var outbox = Outbox()
    /// The user's actions that can be taken back.
    var history = UndoHistory()
    /// Wait for the service's answer to the change in flight.
    var answerWaiters = Waiters()
    /// The notifications of held archives that were archived elsewhere.
    let archivedIDs = Mailbox<Set<NotificationID>>()
    /// The creation time of the newest known notification.
    var newestKnown = Timestamp(milliseconds: 0)
    var isRestored = false
    var restorationWaiters = Waiters()
    /// Ends with the first report of the inbox.
    let firstReport = Completion()
    let loading = SerialGate()
    var snoozes = Snoozes()
    let snoozeTimer = RestartableTimer()
    /// The snoozed notifications that were handled.
    let endedSnoozes = Mailbox<NotificationID>()
    /// Signalled by other rules.
    let rulesChanged = WakeSignal()
    /// How many notifications were reported since what exceeds the limits was removed.
    var untrimmed = 0
    /// The row up to which the rules were applied; nil: they were applied to all.
    var uncheckedAfter: Int64?
    /// The notifications that rules mark as read.
    let readArrivals = Mailbox<[NotificationID]>()
    /// Why a page of a view could not be loaded for the last list of it.
    var pageFailures: [InboxPredicate: String] = [:]
    /// nil: the service has none.
    let preferences: AccountPreferences?
    private(set) var isEnded = false
    /// Whether the account has ended or is stopped, for all threads.
    let isOver = Atomic(false)
    /// Why the account is stopped; nil: it is not.
    private(set) var stopReason: ServiceFailure?
    private let shutdownSignal = Completion()
    let outboxEffects = Mailbox<Outbox.Effect>()
    /// The functions that change the inbox after the reports of this turn of the bus's loop, in order.
    let followUps = Mutex<[FollowUp]>([])

    /// - Parameters:
    ///   - linkBase: The web page to which relative addresses of notifications belong; nil: unknown.
    ///   - origin: The file that configures the account.
    ///   - signIn: The backend that gives its token after a sign-in with the browser; nil: it has another source.
    ///   - takesToken: Whether the user can give it another token.
    ///   - archivesOnClick: Whether a notification is archived when its link was opened.
    ///   - identified: Called when the account's token is of another user than the identity.
    ///   - report: Called with each change of the account's part of the agent's properties.
    package init(
        identity: Identity,
        service: any InboxService,
        linkBase: OpenableURL? = nil,
        origin: AccountOrigin = .config,
        signIn: TokenBackend? = nil,
        takesToken: Bool = true,
        archivesOnClick: Bool = false,
        bus: Bus,
        popups: PopupPresenter,
        opener: LinkOpener,
        environment: AgentEnvironment,
        store: StateStore,
        inboxes: InboxStore,
        logger: Logger,
        identified: @escaping @Sendable (AccountSession, InboxOwner) -> Void = { _, _ in },
        report: @escaping @Sendable (AccountSession, Summary) -> Void
    ) {
        self.identity = identity
        self.service = service
        self.bus = bus
        self.popups = popups
        self.opener = opener
        self.linkBase = linkBase
        self.origin = origin
        self.takesToken = takesToken
        self.signIn = signIn
        self.archivesOnClick = archivesOnClick
        self.environment = environment
        self.store = store
        self.inboxes = inboxes
        var logger = logger
        logger[metadataKey: "account"] = "\(identity.name)"
        self.logger = logger
        summarized = report
        self.identified = identified
        inbox = InboxTable(inboxes.database, tabs: service.tabs, rules: service.rules, now: environment.now)
        publication = AccountPublication(
            account: identity.name,
            tabs: service.tabs,
            reader: LinkReader(base: linkBase),
            bus: bus,
            logger: logger
        )
        path = publication.path
        preferences = service.preferences.map { [path, logger = self.logger] preferences in
            AccountPreferences(
                preferences,
                of: identity,
                rules: service.rules,
                capabilities: service.capabilities,
                bus: bus,
                path: path,
                store: store,
                environment: environment,
                logger: logger
            )
        }
        connection = Connection(state: .connecting, since: environment.now())
    }

    /// The inboxes': what the bus has to do is passed to its loop, in order.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { inboxes.unownedExecutor }

    /// Runs the account until ``end(keepingPopups:)``, ``stop(besides:)`` or cancellation.
    package func run() async {
        if isEnded || stopReason != nil { return }
        await preferences?.restore()
        restoreInbox()
        await restore()
        await restoreSnoozes()
        let marks = await popups.resume(identity.key)
        await withTaskGroup { group in
            group.addTask { await self.shutdownSignal.wait() }
            group.addTask { await self.service.run(after: marks) { self.report($0) } }
            group.addTask { await self.followConnection() }
            group.addTask { await self.runOutbox() }
            group.addTask { await self.runSnoozes() }
            group.addTask { await self.applyToRest() }
            group.addTask { await self.runReadArrivals() }
            if let preferences { group.addTask { await preferences.run() } }
            await group.next()
            group.cancelAll()
        }
        // Until now.
        _ = change { (table) throws(StoreError) in try table.transact { _, _ in } }
    }

    /// Lists what a previous run has kept, until the service reports the inbox.
    private func restoreInbox() {
        let (owner, size) = (identity.key, service.pageSize)
        publish { (table) throws(StoreError) in
            try table.open(owner)
            return try table.restore(size)
        }
        publication.publish(asOf: inbox.record.asOf)
    }

    /// Ends the account. Its object stays on the bus, until that of another account replaces it or it is unexported.
    ///
    /// - Parameter keepsPopups: Whether another account goes on with the inbox, so that its popups stay open.
    package func end(keepingPopups keepsPopups: Bool) async {
        await sendHeld()
        isEnded = true
        isOver.store(true, ordering: .relaxed)
        shutdownSignal.finish()
        restorationWaiters.wakeAll()
        if !keepsPopups { post(.accountRemoved(identity.key)) }
        await preferences?.end()
    }

    /// Removes what was registered at the service, after ``end(keepingPopups:)``. Without a connection it stays there:
    /// the next run of the account uses it.
    func signOut() async {
        guard connection.state == .online else { return }
        do throws(ServiceFailure) { try await service.signOut() } catch {
            logger.warning("the service did not sign the user out", metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// Stops the account, because another one has the same inbox: its notifications would be shown and its actions sent
    /// twice. It needs its user's attention until the configuration is read again.
    ///
    /// - Parameter first: The name of the other account.
    func stop(besides first: String) {
        let tables = [first, identity.name].map { "[\($0.accountTable)]" }
        let sentence =
            "\(tables[0]) and \(tables[1]) are the same inbox, as their tokens say. Remove one of them, or give it the "
            + "token of another user, and run: feedbell reload"
        let reason = ServiceFailure(.unauthorized, sentence)
        stopReason = reason
        isOver.store(true, ordering: .relaxed)
        shutdownSignal.finish()
        restorationWaiters.wakeAll()
        // Popups of the inbox that the account had before are withdrawn.
        post(.accountRemoved(identity.key))
        changed(to: Connection(state: .unauthorized, since: environment.now(), failure: reason))
    }

    /// The account's object on the bus.
    func object() -> ExportedObject {
        var object = ExportedObject(path)
        object.set(AgentAccount.accountName, identity.name)
        object.set(AgentAccount.provider, identity.provider)
        object.set(AgentAccount.user, identity.user)
        object.set(AgentAccount.origin, origin.rawValue)
        object.set(AgentAccount.capabilities, capabilityNames)
        object.set(AgentAccount.signInServers, Structure(signIn?.serverHost ?? "", signIn?.host ?? ""))
        object.set(AgentAccount.signInRequest, [:])
        object.set(AgentAccount.signInStatus, [:])
        object.set(shownConnection)
        publication.setFigures(of: &object)
        object.handle(AgentAccount.reconnect) { try await self.reconnectOnRequest() }
        addInbox(to: &object)
        addActions(to: &object)
        addSnoozing(to: &object)
        preferences?.add(to: &object)
        return object
    }

    var capabilityNames: [String] {
        service.capabilities.names + (signIn == nil ? [] : ["sign-in"]) + (takesToken ? ["new-token"] : [])
            + (archivesOpened ? ["archive-on-click"] : [])
    }

    /// Whether the user can end a refusal of the service.
    var canSignIn: Bool { signIn != nil || takesToken }

    /// Reads the addresses of the account's notifications.
    var reader: LinkReader { get async { LinkReader(schemes: await opener.schemes, base: linkBase) } }

    /// Tries to connect now.
    package func reconnect() async { await service.reconnect() }
}
