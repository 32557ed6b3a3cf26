package import ClientKit
package import Logging

/// The context that all requests of a client share: the workspace's key, the hosts, the transports, the time.
package struct RequestContext: ClientContext {
    package typealias Failure = SuprSendError

    let publicKey: String
    let hosts: Hosts
    let http: any HTTPTransport
    let webSocket: any WebSocketTransport
    package let environment: ClientEnvironment
    package let logger: Logger
    let description: (json: String, line: String)
    /// After the service's refusal.
    let pause: RequestPause
    package let lifetime = ClientLifetime()

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
        try ArgumentCheck.check(app)
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
}
