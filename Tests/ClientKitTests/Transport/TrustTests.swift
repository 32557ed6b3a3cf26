import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import ClientKit

/// Own certificate authorities and untrusted certificates, over HTTP and over WebSockets.
@Suite(.timeLimit(.minutes(5))) struct TrustTests {
    /// The errors of a request and of a WebSocket to `host`.
    private func failures(
        at host: String,
        _ fixture: TLSFixture,
        trusting file: String?
    ) async throws -> [TransportError?] {
        try await NIOTransport.withTransport(options: .withDetails(extraCAFile: file), logger: .silent) { transport in
            let answer = await #expect(throws: TransportError.self) {
                try await TLSFixture.get("https://\(host):\(fixture.port)/", over: transport)
            }
            let opened = await #expect(throws: TransportError.self) {
                try await TLSFixture.talk("wss://\(host):\(fixture.port)/", over: transport)
            }
            return [answer, opened]
        }
    }

    @Test("A certificate that an authority in the extra file has signed is trusted") func trusted() async throws {
        try await TLSFixture.with { fixture in
            let options = TransportOptions.withDetails(extraCAFile: fixture.authority.file)
            try await NIOTransport.withTransport(options: options, logger: .silent) { (transport) async throws in
                let head = try await TLSFixture.get("https://localhost:\(fixture.port)/", over: transport)
                #expect(head.hasPrefix("GET / HTTP/1.1"))
                let echo = try await TLSFixture.talk("wss://localhost:\(fixture.port)/", over: transport)
                #expect(echo == .text("hello"))
            }
        }
    }

    @Test("The error about an unknown authority has the cause") func unknownAuthority() async throws {
        try await TLSFixture.with { fixture in
            let sentence =
                """
                No secure connection to localhost: its certificate is signed by an authority that this computer does \
                not trust; it may be that of a login page of the network.
                """
            for error in try await failures(at: "localhost", fixture, trusting: nil) {
                #expect(error == TransportError(.tls, sentence, cause: .untrustedCertificate))
            }
        }
    }

    @Test("The error about a certificate for another name mentions login pages") func otherName() async throws {
        try await TLSFixture.with("other.example") { fixture in
            let sentence =
                "The certificate of localhost is for another name. It may be that of a login page of the network."
            for error in try await failures(at: "localhost", fixture, trusting: fixture.authority.file) {
                #expect(error == TransportError(.tls, sentence, cause: .certificateForAnotherName))
            }
        }
    }

    @Test(
        "The error about an expired or future certificate has its date",
        arguments: [
            (TestAuthority.Validity.past, "expired on 2021-02-03"), (.future, "is valid only from 2098-03-04 on"),
        ]
    )
    func otherTime(validity: TestAuthority.Validity, words: String) async throws {
        try await TLSFixture.with("localhost", validity) { fixture in
            let sentence =
                "No secure connection to localhost: its certificate \(words), unless this computer's clock is wrong."
            for error in try await failures(at: "localhost", fixture, trusting: fixture.authority.file) {
                #expect(error == TransportError(.tls, sentence, cause: .untrustedCertificate))
            }
        }
    }

    // MARK: The file

    /// The accounts share a thread.
    @Test("Each account trusts only its own CA file") func separateTrust() async throws {
        try await TLSFixture.with { fixture in
            try await NIOTransport.withTransport(options: .withDetails(), logger: .silent) { (plain) async throws in
                let trusting = plain.trusting(fixture.authority.file)
                #expect(trusting.network === plain.network)
                #expect(plain.trusting(nil) === plain)
                let url = "https://localhost:\(fixture.port)/"
                for _ in 0..<2 {
                    _ = try await TLSFixture.get(url, over: trusting)
                    let error = await #expect(throws: TransportError.self) {
                        try await TLSFixture.get(url, over: plain)
                    }
                    #expect(error?.cause == .untrustedCertificate)
                }
            }
        }
    }

    @Test("A changed CA file is used without a restart") func changedFile() async throws {
        try await TLSFixture.with { fixture in
            let file = fixture.authority.directory + "/later.pem"
            try await NIOTransport.withTransport(options: .withDetails(extraCAFile: file), logger: .silent) {
                (transport) async throws in
                let url = "localhost:\(fixture.port)/"
                func expectFailure(_ cause: TransportError.Cause, _ words: String) async {
                    let errors = [
                        await #expect(throws: TransportError.self) {
                            try await TLSFixture.get("https://" + url, over: transport)
                        },
                        await #expect(throws: TransportError.self) {
                            try await TLSFixture.talk("wss://" + url, over: transport)
                        },
                    ]
                    for error in errors {
                        #expect(error?.kind == .tls && error?.cause == cause)
                        #expect(error?.detail.contains(words) == true)
                    }
                }
                await expectFailure(
                    .unusableCAFile,
                    "\"\(file)\" cannot be read; check that it exists and is readable."
                )
                try Data("nothing".utf8).write(to: URL(filePath: file))
                await expectFailure(.unusableCAFile, "\"\(file)\" contains no certificate; use a PEM file")
                try Data(TestCertificate.certificate.utf8).write(to: URL(filePath: file))
                await expectFailure(.untrustedCertificate, "that this computer does not trust")
                try FileManager.default.removeItem(atPath: file)
                try FileManager.default.copyItem(atPath: fixture.authority.file, toPath: file)
                _ = try await TLSFixture.get("https://" + url, over: transport)
                #expect(try await TLSFixture.talk("wss://" + url, over: transport) == .text("hello"))
                // A loopback connection without TLS does not need it.
                try FileManager.default.removeItem(atPath: file)
                await expectFailure(.unusableCAFile, "cannot be read")
                let plain = await #expect(throws: TransportError.self) {
                    try await TLSFixture.get("http://localhost:1/", over: transport)
                }
                #expect(plain?.cause == .connectionRefused)
            }
        }
    }

    @Test("A CA file that is not a regular file is an error", arguments: ["/dev/zero", "/proc", "/dev/stdin", ""])
    func unusableFile(path: String) {
        let error = #expect(throws: TransportError.self) {
            try TLSTrust(extraCAFile: path, system: SystemAuthorities(environment: [:])).configuration()
        }
        #expect(error?.cause == .unusableCAFile)
    }

    @Test("The file's status is read off the loop, which its file system may keep waiting") @MainActor
    func statusOffTheLoop()
        async throws
    {
        try await TLSFixture.with { fixture in
            let loop = pthread_self()
            let threads = Mutex<Set<pthread_t>>([])
            let trust = TLSTrust(extraCAFile: fixture.authority.file, system: SystemAuthorities(environment: [:])) {
                path in
                threads.withLock { _ = $0.insert(pthread_self()) }
                var status = stat()
                return stat(path, &status) == 0 ? status : nil
            }
            let endpoint = try Endpoint("https://localhost/")
            let first = try await trust.context(for: endpoint)
            let second = try await trust.context(for: endpoint)
            #expect(first === second)
            #expect(threads.withLock { !$0.isEmpty && !$0.contains(loop) })
        }
    }

    // MARK: The system's authorities

    private static let fedora = "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"
    private static let debian = ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs/"]

    /// What is on a computer: files, and directories with a slash at their end.
    @Test(
        "The system's authorities are where OpenSSL's users look, or where its variables say",
        arguments: [
            ([fedora], [:], [fedora]), (debian, [:], [debian[0], "/etc/ssl/certs"]),
            (debian + ["/a.pem"], ["SSL_CERT_FILE": "/a.pem"], ["/a.pem", "/etc/ssl/certs"]),
            (debian + ["/a/", "/b/"], ["SSL_CERT_DIR": "/a:/missing:/b"], [debian[0], "/a", "/b"]),
            (debian + ["/a.pem", "/a/"], ["SSL_CERT_FILE": "/a.pem", "SSL_CERT_DIR": "/a"], ["/a.pem", "/a"]),
            (debian, ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""], [debian[0], "/etc/ssl/certs"]),
            (debian, ["SSL_CERT_FILE": "/missing", "SSL_CERT_DIR": "/missing"], []),
            (["/etc/ssl/ca-bundle.pem", "/etc/ssl/certs/"], [:], ["/etc/ssl/ca-bundle.pem", "/etc/ssl/certs"]),
            (["/etc/ssl/cert.pem"], [:], ["/etc/ssl/cert.pem"]), ([], [:], []),
        ] as [([String], [String: String], [String])]
    )
    func places(entries: [String], environment: [String: String], expected: [String]) {
        let found = SystemAuthorities(environment: environment).existing { path in
            entries.contains(path) ? .file : entries.contains(path + "/") ? .directory : nil
        }
        #expect([found.file].compactMap(\.self) + found.directories == expected)
    }

    /// FILE is the authority's file, HASHED a directory with it, EMPTY one without.
    @Test(
        "An authority in SSL_CERT_FILE or SSL_CERT_DIR is trusted",
        arguments: [
            ["SSL_CERT_FILE": "FILE"], ["SSL_CERT_DIR": "HASHED"], ["SSL_CERT_DIR": "EMPTY:HASHED"],
            ["SSL_CERT_FILE": "FILE", "SSL_CERT_DIR": "EMPTY"], ["SSL_CERT_FILE": "FILE", "SSL_CERT_DIR": "missing"],
        ]
    )
    func variables(environment: [String: String]) async throws {
        try await TLSFixture.with { fixture in
            let file = fixture.authority.file
            let directory = fixture.authority.directory
            for name in ["hashed", "empty"] {
                try FileManager.default.createDirectory(
                    atPath: "\(directory)/\(name)",
                    withIntermediateDirectories: false
                )
            }
            let hash = try await Command.run("openssl", ["x509", "-noout", "-hash", "-in", file]).output
            try FileManager.default.copyItem(atPath: file, toPath: "\(directory)/hashed/\(hash).0")
            let authorities = environment.mapValues {
                $0.replacing("FILE", with: file).replacing("HASHED", with: directory + "/hashed")
                    .replacing("EMPTY", with: directory + "/empty")
            }
            let options = TransportOptions.withDetails(authorities: authorities)
            try await NIOTransport.withTransport(options: options, logger: .silent) { (transport) async throws in
                let head = try await TLSFixture.get("https://localhost:\(fixture.port)/", over: transport)
                #expect(head.hasPrefix("GET / HTTP/1.1"))
            }
        }
    }

    @Test("A file of SSL_CERT_FILE that is missing is an error that names it, unless there is a CA file")
    func missingFile() async throws {
        try await TLSFixture.with { fixture in
            let environment = ["SSL_CERT_FILE": "/nonexistent.pem"]
            for file in [nil, fixture.authority.file] {
                let options = TransportOptions.withDetails(extraCAFile: file, authorities: environment)
                try await NIOTransport.withTransport(options: options, logger: .silent) { (transport) async throws in
                    let url = "https://localhost:\(fixture.port)/"
                    guard file == nil else { return _ = try await TLSFixture.get(url, over: transport) }
                    let error = await #expect(throws: TransportError.self) {
                        try await TLSFixture.get(url, over: transport)
                    }
                    #expect(error?.cause == .noAuthorities)
                    #expect(error?.detail.contains("\"/nonexistent.pem\" (SSL_CERT_FILE) cannot be read") == true)
                    #expect(transport.trustProblem == nil)
                }
            }
        }
    }
}
