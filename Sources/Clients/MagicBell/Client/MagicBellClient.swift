import Basics
import ClientKit
import FoundationEssentials
public import Logging
import Synchronization

/// A MagicBell client: the connected users, and this device as a target of their push notifications.
///
/// ```swift
/// let client = try MagicBellClient(apiKey: "pk_…")
/// let user = try client.connectUser(email: "anna@example.com")
/// let store = try user.store.build(read: false)
/// try await store.fetch()
/// ```
///
/// The client has no background work of its own: ``run()`` receives the events of all users while it runs. Several
/// clients can exist in one process.
public final class MagicBellClient: Sendable {
    let context: RequestContext
    let services: UserServices
    let apiKey: String?
    let hmacSecret: String?
    let pageSize: Int
    let shared = Mutex(Shared())
    private let ownTransport: NIOTransport?

    struct Shared: Sendable {
        var users = UserRegistry<MagicBellUser>()
        /// Kept for users who connect later.
        var deviceToken: PushToken?
        /// By user, also of disconnected ones whose device is still registered.
        var devices: [DeviceOwner: DeviceRegistration] = [:]
        /// Only while ``MagicBellClient/run()`` runs.
        var jobs: Mailbox<Job>?
        var isShutDown = false
    }

    /// A job of ``run()``.
    enum Job: Sendable {
        case user(MagicBellUser)
        /// The user has other credentials: refused requests are retried.
        case reconnect(MagicBellUser)
        case device(DeviceOwner, DeviceRegistration)
    }

    /// Creates a client of a project, with its own connections; end it with ``shutdown()``. They use the proxy from the
    /// environment (`https_proxy`, `all_proxy`, `no_proxy`, also in capitals), and trust the system's certificate
    /// authorities, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    ///
    /// - Parameters:
    ///   - apiKey: The project's API key, `pk_…`; nil: users connect with user tokens only.
    ///   - hmacSecret: The project's API secret, with which the HMAC of every user is computed. Server-side use only:
    ///     with it, a program can act for every user, so it must not be part of an app, nor on a user's computer. There
    ///     the app's backend computes the HMAC for `connectUser`.
    ///   - hosts: The service's hosts.
    ///   - app: The program's name and version, sent to the service; nil: only the library's.
    ///   - pageSize: The number of notifications of a page of a store, 1 to 100.
    ///   - logLevel: The amount of log messages; by default none.
    ///   - logger: The log. It contains no secrets and no contents of notifications.
    /// - Throws: `invalidArgument` for an invalid key, host, app name or page size.
    public convenience init(
        apiKey: String?,
        hmacSecret: String? = nil,
        hosts: Hosts = Hosts(),
        app: AppInfo? = nil,
        pageSize: Int = 50,
        logLevel: LogLevel = .none,
        logger: Logger = Logger(label: "magicbell")
    ) throws(MagicBellError) {
        // Check the arguments before starting a thread.
        _ = try RequestContext.validated(hosts: hosts, app: app)
        try Self.check(apiKey: apiKey, pageSize: pageSize)
        let logger = logLevel.applied(to: logger)
        let proxies = ProxyRules(environment: ProcessInfo.processInfo.environment)
        let transport = NIOTransport(options: TransportOptions(proxies: proxies), logger: logger)
        let context = try RequestContext(
            hosts: hosts,
            app: app,
            http: transport,
            webSocket: transport,
            logger: logger
        )
        try self.init(
            context,
            services: .network(context),
            apiKey: apiKey,
            hmacSecret: hmacSecret,
            pageSize: pageSize,
            ownTransport: transport
        )
    }

