import Basics
import ClientKit
import FoundationEssentials
public import Logging

/// A SuprSend client: the identified user's feeds, preferences, profile and devices.
///
/// ```swift
/// let client = try SuprSendClient(publicKey: "SS.PUBK.…")
/// try await client.identify("anna@example.com", refreshUserToken: { expired in
///     try await backend.token(replacing: expired)
/// })
/// let feed = try client.feeds.initialize()
/// ```
///
/// The client has no background work of its own: ``run()`` sends queued changes while it runs, and each feed has its
/// own `run()`. Several clients can exist in one process.
public final class SuprSendClient: Sendable {
    /// The feeds of the user's inbox.
    public let feeds: Feeds
    /// The user's notification preferences.
    public let preferences: Preferences
    /// The user's profile: properties and channels.
    public let user: User
    /// This device as a target of push notifications.
    public let push: Push

    let context: RequestContext
    let identity = ActiveIdentity()
    let storage: any SuprSendStorage
    let events: EventSender
    /// Serializes changes of identity and tenant.
    let changing = SerialGate()
    private let ownTransport: NIOTransport?

    /// Creates a client with its own connections; end it with ``shutdown()``. They use the proxy from the environment
    /// (`https_proxy`, `all_proxy`, `no_proxy`, also in capitals), and trust the system's certificate authorities, or
    /// those of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    ///
    /// - Parameters:
    ///   - publicKey: The workspace's public key, `SS.PUBK.…`.
    ///   - hosts: The service's hosts.
    ///   - preferenceRoutes: Which of the service's two URL families is used for preferences.
    ///   - app: The program's name and version, sent to the service; nil: only the library's.
    ///   - storage: Persistent storage for the identified user, the device's id and push events not yet sent.
    ///   - logger: The log. It contains no secrets and no contents of notifications.
    /// - Throws: `invalidArgument` for an invalid key, host or app name.
    public convenience init(
        publicKey: String,
        hosts: Hosts = Hosts(),
        preferenceRoutes: PreferenceRoutes = .subscriber,
        app: AppInfo? = nil,
        storage: any SuprSendStorage = MemoryStorage(),
        logger: Logger = Logger(label: "suprsend")
    ) throws(SuprSendError) {
        // Check the arguments before starting a thread.
        _ = try RequestContext.validated(publicKey: publicKey, hosts: hosts, app: app)
        let proxies = ProxyRules(environment: ProcessInfo.processInfo.environment)
        let transport = NIOTransport(options: TransportOptions(proxies: proxies), logger: logger)
        let context = try RequestContext(
            publicKey: publicKey,
            hosts: hosts,
            app: app,
            http: transport,
            webSocket: transport,
            logger: logger
        )
        self.init(context, preferenceRoutes: preferenceRoutes, storage: storage, ownTransport: transport)
    }

    /// Creates a client of `context` with its transports.
    package convenience init(
        _ context: RequestContext,
        preferenceRoutes: PreferenceRoutes = .subscriber,
        storage: any SuprSendStorage = MemoryStorage()
    ) {
        self.init(context, preferenceRoutes: preferenceRoutes, storage: storage, ownTransport: nil)
    }

    /// Creates a client of `context` for a user that the service already knows. Sends nothing.
    ///
    /// Throws `invalidArgument` for an empty id.
    package convenience init(
        _ context: RequestContext,
        identifiedAs distinctID: String,
        tenantID: String? = nil,
        storage: any SuprSendStorage = MemoryStorage(),
        refreshUserToken: UserTokenProvider? = nil
    ) throws(SuprSendError) {
        self.init(context, storage: storage)
        let user = try Identity(
            distinctID: distinctID,
            tenantID: tenantID,
            token: nil,
            provider: refreshUserToken,
            context: context
        )
        identity.set(user)
    }

    private init(
        _ context: RequestContext,
        preferenceRoutes: PreferenceRoutes,
        storage: any SuprSendStorage,
        ownTransport: NIOTransport?
    ) {
        self.context = context
        self.storage = storage
        self.ownTransport = ownTransport
        events = EventSender(context: context, identity: identity)
        feeds = Feeds(context: context, identity: identity)
        preferences = Preferences(context: context, identity: identity, routes: preferenceRoutes)
        user = User(events: events)
        push = Push(events: events, storage: storage)
    }

    /// Sends preference changes and push events when they are due, until the task is cancelled.
    public func run() async {
        if context.isShutDown { return context.logger.error("the client was shut down") }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.preferences.run() }
            group.addTask { await self.push.run() }
        }
    }

    /// Reports that the computer's clock was set forward by `change` (negative: back), so that expiry times are
    /// computed again. Optional: without it, notifications may stay in the list for up to an hour after their expiry.
    public func wallClockChanged(by change: Duration) async {
        context.wallClockChanged(by: change)
        feeds.wallClockChanged()
    }

    /// The user asks for another attempt: a token that the service refused, or that the provider could not give, is
    /// requested again before the next request.
    package func renewUserToken() { identity.current?.tokens.renew() }

    /// Sends pending changes, and closes the connections of a client that has its own. Call it once, last: after
    /// ``run()`` and every feed's ``Feed/run()`` have returned. A client that is released without it closes its
    /// connections, but sends nothing. Changes that cannot be sent are reported by ``Preferences/events()`` and logged.
    ///
    /// Later calls throw `invalidState`, also those that would only queue a change; ``run()`` and ``Feed/run()`` return
    /// at once.
    public func shutdown() async {
        if context.isShutDown { return }
        do { try await preferences.flush() } catch {
            context.logger.warning("preference changes not sent", metadata: ["error": "\(error)"])
        }
        context.shutDown()
        await ownTransport?.shutdown()
    }
}
