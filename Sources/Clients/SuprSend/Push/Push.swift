import Basics
import ClientKit
import Logging

/// This device as a target of push notifications, and reports about the notifications it received.
///
/// Reports are queued in the client's storage and sent by ``SuprSendClient/run()``; a report stays in the queue until
/// the service accepts it or refuses it permanently. Report only what happened: a shown notification is not a clicked
/// one.
public actor Push {
    /// Whether the push token stays, or is copied or moved to the new tenant, when the active tenant changes.
    public enum TenantAction: Sendable, Hashable {
        /// The token stays with the present tenants.
        case none
        /// The token is added to the new tenant.
        case copy
        /// The token is added to the new tenant and removed from the old one.
        case move
    }

    private static let deviceKey = "ss_device_id"
    private static let queueKey = "PushQueueItems"

    private let events: EventSender
    private let storage: any SuprSendStorage
    private let logger: Logger
    private var token: PushToken?
    private var queue: PushQueue?
    private let arrival = WakeSignal()
    private let loading = SerialGate()

    init(events: EventSender, storage: any SuprSendStorage) {
        self.events = events
        self.storage = storage
        logger = events.context.logger
    }

    // MARK: The device's token

    /// Sets this device's push token: it is added to the profile of the identified user, now and after a later sign-in.
    ///
    /// - Throws: `invalidArgument` for an empty token, and the service's refusal; after a refusal the token is kept.
    public func register(_ token: PushToken) async throws(SuprSendError) {
        try events.context.checkNotShutDown()
        try token.validate()
        self.token = token
        if let identity = events.identity.current { try await change(.append, token, as: identity) }
    }

    /// Removes this device's push token from the profile and from this client.
    public func unregister() async throws(SuprSendError) {
        try events.context.checkNotShutDown()
        guard let token else { return }
        if let identity = events.identity.current { try await change(.remove, token, as: identity) }
        self.token = nil
    }

    /// A user was identified: adds the token to the profile. A failure is only logged.
    func identified() async { await quietly(.append) }

    /// The user signs out: removes the token from the profile. A failure is only logged.
    func userSignedOut() async { await quietly(.remove) }

    private func quietly(_ operation: Event.Operator) async {
        guard let token, let identity = events.identity.current else { return }
        do { try await change(operation, token, as: identity) } catch {
            logger.warning("push token not changed at the service", metadata: ["error": "\(error.message)"])
        }
    }

    /// The active tenant changes. If only the removal of a move succeeds, the token is added to the old tenant again.
    func follow(_ action: TenantAction, from old: Identity, to new: Identity) async throws(SuprSendError) {
        guard let token, action != .none else { return }
        if action == .move { try await change(.remove, token, as: old) }
        do {
            try await change(.append, token, as: new)
        } catch {
            if action == .move { try? await change(.append, token, as: old) }
            throw error
        }
    }

    private func change(_ operation: Event.Operator, _ token: PushToken, as identity: Identity)
        async throws(SuprSendError)
    {
        let entry = token.entry(deviceID: await deviceID())
        try await events.send(.operation(operation, entry), as: identity)
    }

    /// This device's id at the service: random, created once per storage.
    private func deviceID() async -> String {
        if let id = await storage.read(Self.deviceKey, logger) { return id }
        let id = events.context.environment.makeID()
        await storage.write(id, Self.deviceKey, logger)
        return id
    }

    // MARK: Reports about push notifications

    /// Reports that a push notification reached this device. `nid`: from its payload.
    public func notificationDelivered(_ nid: String) async throws(SuprSendError) {
        try await report("$notification_delivered", nid)
    }

    /// Reports that the user clicked a push notification.
    public func notificationClicked(_ nid: String) async throws(SuprSendError) {
        try await report("$notification_clicked", nid)
    }

    /// Reports that the user dismissed a push notification.
    public func notificationDismissed(_ nid: String) async throws(SuprSendError) {
        try await report("$notification_dismiss", nid)
    }

    private func report(_ event: String, _ nid: String) async throws(SuprSendError) {
        try events.context.checkNotShutDown()
        try ArgumentCheck.check(nid, named: "push notification's id")
        try await load()
        let item = PushQueue.Item(
            event: event,
            nid: nid,
            insertID: events.context.environment.makeID(),
            time: Timestamp(events.context.now)
        )
        if queue?.add(item) == false { logger.warning("push report dropped: queue is full") }
        await save()
        arrival.signal()
    }

    /// Sends queued reports until the task is cancelled.
    func run() async {
        let context = events.context
        try? await load()
        while !Task.isCancelled {
            guard let item = queue?.items.first else {
                await arrival.wait(clock: context.environment.clock)
                continue
            }
            do {
                try await events.send(Event(item), as: events.identity.current)
                queue?.sent(item)
                await save()
            } catch {
                // The queue stays in the storage for the next client.
                if Task.isCancelled || context.isShutDown { return }
                switch queue?.failed(item, error, jitter: context.environment.jitter()) {
                case .wait(let delay)?:
                    try? await context.environment.clock.sleep(for: delay)
                case .dropped?, nil:
                    logger.warning("push report refused", metadata: ["error": "\(error.message)"])
                    await save()
                }
            }
        }
    }

    /// Loads the queue once; concurrent calls wait for it.
    private func load() async throws(SuprSendError) {
        guard queue == nil else { return }
        try await loading.pass { () async throws(SuprSendError) in
            guard queue == nil else { return }
            let context = events.context
            let text = await storage.read(Self.queueKey, logger) ?? ""
            queue = PushQueue(text: text, makeID: context.environment.makeID, now: Timestamp(context.now))
        }
    }

    /// Saves the latest state, also of concurrent calls: the storage keeps the order of one caller's calls only.
    private func save() async {
        // In a task of its own: cancellation must not prevent saving.
        await Task { try? await saving.pass { await storage.write(queue?.text, Self.queueKey, logger) } }.value
    }

    private let saving = SerialGate()
}

extension Event {
    /// Push events have no tenant and no user.
    fileprivate init(_ item: PushQueue.Item) {
        self.init(
            .named(item.event, ["id": .string(item.nid)]),
            insertID: item.insertID,
            time: item.time,
            distinctID: "",
            tenant: .omitted
        )
    }
}
