/// How a transport behaves.
package struct TransportOptions: Sendable, Equatable {
    /// A PEM file with certificates that are trusted besides the system's. As long as it cannot be read, nothing is sent over TLS.
    package var extraCAFile: String?
    /// Which connections go through a proxy.
    package var proxies: ProxyRules
    /// The longest WebSocket message, in bytes.
    package var maximumMessageSize: Int

    package init(
        extraCAFile: String? = nil,
        proxies: ProxyRules = ProxyRules(),
        maximumMessageSize: Int = 4 << 20
    ) {
        self.extraCAFile = extraCAFile
        self.proxies = proxies
        self.maximumMessageSize = maximumMessageSize
    }
}
