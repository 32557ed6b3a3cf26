package import ClientKit
package import FoundationEssentials
package import Logging
import Synchronization
package import Transport

/// The context that all requests of a client share: the hosts, the transports, the time, the limits.
package struct RequestContext: Sendable {
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
    private let time = ServiceTime()
    private let end = End()

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
        try app?.validate()
        return try hosts.validated()
    }

    /// Whether the client was shut down: nothing is sent any more.
    package var isShutDown: Bool { end.hasCome.withLock(\.self) }

    package func shutDown() { end.hasCome.withLock { $0 = true } }

    package func checkNotShutDown() throws(MagicBellError) {
        if isShutDown { throw .shutDown }
    }

    /// The service's present time, corrected by its responses: this computer's clock may be wrong.
    package var now: Date { time.corrected(environment.now()) }

    /// How far the service's clock is ahead of this computer's, in seconds; nil: unknown.
    package var clockOffset: TimeInterval? { time.offset }

    /// Our clock was set forward by `change` (negative: back); the service's was not.
    package func wallClockChanged(by change: Duration) { time.wallClockChanged(by: change / .seconds(1)) }

    /// Updates the clock offset from the `Date` of a response of the service.
    func recordTime(of response: HTTPResponse, sent: Date) {
        if let date = response.date { time.record(date, sent: sent, received: environment.now()) }
    }
}

/// Shared by all copies of a context.
private final class End: Sendable {
    let hasCome = Mutex(false)
}
