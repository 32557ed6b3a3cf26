package import ClientKit
package import FoundationEssentials
package import Logging
import Synchronization
package import Transport

/// What all requests of a client have in common: the workspace's key, the hosts, the ways to reach them, the time.
package struct Workspace: Sendable {
    let publicKey: String
    let hosts: Hosts
    let http: any HTTPTransport
    let webSocket: any WebSocketTransport
    let surroundings: Surroundings
    let logger: Logger
    let description: (json: String, line: String)
    private let time = ServiceTime()
    private let end = End()

    /// Throws `invalidArgument` for a key that cannot be one, for a malformed host, and for an app's name that cannot be sent.
    package init(
        publicKey: String,
        hosts: Hosts = Hosts(),
        app: AppInfo? = nil,
        http: any HTTPTransport,
        webSocket: any WebSocketTransport,
        surroundings: Surroundings = Surroundings(),
        logger: Logger
    ) throws(SuprSendError) {
        self.hosts = try Self.validated(publicKey: publicKey, hosts: hosts, app: app)
        self.publicKey = publicKey
        self.http = http
        self.webSocket = webSocket
        self.surroundings = surroundings
        self.logger = logger
        let description = ClientDescription(app: app)
        self.description = (description.json, description.line)
    }

    static func validated(publicKey: String, hosts: Hosts, app: AppInfo?) throws(SuprSendError) -> Hosts {
        try app?.validate()
        try check(publicKey: publicKey)
        return try hosts.validated()
    }

    /// Throws `invalidArgument` for a key that cannot be one.
    package static func check(publicKey: String) throws(SuprSendError) {
        try Argument.check(publicKey, named: "public key")
        guard publicKey.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SuprSendError(.invalidArgument, "The public key holds a blank or a character that no key has.")
        }
    }

    /// Whether the client was shut down: nothing is sent any more.
    var isShutDown: Bool { end.hasCome.withLock(\.self) }

    func shutDown() { end.hasCome.withLock { $0 = true } }

    func checkNotShutDown() throws(SuprSendError) {
        if isShutDown { throw .shutDown }
    }

    /// The service's present time, as far as its answers tell: this computer's clock may be wrong.
    package var now: Date { time.corrected(surroundings.now()) }

    /// How far the service's clock is ahead of this computer's, in seconds; nil: no answer has told yet.
    var clockOffset: TimeInterval? { time.offset }

    /// Our clock was put forward, or back, by so much: the service's was not.
    func clockWasSet(by change: Duration) { time.clockWasSet(by: change / .seconds(1)) }

    /// Takes in the `Date` of an answer of the service.
    func heard(_ response: HTTPResponse, askedAt asked: Date) {
        if let date = response.date { time.heard(date, asked: asked, received: surroundings.now()) }
    }
}

/// Shared by all copies of a workspace.
private final class End: Sendable {
    let hasCome = Mutex(false)
}
