import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import NIOWebSocket

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension TransportError {
    /// Translates an error of the libraries below. Their own texts are not used: they may contain addresses and
    /// headers.
    init(_ error: any Error, on route: Route) {
        let there = route.name
        switch error {
        case let error as TransportError:
            self = error
        case is CancellationError:
            self = .cancelled(host: route.endpoint.host)
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error {
                self.init(cause, on: route)
            } else if let failure = (error.dnsAError ?? error.dnsAAAAError) as? LookupFailure, failure.isTemporary {
                self = .unresolved(route, "cannot be looked up now: no name server answers")
            } else {
                self = .unresolved(route, "could not be resolved")
            }
        case let error as IOError:
            let (cause, words) = Self.cause(of: error)
            self.init(.unreachable, "\(route.nearest) could not be reached: \(words).", cause: cause)
        case ChannelError.connectTimeout:
            self.init(.timeout, "\(route.nearest) did not answer in time.")
        case NIOSSLError.uncleanShutdown, is ChannelError:
            self.init(.unreachable, "\(there) closed the connection early.")
        case is NIOSSLExtraError:
            self = .certificateForAnotherName(route)
        case let error as NIOSSLError:
            let (cause, words) = Self.cause(of: error)
            self.init(.tls, "No secure connection to \(there): \(words).", cause: cause)
        case is BoringSSLError:
            self.init(.tls, "No secure connection to \(there): the TLS session failed.")
        case NIOWebSocketError.invalidFrameLength, is NIOWebSocketFrameAggregator.Error:
            self.init(.tooLarge, "\(there) sent a message that is too long.")
        case is NIOWebSocketError:
            self.init(.protocolViolation, "\(there) sent something that is not a WebSocket frame.")
        case is NIOHTTPClientUpgradeError:
            self.init(.protocolViolation, "\(there) did not answer the WebSocket upgrade correctly.")
        case NIOHTTPDecompression.DecompressionError.limit:
            self.init(.tooLarge, "\(there) sent an answer that is too long.")
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self.init(.protocolViolation, "\(there) sent something that cannot be decompressed.")
        case HTTPParserError.invalidHeaderToken:
            self.init(.protocolViolation, "A header of the request to \(there) or of its answer is invalid.")
        case is HTTPParserError:
            self.init(.protocolViolation, "\(there) sent something that is not HTTP.")
        default:
            if let proxy = route.proxy, proxy.kind == .socks {
                // SOCKSError has no type of its own.
                self = .refusal(by: proxy, of: route.endpoint.host, status: nil)
            } else {
                self.init(.unreachable, "The connection to \(there) failed.")
            }
        }
    }

    static let shutDown = TransportError(.shutDown, "The transport was shut down.")

    static func cancelled(host: String) -> TransportError {
        TransportError(.cancelled, "The connection to \(host) was cancelled.")
    }

    static func timeout(_ route: Route, _ what: String) -> TransportError {
        TransportError(.timeout, "\(route.name) \(what).")
    }

    static func certificateForAnotherName(_ route: Route) -> TransportError {
        TransportError(
            .tls,
            "The certificate of \(route.name) is for another name. It may be that of a login page of the network.",
            cause: .certificateForAnotherName
        )
    }

    /// The name of the route cannot be resolved, for the reason in `what`.
    static func unresolved(_ route: Route, _ what: String) -> TransportError {
        let name = route.proxy.map { "\($0.host) of the proxy in \($0.source)" } ?? route.endpoint.host
        return TransportError(.unreachable, "The name \(name) \(what).", cause: .unknownName)
    }

    private static func cause(of error: NIOSSLError) -> (Cause?, String) {
        guard case .handshakeFailed(let cause) = error else { return (nil, "the TLS handshake failed") }
        let words = "\(cause)"
        if words.contains("CERTIFICATE_VERIFY_FAILED") {
            return (.untrustedCertificate, "its certificate is not trusted")
        }
        if words.contains("WRONG_VERSION_NUMBER") || words.contains("HTTP_REQUEST") {
            return (.noTLS, "it does not speak TLS there")
        }
        // Our alert for an old version of the server, or the server's alert for a version of ours that is too new.
        if words.contains("UNSUPPORTED_PROTOCOL") || words.contains("PROTOCOL_VERSION") {
            return (nil, "it does not support TLS 1.2 or later, which is required")
        }
        return (nil, "the TLS handshake failed")
    }

    private static func cause(of error: IOError) -> (Cause?, String) {
        switch error.errnoCode {
        case ECONNREFUSED: (.connectionRefused, "nothing listens there")
        case ECONNRESET, EPIPE: (nil, "the connection was reset")
        case ENETUNREACH, ENETDOWN: (.noRoute, "there is no network")
        case EHOSTUNREACH, EHOSTDOWN: (.noRoute, "there is no route to it")
        case ETIMEDOUT: (nil, "it did not answer")
        default: (nil, SystemCallFailure(error).words)
        }
    }
}

extension Route {
    /// The host or proxy that is connected to, as the subject of a sentence.
    fileprivate var nearest: String { proxy.map { "The proxy \($0)" } ?? endpoint.host }
}
