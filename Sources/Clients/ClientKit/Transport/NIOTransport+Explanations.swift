import FoundationEssentials

extension NIOTransport {
    /// Describes an error, with details from another attempt: why a certificate is not trusted, which the
    /// libraries below do not report.
    func explained(_ error: any Error, on route: Route) async -> TransportError {
        var plain = TransportError(error, on: route)
        if Task.isCancelled { return plain }
        if plain.cause == .untrustedCertificate {
            if let reason = try? await certificates(on: route, timeout: options.diagnosisTimeout)
                .reasonForDistrust(at: Date())
            {
                plain.detail = "No secure connection to \(route.name): \(reason)."
            }
        }
        return plain
    }
}
