package import ClientKit
import VisibleText

/// The result of the check of one host of a service.
package struct HostCheck: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// The host answered like the service, possibly with an error.
        case answered
        /// Another server answered, with this HTTP status if there was one, and a sentence about it.
        case foreign(String, status: Int?)
        /// The service failed; in a sentence.
        case serviceFailed(String)
        /// The service limits the rate; in a sentence.
        case rateLimited(String)
        /// There was no answer.
        case failed(TransportError)
    }

    /// The service's use of the host, as a noun: "notifications".
    package var purpose: String
    /// The base URL.
    package var url: String
    /// The key of the configuration that names it; nil: it does not come from there.
    package var key: String?
    package var outcome: Outcome
    /// From the request to the end of the answer.
    package var duration: Duration
    /// The certificates it showed, if they were not trusted.
    package var certificates: [ServerCertificate]
    /// The proxy on the way to it, if there is one.
    package var proxy: String?
    /// The host accepted a connection, after a request had no answer in time.
    package var acceptsConnections: Bool

    package init(
        purpose: String,
        url: String,
        key: String?,
        outcome: Outcome,
        duration: Duration,
        certificates: [ServerCertificate] = [],
        proxy: String? = nil,
        acceptsConnections: Bool = false
    ) {
        self.purpose = purpose
        self.url = url
        self.key = key
        self.outcome = outcome
        self.duration = duration
        self.certificates = certificates
        self.proxy = proxy
        self.acceptsConnections = acceptsConnections
    }

    var error: TransportError? {
        if case .failed(let error) = outcome { error } else { nil }
    }

    var isSecure: Bool { url.hasPrefix("https:") || url.hasPrefix("wss:") }

    /// Name and port of the URL.
    var name: String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return String(rest.prefix { $0 != "/" })
    }
}

extension NIOTransport {
    /// The proxy for a URL and what sets it, for users; nil: none, or an unusable one.
    package func proxy(for url: String) async -> String? {
        await proxy(for: url, desktop: translated("the desktop's settings"))
    }

    /// More facts about a failure: the host's certificates, and whether it accepts connections.
    package func clues(
        to error: TransportError,
        from url: String,
        timeout: Duration
    ) async -> (certificates: [ServerCertificate], acceptsConnections: Bool) {
        if error.cause == .untrustedCertificate {
            return ((try? await certificates(of: url, timeout: timeout)) ?? [], false)
        }
        guard error.kind == .timeout, await proxy(for: url) == nil else { return ([], false) }
        return ([], await canConnect(to: url, timeout: .seconds(3)))
    }
}
