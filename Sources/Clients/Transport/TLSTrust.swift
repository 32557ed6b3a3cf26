import Basics
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

    /// The last context, while connections use it, and the version of the file that it was made from. Without
    /// connections it is freed, and the system's authorities are read again.
    private struct LastContext: Sendable {
        var version: Version?
        weak var context: NIOSSLContext?
    }

    /// A PEM file; nil: the system's authorities only.
    let extraCAFile: String?
    private let content = Mutex<Content?>(nil)
    /// By whether the name is verified by the TLS library.
    private let last = Mutex<[Bool: LastContext]>([:])

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

    /// The context of new connections to `endpoint`; see ``Route/tlsHandler(_:)``. Reading the system's authorities
    /// needs some milliseconds: off the program's loop.
    /// - Throws: A ``TransportError``, or `CancellationError`.
    func context(for endpoint: Endpoint) async throws -> NIOSSLContext {
        let verifiesName = endpoint.address == nil
        let version = try extraCAFile.map(Self.version)
        let last = last.withLock { $0[verifiesName] }
        if let context = last?.context, last?.version == version { return context }
        let result = await runBlocking { () -> Result<NIOSSLContext, any Error> in
            Result {
                var configuration = try self.configuration()
                configuration.certificateVerification = verifiesName ? .fullVerification : .noHostnameVerification
                return try NIOSSLContext(configuration: configuration)
            }
        }
        guard let result else { throw CancellationError() }
        do {
            let context = try result.get()
            self.last.withLock { $0[verifiesName] = LastContext(version: version, context: context) }
            return context
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.tls, "The certificates of this system cannot be read.")
        }
    }

    private static func version(of file: String) throws(TransportError) -> Version {
        var status = stat()
        // Reading a pipe would block indefinitely.
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.unusable(file, "cannot be read; check that it exists and is readable.")
        }
        return Version(
            inode: UInt(status.st_ino),
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    private func certificates(in file: String) throws(TransportError) -> [NIOSSLCertificate] {
        let version = try Self.version(of: file)
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
