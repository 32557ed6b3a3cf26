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
    private let system: SystemAuthorities
    private let content = Mutex<Content?>(nil)
    /// By whether the name is verified by the TLS library.
    private let last = Mutex<[Bool: LastContext]>([:])

    /// Reads the status of a file; nil: it cannot.
    private let status: @Sendable (String) -> stat?

    /// - Parameter status: Blocks until the file system answers.
    init(
        extraCAFile: String?,
        system: SystemAuthorities,
        status: @escaping @Sendable (String) -> stat? = { TLSTrust.status(of: $0) }
    ) {
        self.extraCAFile = extraCAFile
        self.system = system
        self.status = status
    }

    /// The configuration of every connection: without the TLS versions that RFC 8996 deprecates. Without the extra
    /// file, the system's authorities must be there.
    func configuration() throws(TransportError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        let (file, directories) = system.existing()
        // SwiftNIO SSL takes one directory, from which BoringSSL reads an authority when it is needed.
        configuration.trustRoots = (directories.first ?? file).map { .file($0) } ?? .certificates([])
        if !directories.isEmpty, let file { configuration.additionalTrustRoots = [.file(file)] }
        for directory in directories.dropFirst() {
            configuration.additionalTrustRoots.append(.certificates(Self.certificates(inDirectory: directory)))
        }
        if let extraCAFile {
            configuration.additionalTrustRoots.append(.certificates(try certificates(in: extraCAFile)))
        } else if file == nil, let named = system.file {
            throw Self.unusable(
                named,
                "(SSL_CERT_FILE) cannot be read; check that it exists and is readable.",
                cause: .noAuthorities
            )
        } else if file == nil, directories.isEmpty {
            throw TransportError(
                .tls,
                "This computer has no certificate authorities, or they are at an unusual place.",
                cause: .noAuthorities
            )
        }
        return configuration
    }

    /// The context of new connections to `endpoint`; see ``Route/tlsHandler(_:)``. Off the program's loop: reading the
    /// system's authorities needs some milliseconds, and the file may be on a file system that does not answer.
    /// - Throws: A ``TransportError``, or `CancellationError`.
    func context(for endpoint: Endpoint) async throws -> NIOSSLContext {
        let verifiesName = endpoint.address == nil
        if extraCAFile == nil, let context = last.withLock({ $0[verifiesName]?.context }) { return context }
        let result = await runBlocking { Result { try self.currentContext(verifiesName: verifiesName) } }
        guard let result else { throw CancellationError() }
        do {
            return try result.get()
        } catch let error as TransportError {
            throw error
        } catch {
            let sentence = "The certificate authorities of this computer cannot be read."
            throw TransportError(.tls, sentence, cause: .noAuthorities)
        }
    }

    private func currentContext(verifiesName: Bool) throws -> NIOSSLContext {
        let version = try extraCAFile.map(version)
        let known = last.withLock { $0[verifiesName] }
        if let context = known?.context, known?.version == version { return context }
        var configuration = try configuration()
        configuration.certificateVerification = verifiesName ? .fullVerification : .noHostnameVerification
        let context = try NIOSSLContext(configuration: configuration)
        last.withLock { $0[verifiesName] = LastContext(version: version, context: context) }
        return context
    }

    private func version(of file: String) throws(TransportError) -> Version {
        // Reading a pipe would block indefinitely.
        guard let status = status(file), status.st_mode & S_IFMT == S_IFREG else {
            throw Self.unusable(file, "cannot be read; check that it exists and is readable.")
        }
        return Version(
            inode: UInt(status.st_ino),
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    private static func status(of file: String) -> stat? {
        var status = stat()
        return stat(file, &status) == 0 ? status : nil
    }

    /// The certificates in files that are named by a hash, such as `5ed36f99.0`.
    private static func certificates(inDirectory directory: String) -> [NIOSSLCertificate] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.utf8.count > 9 && $0.dropFirst(8).first == "." }.flatMap { name in
            (try? NIOSSLCertificate.fromPEMFile("\(directory)/\(name)")) ?? []
        }
    }

    private func certificates(in file: String) throws(TransportError) -> [NIOSSLCertificate] {
        let version = try version(of: file)
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

    private static func unusable(
        _ file: String,
        _ what: String,
        cause: TransportError.Cause = .unusableCAFile
    ) -> TransportError {
        TransportError(.tls, "The file of certificate authorities \"\(file)\" \(what)", cause: cause)
    }
}
