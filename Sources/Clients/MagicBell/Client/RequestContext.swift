package import ClientKit
package import Logging

/// The context that all requests of a client share: the hosts, the transports, the time, the limits.
package struct RequestContext: ClientContext {
    package typealias Failure = MagicBellError

    /// In the form for URLs.
    package let hosts: Hosts
    package let http: any HTTPTransport
    package let webSocket: any WebSocketTransport
    package let environment: ClientEnvironment
    package let logger: Logger
    package let userAgent: String
    /// The service's limits of the REST API, which all users of a project share.
    let limiter: RequestLimiter
    /// After a refusal by the user API, whose limits are not documented.
    let pause: RequestPause
    package let lifetime = ClientLifetime()

    /// Throws `invalidArgument` for an invalid host or app name.
    ///
    /// - Parameter limits: Those of the REST API; others only for a service that is not the public one.
    package init(
        hosts: Hosts = Hosts(),
        app: AppInfo? = nil,
        limits: RequestLimits = .documented,
        http: any HTTPTransport,
        webSocket: any WebSocketTransport,
        environment: ClientEnvironment = ClientEnvironment(),
        logger: Logger
    ) throws(MagicBellError) {
        self.hosts = try Self.validated(hosts: hosts, app: app)
        self.http = http
        self.webSocket = webSocket
        self.environment = environment
        self.logger = logger
        userAgent = AppInfo.userAgent(of: app)
        limiter = RequestLimiter(limits, clock: environment.clock)
        pause = RequestPause(clock: environment.clock)
    }

    /// Checks the arguments of a client. Throws `invalidArgument`.
    package static func validated(hosts: Hosts, app: AppInfo?) throws(MagicBellError) -> Hosts {
        try ArgumentCheck.check(app)
        return try hosts.validated()
    }
}
