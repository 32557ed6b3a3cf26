import AsyncHTTPClient
import Dispatch
import FoundationEssentials
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension NIOTransport {
    /// The timeout of another connection or a name lookup after a failure.
    private static let diagnosisTimeout = Duration.seconds(3)

    /// Describes an error, with details from another attempt: why a certificate is not trusted, the proxy's status, why
    /// a name has no address. The libraries below do not report them.
    func explained(_ error: any Error, on route: Route) async -> TransportError {
        var plain = TransportError(error, on: route)
        if Task.isCancelled { return plain }
        if plain.cause == .untrustedCertificate {
            if let reason = try? await certificates(on: route, timeout: Self.diagnosisTimeout)
                .reasonForDistrust(at: Date())
            {
                plain.detail = "No secure connection to \(route.name): \(reason)."
            }
        } else if plain.cause == .unknownName {
            if await isLookupFailing(route.proxy?.host ?? route.endpoint.host) {
                return .unresolved(route, "cannot be looked up now: no name server answers")
            }
        } else if plain.kind == .proxy(status: nil), (error as? HTTPClientError) == .invalidProxyResponse,
            let refused = await refusal(on: route)
        {
            return refused
        }
        return plain
    }

    /// The proxy's answer to another request.
    private func refusal(on route: Route) async -> TransportError? {
        let attempt = route.connect(on: eventLoops.next(), timeout: TimeAmount(Self.diagnosisTimeout)) { channel in
            // The proxy accepts this time.
            channel.close()
        }
        do {
            _ = try await attempt.get()
            return nil
        } catch {
            return error as? TransportError
        }
    }

    /// Whether no name server answers (`EAI_AGAIN`), as opposed to an unknown name.
    private func isLookupFailing(_ name: String) async -> Bool {
        // `getaddrinfo` may block for half a minute; a cancelled task returns at once.
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        DispatchQueue.global().async {
            var addresses: UnsafeMutablePointer<addrinfo>?
            answer.yield(getaddrinfo(name, nil, nil, &addresses) == EAI_AGAIN)
            if let addresses { freeaddrinfo(addresses) }
            answer.finish()
        }
        return await answers.first { _ in true } ?? false
    }
}

extension [ServerCertificate] {
    /// Why these certificates, a server's own first, are not trusted, as the end of a sentence; nil: there are none.
    func reasonForDistrust(at now: Date) -> String? {
        guard let own = first else { return nil }
        // Validity is checked against the clock of this computer.
        if let end = map(\.notAfter).min(), end < now {
            return "its certificate expired on \(Self.day(end)), unless this computer's clock is wrong"
        }
        if let start = map(\.notBefore).max(), start > now {
            return "its certificate is valid only from \(Self.day(start)) on, unless this computer's clock is wrong"
        }
        return own.isSelfSigned
            ? "its certificate is self-signed and not trusted by this computer"
            : "its certificate is signed by an authority that this computer does not trust"
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
