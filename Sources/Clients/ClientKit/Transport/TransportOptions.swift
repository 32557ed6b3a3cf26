import FoundationEssentials

/// The options of a transport.
package struct TransportOptions: Sendable, Equatable {
    /// A PEM file with certificates that are trusted besides the system's. While it cannot be read, TLS connections
    /// fail.
    package var extraCAFile: String?
    /// The system's certificate authorities.
    package var authorities: SystemAuthorities
    /// Which connections use a proxy.
    package var proxies: ProxyRules
    /// The maximum size of a WebSocket message, in bytes.
    package var maximumMessageSize: Int
    /// The timeout of another connection after a failure, which only adds details to the error.
    package var diagnosisTimeout: Duration
    /// After this time without a request a router may have forgotten an HTTP connection.
    package var freshness: Duration

    package static let defaultFreshness = Duration.seconds(10)

    package init(
        extraCAFile: String? = nil,
        authorities: SystemAuthorities = SystemAuthorities(environment: ProcessInfo.processInfo.environment),
        proxies: ProxyRules = ProxyRules(),
        maximumMessageSize: Int = 4 << 20,
        diagnosisTimeout: Duration = .seconds(3),
        freshness: Duration = Self.defaultFreshness
    ) {
        self.extraCAFile = extraCAFile
        self.authorities = authorities
        self.proxies = proxies
        self.maximumMessageSize = maximumMessageSize
        self.diagnosisTimeout = diagnosisTimeout
        self.freshness = freshness
    }
}
