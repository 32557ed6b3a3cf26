/// Why a request or a connection failed.
package struct TransportError: Error, Sendable, Equatable {
    /// The kind, for code.
    package enum Kind: Sendable, Equatable {
        /// The address is not a usable URL.
        case invalidURL
        /// Plain `http` or `ws` to another computer, which would expose the token.
        case insecure
        /// No connection (name, route or listener missing), or a broken connection.
        case unreachable
        /// The TLS handshake failed, mostly because of an untrusted certificate.
        case tls
        /// The timeout passed.
        case timeout
        /// A response or a message exceeds the limit.
        case tooLarge
        /// The proxy refused the connection, with this HTTP status, if any.
        case proxy(status: Int?)
        /// The WebSocket upgrade was answered with this HTTP status.
        case refused(status: Int)
        /// The other side violated the protocol.
        case protocolViolation
        /// A WebSocket ended: with the close code of an orderly end, or without one after a loss.
        case closed(code: UInt16?)
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
    }

    /// The cause, when it is known and helps the user.
    package enum Cause: Sendable, Equatable {
        /// The name does not exist, or no name server answered.
        case unknownName
        /// The connection was refused.
        case connectionRefused
        /// No network, or no route to the host.
        case noRoute
        /// The certificate is not trusted: its authority is unknown, or it is not valid at this time.
        case untrustedCertificate
        /// A trusted certificate for another name.
        case certificateForAnotherName
        /// The server does not speak TLS.
        case noTLS
        /// The extra file of certificate authorities cannot be used.
        case unusableCAFile
        /// The system's certificate authorities are missing or cannot be read.
        case noAuthorities
        /// Probably a captive portal answered.
        case signInPage
    }

    package var kind: Kind
    package var cause: Cause?
    /// A short sentence for the user with host and cause; never a header, a path or a token.
    package var detail: String
    /// `Retry-After` of a refused upgrade.
    package var retryAfter: Duration?
    /// Whether an answer was too long for the link; a shorter one may arrive in time.
    package var isTooSlow = false

    package init(_ kind: Kind, _ detail: String, cause: Cause? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.cause = cause
        self.detail = detail
        self.retryAfter = retryAfter
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String { detail }
}
