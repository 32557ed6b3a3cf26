import ClientKit
import Logging

/// This device as a place for push notifications, and what became of those it got.
///
/// Reports are queued in the client's storage and sent by ``SuprSendClient/run()``; a report leaves the queue only when the service has
/// taken it in, or refused it for good. Report what happened and nothing else: a notification that was merely shown was not clicked.
public actor Push {
    /// What becomes of the push token when the active tenant changes.
    public enum TenantAction: Sendable, Hashable {
        /// It stays with the tenants that have it.
        case none
        /// The new tenant gets it, too.
        case copy
        /// The new tenant gets it, the old one loses it.
        case move
    }

    private static let deviceKey = "ss_device_id"
    private static let queueKey = "PushQueueItems"

    private let events: EventSender
    private let storage: any SuprSendStorage
    private let logger: Logger
    private var token: PushToken?
    private var queue: PushQueue?
    private let arrival = Doorbell()
    private let loading = SerialGate()

    init(events: EventSender, storage: any SuprSendStorage) {
        self.events = events
        self.storage = storage
        logger = events.workspace.logger
    }

    // MARK: The device's token

    /// Tells this device's token: it is put on the profile of whoever is identified, now and later.
    ///
    /// - Throws: `invalidArgument` for an empty token; what the service says against it, and then the token is still remembered.
    public func register(_ token: PushToken) async throws(SuprSendError) {
        try token.validate()
        self.token = token
        if let identity = events.identity.current { try await change(.append, token, as: identity) }
    }

    /// Takes this device's token off the profile, and forgets it.
    public func unregister() async throws(SuprSendError) {
        guard let token else { return }
        if let identity = events.identity.current { try await change(.remove, token, as: identity) }
        self.token = nil
    }

    /// Somebody is identified: their profile gets the token. A failure is only logged.
    func identified() async { await quietly(.append) }

    /// The person leaves: their profile loses the token. A failure is only logged.
    func forgottenByPerson() async { await quietly(.remove) }

    private func quietly(_ operation: Event.Operator) async {
        guard let token, let identity = events.identity.current else { return }
        do { try await change(operation, token, as: identity) } catch {
            logger.warning("push token not changed at the service", metadata: ["error": "\(error.message)"])
        }
    }

    /// The active tenant changes (suprsend.md §6.3). A token that was moved half is put back.
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

    /// This device's name at the service: random, made once per storage.
    private func deviceID() async -> String {
        if let id = await storage.read(Self.deviceKey, logger) { return id }
        let id = events.workspace.surroundings.makeID()
        await storage.write(id, Self.deviceKey, logger)
        return id
    }

    // MARK: What became of push notifications

    /// Reports that a push notification reached this device. `nid`: from its payload.
    public func notificationDelivered(_ nid: String) async throws(SuprSendError) {
        try await report("$notification_delivered", nid)
    }

    /// Reports that the person followed a push notification.
    public func notificationClicked(_ nid: String) async throws(SuprSendError) {
        try await report("$notification_clicked", nid)
    }

    /// Reports that the person put a push notification away.
    public func notificationDismissed(_ nid: String) async throws(SuprSendError) {
        try await report("$notification_dismiss", nid)
    }

    private func report(_ event: String, _ nid: String) async throws(SuprSendError) {
        try Argument.check(nid, named: "push notification's id")
        try await load()
        let item = PushQueue.Item(
            event: event,
            nid: nid,
            insertID: events.workspace.surroundings.makeID(),
            time: Milliseconds(events.workspace.now)
        )
        if queue?.add(item) == false { logger.warning("push report dropped, because too many wait") }
        await save()
        await arrival.ring()
    }

    /// Sends what is queued until the task is cancelled.
    func run() async {
        let workspace = events.workspace
        try? await load()
        while !Task.isCancelled {
            guard let item = queue?.items.first else {
                await arrival.wait(clock: workspace.surroundings.clock)
                continue
            }
            do {
                try await events.send(Event(item), as: events.identity.current)
                queue?.sent(item)
                await save()
            } catch {
                // What is queued is for the next client.
                if Task.isCancelled || workspace.isShutDown { return }
                switch queue?.failed(item, error, jitter: workspace.surroundings.jitter()) {
                case .wait(let delay)?:
                    try? await workspace.surroundings.clock.sleep(for: delay)
                case .dropped?, nil:
                    logger.warning("push report refused", metadata: ["error": "\(error.message)"])
                    await save()
                }
            }
        }
    }

    /// Once; who comes meanwhile waits.
    private func load() async throws(SuprSendError) {
        guard queue == nil else { return }
        try await loading.pass { () async throws(SuprSendError) in
            guard queue == nil else { return }
            let workspace = events.workspace
            let text = await storage.read(Self.queueKey, logger) ?? ""
            queue = PushQueue(text: text, makeID: workspace.surroundings.makeID, now: Milliseconds(workspace.now))
        }
    }

    /// The latest state, whatever is saved at the same time: the storage keeps the order of calls of one caller only.
    private func save() async {
        // Cancellation must not keep what happened from being kept.
        await Task { try? await saving.pass { await storage.write(queue?.text, Self.queueKey, logger) } }.value
    }

    private let saving = SerialGate()
}

extension Event {
    /// Push events carry no tenant, and no person (suprsend.md §8.2).
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
