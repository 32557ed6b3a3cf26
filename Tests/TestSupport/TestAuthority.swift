import FoundationEssentials
import NIOCore
import Testing

/// A certificate authority of the test's own, made by OpenSSL, with a directory for its files. It protects nothing.
package struct TestAuthority: Sendable {
    /// When a server's certificate is valid.
    package enum Validity: String, Sendable, CaseIterable {
        case now, past, dayAgo, future

        fileprivate var dates: (String, String) {
            switch self {
            case .now: ("20200101000000Z", "21000101000000Z")
            case .past: ("20200101000000Z", "20210203000000Z")
            case .dayAgo: ("20200101000000Z", Self.timeOfDayAgo)
            case .future: ("20980304000000Z", "21000101000000Z")
            }
        }

        private static var timeOfDayAgo: String {
            let form = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
            return form.format(Date(timeIntervalSinceNow: -86_400)).filter { $0 != "T" }
        }
    }

    package let directory: String

    /// The authority's certificate, in PEM form.
    package var file: String { "\(directory)/ca.pem" }

    /// Runs `body` with a new authority, and removes its directory afterwards.
    package static func with<Result>(_ body: (TestAuthority) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let authority = TestAuthority(directory: directory.path)
        try await authority.make()
        return try await body(authority)
    }

    /// A certificate for a host, a name or an address, and its key: the paths of two PEM files.
    package func issue(_ host: String, _ validity: Validity = .now) async throws -> (certificate: String, key: String) {
        let base = "\(directory)/\(host)-\(validity.rawValue)"
        let (start, end) = validity.dates
        let kind = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? "DNS" : "IP"
        try write("subjectAltName=\(kind):\(host)\n", to: "\(base).extensions")
        try await openSSL(["req", "-new", "-subj", "/CN=\(host)", "-out", "\(base).request"] + key("\(base).key"))
        try await openSSL([
            "ca", "-batch", "-config", "\(directory)/configuration", "-startdate", start, "-enddate", end,
            "-extfile", "\(base).extensions", "-in", "\(base).request", "-out", "\(base).pem", "-notext",
        ])
        return ("\(base).pem", "\(base).key")
    }

    private func make() async throws {
        try write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(directory)/index
            new_certs_dir = \(directory)
            certificate = \(file)
            private_key = \(directory)/ca.key
            rand_serial = yes
            unique_subject = no
            default_md = sha256
            policy = any
            [any]
            commonName = supplied

            """,
            to: "\(directory)/configuration"
        )
        try write("", to: "\(directory)/index")
        try await openSSL(
            ["req", "-x509", "-subj", "/CN=Feedbell's test authority", "-days", "2", "-out", file]
                + ["-addext", "basicConstraints=critical,CA:TRUE"] + key("\(directory)/ca.key")
        )
    }

    private func key(_ file: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file]
    }

    private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    private func openSSL(_ arguments: [String]) async throws {
        let outcome = try await Command.run("openssl", arguments)
        try #require(outcome.succeeded, "\(outcome.errors)")
    }
}
