import Basics
import FoundationEssentials
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension NIOTransport {
    /// Describes an error, with details from another attempt: why a certificate is not trusted, why a name has no
    /// address. The libraries below do not report them.
    func explained(_ error: any Error, on route: Route) async -> TransportError {
        var plain = TransportError(error, on: route)
        if Task.isCancelled { return plain }
        if plain.cause == .untrustedCertificate {
            if let reason = try? await certificates(on: route, timeout: options.diagnosisTimeout)
                .reasonForDistrust(at: Date())
            {
                plain.detail = "No secure connection to \(route.name): \(reason)."
            }
        } else if plain.cause == .unknownName {
            if await isLookupFailing(route.proxy?.host ?? route.endpoint.host) {
                return .unresolved(route, "cannot be looked up now: no name server answers")
            }
        }
        return plain
    }

    /// Whether no name server answers (`EAI_AGAIN`), as opposed to an unknown name.
    private func isLookupFailing(_ name: String) async -> Bool {
        // `getaddrinfo` may block for half a minute; a cancelled task returns at once.
        await runBlocking {
            var addresses: UnsafeMutablePointer<addrinfo>?
            defer { if let addresses { freeaddrinfo(addresses) } }
            return getaddrinfo(name, nil, nil, &addresses) == EAI_AGAIN
        } ?? false
    }
}
