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
        /// The proxy on the way did not let us through: with this HTTP status, if there was an answer.
        case proxy(status: Int?)
        /// A WebSocket upgrade was answered with this HTTP status.
        case refused(status: Int)
        /// The other side does not speak the protocol.
        case protocolViolation
        /// A WebSocket is gone: with the close code of an orderly end, or without one when the connection just broke.
        case closed(code: UInt16?)
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
    }

    /// What lies behind it, as far as that is known and tells a person what to do.
    package enum Cause: Sendable, Equatable {
        /// Nobody knows the name, or nobody who does could be asked.
        case unknownName
        /// Nothing listens there.
        case connectionRefused
        /// There is no network, or no way to the machine.
        case noRoute
        /// Nobody whom this system trusts vouches for the certificate now: its authority is unknown, or it is not valid at this time.
        case untrustedCertificate
        /// The certificate is good, for another name.
        case certificateForAnotherName
        /// What answers does not speak TLS.
        case noTLS
        /// The file of further certificate authorities cannot be used.
        case unusableCAFile
        /// What answers is a login page of the network, as far as one can tell.
        case signInPage
    }

    package var kind: Kind
    package var cause: Cause?
    /// For people: a short sentence that names the host and the cause, and never a header, a path or a token.
    package var detail: String
    /// How long the server asks us to stay away (`Retry-After` of a refused upgrade).
    package var retryAfter: Duration?

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
