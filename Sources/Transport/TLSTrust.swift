import NIOSSL

/// Whom we trust: the system's certificate authorities, and those of one more file.
enum TLSTrust {
    static func configuration(extraCAFile: String?) throws(TransportError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        guard let extraCAFile else { return configuration }
        do {
            configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(extraCAFile))]
        } catch {
            throw TransportError(.tls, "The certificates in \(extraCAFile) cannot be read; it must be a PEM file.")
        }
        return configuration
    }
}
