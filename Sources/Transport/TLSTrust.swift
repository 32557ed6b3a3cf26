import FoundationEssentials
import NIOSSL
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The trusted certificate authorities: the system's, and those of one extra file, which is read again after a change.
final class TLSTrust: Sendable {
    /// The maximum size of the file, in bytes; all public authorities together need a twentieth of it.
    private static let limit = 4 << 20

    private struct Content: Sendable {
        var version: Version
        var certificates: [NIOSSLCertificate]
    }

    /// Identifies the file's version: changes when it is replaced or written to.
    private struct Version: Sendable, Equatable {
        var inode: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    /// A PEM file; nil: the system's authorities only.
    let extraCAFile: String?
    private let content = Mutex<Content?>(nil)

    init(extraCAFile: String?) { self.extraCAFile = extraCAFile }

    /// The configuration of every connection: the system's authorities, without the TLS versions that RFC 8996
    /// deprecates.
    static var systemConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    func configuration() throws(TransportError) -> TLSConfiguration {
        var configuration = Self.systemConfiguration
        if let extraCAFile {
            configuration.additionalTrustRoots = [.certificates(try certificates(in: extraCAFile))]
        }
        return configuration
    }

    private func certificates(in file: String) throws(TransportError) -> [NIOSSLCertificate] {
        var status = stat()
        // Reading a pipe would block indefinitely.
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.unusable(file, "cannot be read; check that it exists and is readable.")
        }
        let version = Version(
            inode: UInt(status.st_ino),
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
        if let known = content.withLock({ $0 }), known.version == version { return known.certificates }
        guard version.size <= Self.limit, let data = FileManager.default.contents(atPath: file) else {
            throw Self.unusable(file, "cannot be read or is too large; check its permissions and size.")
        }
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(data)), !certificates.isEmpty else {
            throw Self.unusable(file, "contains no certificate; use a PEM file (\"-----BEGIN CERTIFICATE-----\").")
        }
        content.withLock { $0 = Content(version: version, certificates: certificates) }
        return certificates
    }

    private static func unusable(_ file: String, _ what: String) -> TransportError {
        TransportError(.tls, "The file of certificate authorities \"\(file)\" \(what)", cause: .unusableCAFile)
    }
}
