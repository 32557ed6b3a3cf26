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
    /// For another connection or a question to the system, after a failure.
    private static let patience = Duration.seconds(3)

    /// What an error means, with what can be found out besides: why a certificate is not trusted, what a proxy said, why a name has
    /// no address. The libraries below do not tell.
    func explained(_ error: any Error, on route: Route) async -> TransportError {
        var plain = TransportError(error, on: route)
        if Task.isCancelled { return plain }
        if plain.cause == .untrustedCertificate {
            if let reason = try? await certificates(on: route, timeout: Self.patience).reasonForDistrust(at: Date()) {
                plain.detail = "No secure connection to \(route.name): \(reason)."
            }
        } else if plain.cause == .unknownName {
            if await isLookupFailing(route.proxy?.host ?? route.endpoint.host) {
                return .unresolved(route, "cannot be looked up now: no name server answers")
            }
        } else if plain.kind == .proxy(status: nil), (error as? HTTPClientError) == .invalidProxyResponse,
            let told = await refusal(on: route)
        {
            return told
        }
        return plain
    }

    /// What the proxy says when it is asked once more.
    private func refusal(on route: Route) async -> TransportError? {
        let asked = route.connect(on: eventLoops.next(), timeout: TimeAmount(Self.patience)) { channel in
            // It has changed its mind.
            channel.close()
        }
        do {
            _ = try await asked.get()
            return nil
        } catch {
            return error as? TransportError
        }
    }

    /// Whether nobody who could know the name can be asked (`EAI_AGAIN`), other than that nobody knows it.
    private func isLookupFailing(_ name: String) async -> Bool {
        // A cancelled task does not wait for the system, which may take half a minute.
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
    /// Why nobody trusts these certificates, a server's own first, as the end of a sentence; nil: there are none.
    func reasonForDistrust(at now: Date) -> String? {
        guard let own = first else { return nil }
        // Whoever looked at them believed the clock of this computer.
        if let end = map(\.notAfter).min(), end < now {
            return "its certificate expired on \(Self.day(end)), unless this computer's clock is wrong"
        }
        if let start = map(\.notBefore).max(), start > now {
            return "its certificate is valid only from \(Self.day(start)) on, unless this computer's clock is wrong"
        }
        return own.isSelfSigned
            ? "its certificate is signed by itself, and nobody vouches for it"
            : "its certificate is signed by an authority that this computer does not trust"
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
