import NIOCore
import NIOSSL

extension Endpoint {
    /// The host, if it is an address and not a name.
    var address: IPAddress? { IPAddress(host) }

    /// The server name for TLS; nil for an address, which is never sent (RFC 6066 §3).
    var serverName: String? { address == nil ? host : nil }
}

extension Route {
    /// The handler of a connection to the endpoint, whose certificate must contain the endpoint's name or address.
    ///
    /// The TLS library compares an address in a certificate with the one that the socket is connected to, which is the
    /// proxy's if there is one. So addresses are verified here, before any data is sent.
    ///
    /// - Parameter context: That of ``TLSTrust/context(for:)``.
    func tlsHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        guard let address = endpoint.address else {
            return try NIOSSLClientHandler(context: context, serverHostname: endpoint.serverName)
        }
        return try NIOSSLClientHandler._makeSSLClientHandler(context: context, serverHostname: nil) {
            certificate,
            channel in
            channel.eventLoop.makeCompletedFuture {
                if !certificate.addresses.contains(address) { throw TransportError.certificateForAnotherName(self) }
            }
        }
    }
}

extension NIOSSLCertificate {
    /// The addresses in the subject alternative names.
    fileprivate var addresses: [IPAddress] {
        _subjectAlternativeNames().filter { $0.nameType == .ipAddress }
            .compactMap { IPAddress(bytes: $0.contents.withUnsafeBufferPointer(Array.init)) }
    }
}
