import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension TransportError {
    /// What an error of the libraries below means. Their own texts are not passed on: they may quote addresses and headers.
    init(_ error: any Error, host: String) {
        switch error {
        case let error as TransportError:
            self = error
        case is CancellationError:
            self = .cancelled(host: host)
        case let error as HTTPClientError:
            self.init(error, host: host)
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error {
                self.init(cause, host: host)
            } else {
                self.init(.unreachable, "The name \(host) could not be resolved.", cause: .unknownName)
            }
        case let error as IOError:
            let (cause, words) = Self.cause(ofErrno: error.errnoCode)
            self.init(.unreachable, "\(host) could not be reached: \(words).", cause: cause)
        case ChannelError.connectTimeout:
            self = .timeout(host: host, "did not answer in time")
        case NIOSSLError.uncleanShutdown, is ChannelError:
            self.init(.unreachable, "\(host) closed the connection in the middle.")
        case is NIOSSLExtraError:
            self.init(.tls, "The certificate of \(host) is for another name.", cause: .certificateForAnotherName)
        case let error as NIOSSLError:
            let (cause, words) = Self.cause(of: error)
            self.init(.tls, "No secure connection to \(host): \(words).", cause: cause)
        case is BoringSSLError:
            self.init(.tls, "No secure connection to \(host): the TLS session failed.")
        case NIOWebSocketError.invalidFrameLength, is NIOWebSocketFrameAggregator.Error:
            self.init(.tooLarge, "\(host) sent a message that is too long.")
        case is NIOWebSocketError:
            self.init(.protocolViolation, "\(host) sent something that is not a WebSocket frame.")
        case is NIOHTTPClientUpgradeError:
            self.init(.protocolViolation, "\(host) did not agree to a WebSocket as it should.")
        case is HTTPParserError:
            self.init(.protocolViolation, "\(host) sent something that is not HTTP.")
        default:
            self.init(.unreachable, "The connection to \(host) failed.")
        }
    }

    private init(_ error: HTTPClientError, host: String) {
        switch error {
        case .cancelled, .alreadyShutdown:
            self = .cancelled(host: host)
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            self = .timeout(host: host, "did not answer in time")
        case .remoteConnectionClosed:
            self.init(.unreachable, "\(host) closed the connection in the middle.")
        case .invalidURL, .emptyHost, .emptyScheme:
            self.init(.invalidURL, "The address of the server is not a URL with a scheme and a host.")
        default:
            self.init(.protocolViolation, "The request to \(host) failed: \(error.shortDescription).")
        }
    }

    static func cancelled(host: String) -> TransportError {
        TransportError(.cancelled, "The connection to \(host) was given up.")
    }

    static func timeout(host: String, _ what: String) -> TransportError {
        TransportError(.timeout, "\(host) \(what).")
    }

    private static func cause(of error: NIOSSLError) -> (Cause?, String) {
        guard case .handshakeFailed(let cause) = error else { return (nil, "the TLS handshake failed") }
        let words = "\(cause)"
        if words.contains("CERTIFICATE_VERIFY_FAILED") {
            return (.untrustedCertificate, "its certificate is not trusted")
        }
        if words.contains("WRONG_VERSION_NUMBER") || words.contains("HTTP_REQUEST") {
            return (nil, "it does not speak TLS there")
        }
        return (nil, "the TLS handshake failed")
    }

    private static func cause(ofErrno code: CInt) -> (Cause?, String) {
        switch code {
        case ECONNREFUSED: (.connectionRefused, "nothing listens there")
        case ECONNRESET, EPIPE: (nil, "the connection was reset")
        case ENETUNREACH, ENETDOWN: (.noRoute, "there is no network")
        case EHOSTUNREACH, EHOSTDOWN: (.noRoute, "there is no way to it")
        case ETIMEDOUT: (nil, "it did not answer")
        default: (nil, "system error \(code)")
        }
    }
}
