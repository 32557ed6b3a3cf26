import AgentInterface
import Basics
package import DBus
package import Inbox
package import Logging
package import Store

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
        package var needsAttention = false
    }

    package nonisolated let identity: Identity
    package nonisolated let path: ObjectPath
    let provider: any InboxProvider
    let bus: Bus
    let popups: PopupPresenter
    let opener: LinkOpener
    let environment: AgentEnvironment
    let store: StateStore
    let logger: Logger
    private let report: @Sendable (AccountSession, Summary) async -> Void

    /// The contents that the service reported last.
    private(set) var reported = InboxContents()
    /// The published contents: `reported` with the user's pending changes.
    private(set) var contents = InboxContents()
    private var texts = PlainTextCache()
    private(set) var connection: Connection
    private var lastEvent: Timestamp?
    var outbox = Outbox()
    /// The creation time of the newest known notification.
    var newestKnown = Timestamp(milliseconds: 0)
    var isRestored = false
    var restorationWaiters = Waiters()
    /// Confirmed changes that `reported` may not include yet.
    var unsyncedConfirmations: [TimestampedChange] = []
    /// nil: the service has none.
    private let preferences: AccountPreferences?
    private(set) var isEnded = false
    private let shutdownSignal = Completion()
    let outboxEffects = Mailbox<Outbox.Effect>()

    package init(
        identity: Identity,
        provider: any InboxProvider,
        bus: Bus,
        popups: PopupPresenter,
        opener: LinkOpener,
        environment: AgentEnvironment,
        store: StateStore,
        logger: Logger,
        report: @escaping @Sendable (AccountSession, Summary) async -> Void
    ) {
        self.identity = identity
        path = AgentNames.accountPath(identity.name)
        self.provider = provider
        self.bus = bus
        self.popups = popups
        self.opener = opener
        self.environment = environment
        self.store = store
        var logger = logger
        logger[metadataKey: "account"] = "\(identity.name)"
        self.logger = logger
        self.report = report
        preferences = provider.preferences.map { [path, logger = self.logger] preferences in
            AccountPreferences(
                preferences,
                of: identity,
                rules: provider.rules,
                capabilities: provider.capabilities,
                bus: bus,
                path: path,
                store: store,
                environment: environment,
                logger: logger
            )
        }
        connection = Connection(state: .connecting, since: environment.now())
    }

    /// Exports the account's object on the bus.
    package func export() async throws(DBusError) { try await bus.export(object()) }

    /// Runs the account until ``end()`` or cancellation.
    package func run() async {
        await preferences?.restore()
        await restore()
        let marks = await deliveryMarks()
        await withTaskGroup { group in
            group.addTask { await self.shutdownSignal.wait() }
            group.addTask { await self.provider.run(after: marks) { await self.receive($0) } }
            group.addTask { await self.runOutbox() }
            if let preferences { group.addTask { await preferences.run() } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Ends the account: closes its popups and unexports its object, so that another account can use its name.
    package func end() async {
        isEnded = true
        shutdownSignal.finish()
        popups.post(.accountRemoved(identity.key))
        await preferences?.end()
        await bus.unexport(path)
    }

    private func object() -> ExportedObject {
        var object = ExportedObject(path)
        object.set(AgentAccount.accountName, identity.name)
        object.set(AgentAccount.provider, identity.provider)
        object.set(AgentAccount.user, identity.user)
        object.set(AgentAccount.lastEvent, 0)
        object.set(AgentAccount.pendingActions, 0)
        object.set(AgentAccount.pendingError, Structure("", ""))
        object.set(AgentAccount.capabilities, provider.capabilities.names)
        object.set(connection)
        object.set(contents)
        object.handle(AgentAccount.reconnect) { await self.reconnect() }
        addInbox(to: &object)
        preferences?.add(to: &object)
        return object
    }

    // MARK: Events of the service

    private func receive(_ event: ProviderEvent) async {
        guard !isEnded else { return }
        switch event {
        case .connection(let new):
            await changed(to: new)
        case .arrived(let notifications, let isCatchUp):
            let now = environment.now()
            popups.post(.arrived(account: identity.key, notifications, isCatchUp: isCatchUp, now: now))
            logger.debug("arrived", metadata: ["ids": "\(notifications.map(\.id))"])
            await signalArrival(of: notifications)
        case .caughtUp(let newest):
            popups.post(.caughtUp(account: identity.key, newest: newest))
        case .updated(let notification):
            await updated(notification)
        case .allRead:
            popups.post(.allWithdrawn(account: identity.key))
        case .contents(let new):
            if new.isCounted || lastEvent != nil { lastEvent = environment.now() }
            await update(new)
        }
    }

    private func changed(to new: Connection) async {
        let old = connection
        var new = new
        if new.state == old.state { new.since = old.since }
        connection = new
        if new.state != old.state {
            logger.notice("connection", metadata: ["state": "\(new.state.rawValue)"])
        }
        if let failure = new.failure, failure != old.failure {
            logger.warning("connection failed", metadata: ["reason": "\(failure.sentence)"])
        }
        if new.state == .online, old.state != .online {
            await process(Outbox.Event.reachable)
            popups.post(.accountOnline(identity.key))
        }
        await preferences?.connectionChanged(to: new.state)
        await bus.update(path) { $0.set(connection) }
        await summarize()
    }

    /// Applies new contents from the service.
    func update(_ new: InboxContents) async {
        reported = new
        newestKnown = max(newestKnown, new.notifications.map(\.created).max() ?? newestKnown)
        unsyncedConfirmations = []
        await publishContents()
    }

    /// Publishes the contents with the user's changes, and emits a signal for each difference.
    func publishContents() async {
        guard !isEnded else { return }
        let new = reported.applying(unsyncedConfirmations + outbox.changes, by: provider.rules)
        // After a switch to another tab: the notifications of the previous one are still in the inbox.
        let differences = new.activeStore == contents.activeStore ? new.differences(since: contents) : []
        contents = new
        texts.keep(only: contents)
        for difference in differences { await emit(difference) }
        let (pending, obstacle, lastEvent) = (UInt32(clamping: outbox.count), outbox.obstacle?.failure, lastEvent)
        // The counts first: a LastEvent other than 0 shows that they are known.
        await bus.update(path) { $0.set(new) }
        await bus.update(path) {
            $0.set(AgentAccount.lastEvent, lastEvent?.milliseconds ?? 0)
            $0.set(AgentAccount.pendingActions, pending)
            $0.set(
                AgentAccount.pendingError,
                obstacle.map { Structure($0.errorName.text, $0.sentence) } ?? Structure("", "")
            )
        }
        await summarize()
    }

    private func emit(_ difference: InboxContents.Difference) async {
        do {
            switch difference {
            case .added(let notification):
                let dictionary = dictionary(notification)
                try await bus.emit(AgentInbox.notificationAdded, (notification.id.rawValue, dictionary), from: path)
            case .changed(let notification):
                if notification.isDismissable(at: environment.now()) {
                    popups.post(.withdrawn(reference(notification.id)))
                }
                let dictionary = dictionary(notification)
                try await bus.emit(AgentInbox.notificationChanged, (notification.id.rawValue, dictionary), from: path)
            case .removed(let id), .unloaded(let id):
                if case .removed = difference { popups.post(.withdrawn(reference(id))) }
                try await bus.emit(AgentInbox.notificationRemoved, (id.rawValue), from: path)
            }
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    /// - Parameter notification: A loaded notification.
    func dictionary(_ notification: Notification) -> [String: Value] {
        notification.dictionary(account: identity.name, texts.text(of: notification))
    }

    /// The notifications that previous runs showed.
    private func deliveryMarks() async -> DeliveryMarks {
        do { return DeliveryMarks(try await store.deliveries(of: identity.key)) } catch {
            logger.error("cannot read the list of shown notifications", metadata: ["reason": "\(error)"])
            return DeliveryMarks()
        }
    }

    func reference(_ id: NotificationID) -> NotificationReference {
        NotificationReference(account: identity.key, id: id)
    }

    private func summarize() async {
        await report(self, Summary(unread: contents.unreadCount, needsAttention: connection.needsAttention))
    }

    // MARK: Actions of the user

    /// Tries to connect now.
    package func reconnect() async { await provider.reconnect() }
}
