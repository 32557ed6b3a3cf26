import ClientKit
import FoundationEssentials
public import Logging
import Transport

/// An app's access to SuprSend: whoever is identified, their feeds, preferences, profile and devices.
///
/// ```swift
/// let client = try SuprSendClient(publicKey: "SS.PUBK.…")
/// try await client.identify("anna@example.com", refreshUserToken: { expired in
///     try await backend.token(replacing: expired)
/// })
/// let feed = try client.feeds.initialize()
/// ```
///
/// Nothing happens by itself: ``run()`` sends what is queued for as long as it runs, and each feed has a `run()` of its own. Several
/// clients may live in one process.
public final class SuprSendClient: Sendable {
    /// The feeds of the person's inbox.
    public let feeds: Feeds
    /// The person's notification preferences.
    public let preferences: Preferences
    /// The person's profile: properties and channels.
    public let user: User
    /// This device as a place for push notifications.
    public let push: Push

    let workspace: Workspace
    let identity = ActiveIdentity()
    let storage: any SuprSendStorage
    let events: EventSender
    /// Lets one change of identity or tenant at a time through.
    let changing = SerialGate()
    private let ownTransport: NIOTransport?

    /// A client with its own connections; end it with ``shutdown()``. They go through the proxy that the environment names
    /// (`https_proxy`, `all_proxy`, `no_proxy`, also in capitals).
    ///
    /// - Parameters:
    ///   - publicKey: The workspace's public key, `SS.PUBK.…`.
    ///   - hosts: Where the service is.
    ///   - preferenceRoutes: Which of the service's two URL families is used for preferences.
    ///   - app: The program's name and version, for the service to see; nil: only the library's.
    ///   - storage: Keeps what has to outlive the process: who was identified, the device's id, push events not yet sent.
    ///   - logger: Takes what happens, without secrets and without the contents of notifications.
    /// - Throws: `invalidArgument` for a key that cannot be one, a malformed host and an app's name that cannot be sent.
    public convenience init(
        publicKey: String,
        hosts: Hosts = Hosts(),
        preferenceRoutes: PreferenceRoutes = .subscriber,
        app: AppInfo? = nil,
        storage: any SuprSendStorage = MemoryStorage(),
        logger: Logger = Logger(label: "suprsend")
    ) throws(SuprSendError) {
        // Bad arguments are told before a thread is taken.
        _ = try Workspace.validated(publicKey: publicKey, hosts: hosts, app: app)
        let proxies = ProxyRules(environment: ProcessInfo.processInfo.environment)
        let transport = NIOTransport(options: TransportOptions(proxies: proxies), logger: logger)
        let workspace = try Workspace(
            publicKey: publicKey,
            hosts: hosts,
            app: app,
            http: transport,
            webSocket: transport,
            logger: logger
        )
        self.init(workspace, preferenceRoutes: preferenceRoutes, storage: storage, ownTransport: transport)
    }

    /// A client of `workspace`, over its transports.
    package convenience init(
        _ workspace: Workspace,
        preferenceRoutes: PreferenceRoutes = .subscriber,
        storage: any SuprSendStorage = MemoryStorage()
    ) {
        self.init(workspace, preferenceRoutes: preferenceRoutes, storage: storage, ownTransport: nil)
    }

    /// A client of `workspace` for one person, whom the service knows already. Nothing is sent.
    ///
    /// Throws `invalidArgument` for an empty id.
    package convenience init(
        _ workspace: Workspace,
        identifiedAs distinctID: String,
        tenantID: String? = nil,
        storage: any SuprSendStorage = MemoryStorage(),
        refreshUserToken: UserTokenProvider? = nil
    ) throws(SuprSendError) {
        self.init(workspace, storage: storage)
        let person = try Identity(
            distinctID: distinctID,
            tenantID: tenantID,
            token: nil,
            provider: refreshUserToken,
            workspace: workspace
        )
        identity.set(person)
    }

    private init(
        _ workspace: Workspace,
        preferenceRoutes: PreferenceRoutes,
        storage: any SuprSendStorage,
        ownTransport: NIOTransport?
    ) {
        self.workspace = workspace
        self.storage = storage
        self.ownTransport = ownTransport
        events = EventSender(workspace: workspace, identity: identity)
        feeds = Feeds(workspace: workspace, identity: identity)
        preferences = Preferences(workspace: workspace, identity: identity, routes: preferenceRoutes)
        user = User(events: events)
        push = Push(events: events, storage: storage)
    }

    /// Sends preference changes and push events as they become due, until the task is cancelled.
    public func run() async {
        if workspace.isShutDown { return workspace.logger.error("the client was shut down") }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.preferences.run() }
            group.addTask { await self.push.run() }
        }
    }

    /// To be called when the computer's clock was put forward, or back, by so much: what expires is looked at again. Not needed for
    /// anything to work; without it, notifications may stay an hour longer than they should.
    public func clockWasSet(by change: Duration) async {
        workspace.clockWasSet(by: change)
        await feeds.clockWasSet()
    }

    /// Sends what waits, and ends the connections of a client that has its own. To be called once, last: after ``run()`` and every
    /// feed's ``Feed/run()`` have returned. A client that is merely dropped closes its connections, too, but sends nothing. What
    /// cannot be sent is told by ``Preferences/events()``, and logged.
    ///
    /// Every later call that has something to send throws `invalidState`; ``run()`` and ``Feed/run()`` return at once.
    public func shutdown() async {
        do { try await preferences.flush() } catch {
            workspace.logger.warning("preference changes not sent", metadata: ["error": "\(error)"])
        }
        workspace.shutDown()
        await ownTransport?.shutdown()
    }
}
