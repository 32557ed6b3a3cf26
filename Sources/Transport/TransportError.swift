/// Why a request or a connection failed.
package struct TransportError: Error, Sendable, Equatable {
    /// For code.
    package enum Kind: Sendable, Equatable {
        /// The address is no URL we can use.
        case invalidURL
        /// Plain `http` or `ws` to another machine: it would show a token to everyone on the way.
        case insecure
        /// No connection, for lack of a name, a route or a listener; or it broke.
        case unreachable
        /// No agreement on TLS, mostly a certificate that is not trusted.
        case tls
        /// Not finished in time.
        case timeout
        /// An answer or a message longer than allowed.
        case tooLarge
        /// A WebSocket upgrade was answered with this HTTP status.
        case refused(status: Int)
        /// The other side does not speak the protocol.
        case protocolViolation
        /// A WebSocket is gone: with the close code of an orderly end, or without one when the connection just broke.
        case closed(code: UInt16?)
        /// The task was cancelled, or the transport was shut down.
        case cancelled
    }

    package var kind: Kind
    /// For people: a short sentence that names the host and the cause, and never a header, a path or a token.
    package var detail: String
    /// How long the server asks us to stay away (`Retry-After` of a refused upgrade).
    package var retryAfter: Duration?

    package init(_ kind: Kind, _ detail: String, retryAfter: Duration? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String { detail }
}
