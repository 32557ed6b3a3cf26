package import ClientKit
package import FoundationEssentials
package import Logging
import Synchronization
package import Transport

/// The context that all requests of a client share: the workspace's key, the hosts, the transports, the time.
package struct RequestContext: Sendable {
    let publicKey: String
    let hosts: Hosts
    let http: any HTTPTransport
    let webSocket: any WebSocketTransport
    let environment: ClientEnvironment
    let logger: Logger
    let description: (json: String, line: String)
    /// After the service's refusal.
    let pause: RequestPause
    private let time = ServiceTime()
    private let end = End()

    /// Throws `invalidArgument` for an invalid key, host or app name.
    package init(
        publicKey: String,
        hosts: Hosts = Hosts(),
        app: AppInfo? = nil,
        http: any HTTPTransport,
        webSocket: any WebSocketTransport,
        environment: ClientEnvironment = ClientEnvironment(),
        logger: Logger
    ) throws(SuprSendError) {
        self.hosts = try Self.validated(publicKey: publicKey, hosts: hosts, app: app)
        self.publicKey = publicKey
        self.http = http
        self.webSocket = webSocket
        self.environment = environment
        self.logger = logger
        let description = ClientDescription(app: app)
        self.description = (description.json, description.line)
        pause = RequestPause(clock: environment.clock)
    }

    static func validated(publicKey: String, hosts: Hosts, app: AppInfo?) throws(SuprSendError) -> Hosts {
        try app?.validate()
        try check(publicKey: publicKey)
        return try hosts.validated()
    }

    /// Throws `invalidArgument` for an invalid key.
    package static func check(publicKey: String) throws(SuprSendError) {
        try ArgumentCheck.check(publicKey, named: "public key")
        guard publicKey.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SuprSendError(.invalidArgument, "The public key contains a blank or an invalid character.")
        }
    }

    /// Whether the client was shut down: nothing is sent any more.
    var isShutDown: Bool { end.hasCome.withLock(\.self) }

    func shutDown() { end.hasCome.withLock { $0 = true } }

    func checkNotShutDown() throws(SuprSendError) {
        if isShutDown { throw .shutDown }
    }

    /// The service's present time, corrected by its responses: this computer's clock may be wrong.
    package var now: Date { time.corrected(environment.now()) }

    /// How far the service's clock is ahead of this computer's, in seconds; nil: unknown.
    var clockOffset: TimeInterval? { time.offset }

    /// Our clock was set forward by `change` (negative: back); the service's was not.
    func wallClockChanged(by change: Duration) { time.wallClockChanged(by: change / .seconds(1)) }

    /// Updates the clock offset from the `Date` of a response of the service.
    func recordTime(of response: HTTPResponse, sent: Date) {
        if let date = response.date { time.record(date, sent: sent, received: environment.now()) }
    }
}

/// Shared by all copies of a context.
private final class End: Sendable {
    let hasCome = Mutex(false)
}