    /// Creates a client for users with user tokens, which the user API (v2) accepts: it needs no API key. The arguments
    /// are those of ``init(apiKey:hmacSecret:hosts:app:pageSize:logLevel:logger:)``.
    public convenience init(
        hosts: Hosts = Hosts(),
        app: AppInfo? = nil,
        pageSize: Int = 50,
        logLevel: LogLevel = .none,
        logger: Logger = Logger(label: "magicbell")
    ) throws(MagicBellError) {
        try self.init(
            apiKey: nil,
            hosts: hosts,
            app: app,
            pageSize: pageSize,
            logLevel: logLevel,
            logger: logger
        )
    }

    /// Creates a client of `context` with its transports.
    package convenience init(
        _ context: RequestContext,
        services: UserServices? = nil,
        apiKey: String? = nil,
        hmacSecret: String? = nil,
        pageSize: Int = 50
    ) throws(MagicBellError) {
        try self.init(
            context,
            services: services ?? .network(context),
            apiKey: apiKey,
            hmacSecret: hmacSecret,
            pageSize: pageSize,
            ownTransport: nil
        )
    }

    private init(
        _ context: RequestContext,
        services: UserServices,
        apiKey: String?,
        hmacSecret: String?,
        pageSize: Int,
        ownTransport: NIOTransport?
    ) throws(MagicBellError) {
        try Self.check(apiKey: apiKey, pageSize: pageSize)
        self.context = context
        self.services = services
        self.apiKey = apiKey
        self.hmacSecret = hmacSecret
        self.pageSize = pageSize
        self.ownTransport = ownTransport
    }

    private static func check(apiKey: String?, pageSize: Int) throws(MagicBellError) {
        if let apiKey { try ArgumentCheck.checkHeader(apiKey, named: "API key") }
        try check(pageSize: pageSize)
    }

    static func check(pageSize: Int) throws(MagicBellError) {
        guard 1...100 ~= pageSize else {
            throw MagicBellError(.invalidArgument, "The page size \(pageSize) is outside 1 to 100.")
        }
    }

    // MARK: Running

    /// Receives the events of every connected user, also of those who connect later, and keeps their device
    /// registered, until the task is cancelled or the client is shut down. Failures are retried indefinitely.
    ///
    /// When it returns, the connections are closed. Call it again to continue.
    public func run() async {
        guard let jobs = startRun() else {
            return context.logger.error("the client runs already, or was shut down")
        }
        await withDiscardingTaskGroup { group in
            for await job in jobs.messages {
                group.addTask { await self.run(job) }
            }
            group.cancelAll()
        }
        shared.withLock { $0.jobs = nil }
    }

    private func startRun() -> Mailbox<Job>? {
        shared.withLock { shared in
            guard shared.jobs == nil, !shared.isShutDown else { return nil }
            let jobs = Mailbox<Job>()
            shared.jobs = jobs
            for entry in shared.users.entries { jobs.send(.user(entry.user)) }
            for (owner, device) in shared.devices { jobs.send(.device(owner, device)) }
            return jobs
        }
    }

    private func run(_ job: Job) async {
        switch job {
        case .user(let user): await user.run()
        case .reconnect(let user):
            await user.reconnect()
            user.device.wake()
        case .device(let owner, let device):
            await device.keep()
            removeUnused(device, of: owner)
        }
    }

    /// Ends the waits before the next attempts of every user: after the network returned, after the computer woke up,
    /// or at the user's request.
    public func reconnect() async {
        let (users, devices) = shared.withLock { shared in
            (shared.users.entries.map(\.user), Array(shared.devices.values))
        }
        for user in users { await user.reconnect() }
        for device in devices { device.wake() }
    }

    /// Ends every user, and closes the connections of a client that has its own. Devices stay registered; to end that,
    /// disconnect the users first. A client that is released without it closes its connections.
    ///
    /// Calls in flight and later ones throw `invalidState`; ``run()`` returns.
    public func shutdown() async {
        let (users, jobs) = shared.withLock { shared in
            shared.isShutDown = true
            return (shared.users.removeAll(), shared.jobs)
        }
        for user in users { user.end(.shutDown) }
        context.shutDown()
        jobs?.close()
        await ownTransport?.shutdown()
    }
}
