public import Logging
package import Transport

/// One person's access to SuprSend: who, with which key, at which hosts. Feeds are made from it.
///
/// ```swift
/// let client = try SuprSendClient(publicKey: "SS.PUBK.…", distinctID: "anna@example.com") { expired in
///     try await backend.token(replacing: expired)
/// }
/// let feed = try client.feed()
/// async let lifetime: Void = feed.run()
/// for await case .newNotification(let notification, _) in await feed.events() {
///     print(notification.message.header ?? notification.message.text)
/// }
/// ```
///
/// A value: copies share the user token. Nothing is sent before a feed's method is called.
public struct SuprSendClient: Sendable {
    /// The workspace's public key.
    public let publicKey: String
    /// The user.
    public let distinctID: String
    /// The tenant of feeds that name none.
    public let tenantID: String
    /// Where the service is.
    public let hosts: Hosts

    let http: any HTTPTransport
    let webSocket: any WebSocketTransport
    let tokens: UserTokenSource
    let surroundings: Surroundings
    let logger: Logger
    private var ownTransport: NIOTransport?

    /// A client with its own connections; end it with ``shutdown()``.
    ///
    /// - Parameters:
    ///   - publicKey: The workspace's public key, `SS.PUBK.…`.
    ///   - distinctID: The user.
    ///   - tenantID: The tenant of feeds that name none.
    ///   - hosts: Where the service is.
    ///   - logger: Takes what happens, without secrets and without the contents of notifications.
    ///   - userToken: Obtains the user's token; nil: requests carry the public key alone.
    /// - Throws: `invalidArgument` for an empty id or key and for a malformed host, before anything is sent.
    public init(
        publicKey: String,
        distinctID: String,
        tenantID: String = "default",
        hosts: Hosts = Hosts(),
        logger: Logger = Logger(label: "suprsend"),
        userToken: UserTokenProvider? = nil
    ) throws(SuprSendError) {
        // Bad arguments are told before a thread is taken.
        _ = try Self.check(publicKey: publicKey, distinctID: distinctID, tenantID: tenantID, hosts: hosts)
        let transport: NIOTransport
        do { transport = try NIOTransport(logger: logger) } catch { throw SuprSendError(error) }
        try self.init(
            publicKey: publicKey,
            distinctID: distinctID,
            tenantID: tenantID,
            hosts: hosts,
            http: transport,
            webSocket: transport,
            logger: logger,
            userToken: userToken
        )
        ownTransport = transport
    }

    /// Ends the connections of a client that has its own. To be called once, after every feed's ``Feed/run()`` has returned.
    public func shutdown() async { await ownTransport?.shutdown() }

    /// A client over the given transports. Throws `invalidArgument` for an empty id or key and for a malformed host.
    package init(
        publicKey: String,
        distinctID: String,
        tenantID: String = "default",
        hosts: Hosts = Hosts(),
        http: any HTTPTransport,
        webSocket: any WebSocketTransport,
        surroundings: Surroundings = Surroundings(),
        logger: Logger = Logger(label: "suprsend"),
        userToken: UserTokenProvider? = nil
    ) throws(SuprSendError) {
        let hosts = try Self.check(publicKey: publicKey, distinctID: distinctID, tenantID: tenantID, hosts: hosts)
        self.publicKey = publicKey
        self.distinctID = distinctID
        self.tenantID = tenantID
        self.hosts = hosts
        self.http = http
        self.webSocket = webSocket
        self.surroundings = surroundings
        self.logger = logger
        tokens = UserTokenSource(
            provider: userToken,
            distinctID: distinctID,
            surroundings: surroundings,
            logger: logger
        )
    }

    private static func check(
        publicKey: String,
        distinctID: String,
        tenantID: String,
        hosts: Hosts
    ) throws(SuprSendError) -> Hosts {
        for (name, value) in [("public key", publicKey), ("distinct id", distinctID), ("tenant id", tenantID)] {
            if value.isEmpty { throw SuprSendError(.invalidArgument, "The \(name) is empty.") }
        }
        guard publicKey.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SuprSendError(.invalidArgument, "The public key holds a blank or a character that no key has.")
        }
        return try hosts.validated()
    }

    /// A feed of the user's inbox. Throws `invalidArgument` for options that cannot be used. Nothing is sent yet.
    public func feed(_ options: FeedOptions = FeedOptions()) throws(SuprSendError) -> Feed {
        try options.validate()
        return Feed(client: self, options: options, hosts: try options.hosts?.validated() ?? hosts)
    }
}
