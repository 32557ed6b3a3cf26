package import AgentInterface
import Basics
package import DBus
package import Inbox
package import Logging

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
    private let signIn: TokenBackend?
    private let takesToken: Bool
    /// Whether a notification is archived when its link was opened.
    var archivesOnClick: Bool
    let environment: AgentEnvironment
    let store: StateStore
    let kept: InboxCache
    let logger: Logger
    let summarized: @Sendable (AccountSession, Summary) -> Void
    private let identified: @Sendable (AccountSession, InboxOwner) -> Void
    private let connectionStates = Mailbox<(Connection.State, isBack: Bool)>()

    var inbox: InboxState
    var publication: AccountPublication
    /// The changes that ``publishDue()`` publishes together with the counts; nil: nothing is due.
    var unpublished: Unpublished?
    private(set) var connection: Connection
    /// The local cause for which the connection waits, such as a token command; nil: there is none.
    private var delay: ServiceFailure?
    var lastEvent: Timestamp?
    /// When the list was last known to be what the service has; nil: it is, or nothing is known.
    var asOf: Timestamp?
    /// Whether the service has reported the whole newest part since the last connection was lost.
    private var isComplete = false
    /// Whether the copy has to be compared with the newest part.
    var mustCompareCopy = true
    var outbox = Outbox()
    /// The user's actions that can be taken back.
    var history = UndoHistory()
    /// Wait for the service's answer to the change in flight.
    var answerWaiters = Waiters()
    /// The notifications of held archives that were archived elsewhere.
    let archivedIDs = Mailbox<Set<NotificationID>>()
    /// The creation time of the newest known notification.
    private(set) var newestKnown = Timestamp(milliseconds: 0)
    var isRestored = false
    var restorationWaiters = Waiters()
    /// Ends with the first report of the inbox.
    let firstReport = Completion()
    let loading = SerialGate()
    let snoozeTimer = RestartableTimer()
    /// The snoozed notifications that were handled.
    let endedSnoozes = Mailbox<NotificationID>()
    /// Signalled when it is unknown which notifications of the copy badges leave out.
    let uncountedCopy = WakeSignal()
    /// Counts the changes of the copy.
    var copyVersion = 0
    /// The notifications that rules mark as read.
    let readArrivals = Mailbox<[NotificationID]>()
    /// Why a page of a view could not be loaded for the last list of it.
    var pageFailures: [InboxPredicate: String] = [:]
    /// The end of the last reply that had notifications beyond the loaded ones.
    var beyondEnd: (end: BeyondEnd, place: SortKey)?
    /// nil: the service has none.
    let preferences: AccountPreferences?
    private(set) var isEnded = false
    /// Why the account is stopped; nil: it is not.
    private(set) var stopReason: ServiceFailure?
    private let shutdownSignal = Completion()
    let outboxEffects = Mailbox<Outbox.Effect>()

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
        kept: InboxCache,
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
        self.kept = kept
        var logger = logger
        logger[metadataKey: "account"] = "\(identity.name)"
        self.logger = logger
        summarized = report
        self.identified = identified
        inbox = InboxState(tabs: service.tabs, rules: service.rules)
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

    /// The bus's: what is published is sent at once and in order.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Exports the account's object on the bus.
    package func export() async throws(DBusError) { try await bus.export(object()) }

    /// Runs the account until ``end(keepingPopups:)``, ``stop(besides:)`` or cancellation.
    package func run() async {
        if isEnded || stopReason != nil { return }
        environment.loaded.add(self) { [weak self] in
            self?.assumeIsolated { $0.publish($0.inbox.dropFurtherPages()) }
        }
        defer { environment.loaded.remove(self) }
        await preferences?.restore()
        await restoreInbox()
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
    }

    /// Ends the account, and unexports its object, so that another account can use its name.
    ///
    /// - Parameter keepsPopups: Whether another account goes on with the inbox, so that its popups stay open.
    package func end(keepingPopups keepsPopups: Bool) async {
        await sendHeld()
        isEnded = true
        shutdownSignal.finish()
        restorationWaiters.wakeAll()
        if !keepsPopups { popups.post(.accountRemoved(identity.key)) }
        await preferences?.end()
        await bus.unexport(path)
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
        shutdownSignal.finish()
        restorationWaiters.wakeAll()
        // Popups of the inbox that the account had before are withdrawn.
        popups.post(.accountRemoved(identity.key))
        changed(to: Connection(state: .unauthorized, since: environment.now(), failure: reason))
    }

    private func object() -> ExportedObject {
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

    // MARK: Reports of the service

    /// Handles what the service reports, in order, from any thread: at once on that of the loop.
    private nonisolated func report(_ event: ServiceEvent) {
        bus.loop.dispatch { self.assumeIsolated { $0.receive(event) } }
    }

    /// Returns when everything that the service has reported is handled, or at cancellation.
    func synchronize() async {
        let completion = Completion()
        bus.loop.execute { completion.finish() }
        await completion.wait()
    }

    private func receive(_ event: ServiceEvent) {
        guard !isEnded, stopReason == nil else { return }
        let now = environment.now()
        switch event {
        case .connection(let new):
            changed(to: new)
        case .contents(let update):
            limitInbox()
            if update.isCounted || lastEvent != nil { lastEvent = now }
            learn(of: update.changed)
            archivedElsewhere(update.removed)
            // A notification that is not loaded may have a popup, too.
            for id in update.removed where !inbox.isLoaded(id) { popups.post(.withdrawn(reference(id))) }
            publishAfterPopups(inbox.receive(update).withExtra(of: update.changed))
            if update.isComplete { isComplete = true }
            setAsOf(isComplete ? connection.state == .online ? nil : now : asOf)
            keep(update)
            if inbox.isReported { firstReport.finish() }
        case .arrived(let notifications, let isCatchUp):
            learn(of: notifications)
            popups.post(.arrived(account: identity.key, notifications, isCatchUp: isCatchUp, now: now))
            logger.debug("arrived", metadata: ["ids": "\(notifications.map(\.id))"])
            publishAfterPopups(arrived: notifications)
        case .caughtUp(let newest):
            popups.post(.caughtUp(account: identity.key, newest: newest))
        case .updated(let notification):
            updated(notification)
        case .seen(let ids):
            // A notification that is not loaded may have a popup, too.
            for id in ids { popups.post(.seenElsewhere(reference(id))) }
            made(TimestampedChange(.seen(ids), at: now))
        case .allRead:
            popups.post(.allRead(account: identity.key))
            made(TimestampedChange(.allRead, at: now))
        case .identified(let owner): identified(self, owner)
        case .refused(let failure):
            guard connection.state == .unauthorized, stopReason == nil else { return }
            var new = connection
            new.failure = failure
            changed(to: new)
        case .delayed(let failure):
            delay = failure
            if let failure { logger.warning("connection waits", metadata: ["reason": "\(failure.sentence)"]) }
            publication.publish(shownConnection)
        }
    }

    private func learn(of notifications: [Notification]) {
        for notification in notifications { newestKnown = max(newestKnown, notification.created) }
    }

    /// Handles a change that was made elsewhere, of notifications that may not be loaded.
    private func made(_ change: TimestampedChange) {
        publish(inbox.receive(change))
        keep(change)
    }

    /// The time in which details arrive that were requested before a change.
    private static let requestTime = Duration.seconds(60)

    /// Handles a change of a notification that may not be loaded.
    private func updated(_ notification: Notification) {
        let isOutdated =
            !notification.isArchived
            && history.removed(notification.id, since: environment.uptime() - Self.requestTime)
            && !outbox.heldArchives.contains(notification.id)
        if isOutdated { return }
        if notification.isArchived { archivedElsewhere([notification.id]) }
        limitInbox()
        let differences = inbox.receive(changed: notification).withExtra(of: [notification])
        if !inbox.isNewest(notification.id) { keep(.put([copy(notification)])) }
        guard !inbox.isLoaded(notification.id) else { return publish(differences) }
        withdrawPopup(of: notification)
        publishDue()
        // An archived one is no longer in the inbox; if it was loaded, NotificationRemoved was emitted.
        guard !notification.isArchived else { return }
        publication.emit(AgentInbox.notificationChanged, notification, isLoaded: false)
    }

    private func changed(to new: Connection) {
        publishDue()
        let old = connection
        var new = new
        if new.state == old.state { new.since = old.since }
        // The reason stays until the account is online again.
        if new.state == .connecting, new.failure == nil { new.failure = old.failure }
        if new.failure?.missingToken == .signedOut {
            let command = signIn == nil ? TokenSource.command(account:) : TokenBackend.command(account:)
            new.failure?.sentence = "Signed out. Sign in: \(command(identity.name))"
        }
        connection = new
        if new.state != old.state {
            logger.notice("connection", metadata: ["state": "\(new.state.rawValue)"])
        }
        if let failure = new.failure, failure != old.failure {
            logger.warning("connection failed", metadata: ["reason": "\(failure.sentence)"])
        }
        publication.publish(shownConnection)
        if new.state == .online {
            if isComplete { setAsOf(nil) }
        } else if old.state == .online {
            // Until now.
            if isComplete { setAsOf(environment.now()) }
            (isComplete, mustCompareCopy) = (false, true)
        }
        summarize(inbox.shownCounts)
        let isBack = new.state == .online && old.state != .online
        if isBack {
            // Their changes during the gap are unknown.
            publish(inbox.dropFurtherPages())
            popups.post(.accountOnline(identity.key))
        }
        connectionStates.send((new.state, isBack: isBack))
    }

    func setAsOf(_ new: Timestamp?) {
        guard asOf != new else { return }
        asOf = new
        publication.publish(asOf: asOf)
        keepCounts()
    }

    /// The connection as clients see it: what it waits for is its last error, unless it is online or the user must act.
    private var shownConnection: Connection {
        var shown = connection
        if let delay, connection.state != .online, connection.state != .unauthorized { shown.failure = delay }
        return shown
    }

    /// Sends what waits for the connection.
    private func followConnection() async {
        for await (state, isBack) in connectionStates.messages {
            if isBack { await process(.reachable) }
            await preferences?.connectionChanged(to: state)
        }
    }

    func reference(_ id: NotificationID) -> NotificationReference {
        NotificationReference(account: identity.key, id: id)
    }

    // MARK: Actions of the user

    /// Tries to connect now.
    package func reconnect() async { await service.reconnect() }
}
