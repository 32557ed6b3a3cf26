import Basics
import ClientKit
import Inbox
import Logging
import NIOSSL
import TestSupport
import Testing

@testable import Agent

/// Downloads from hosts on loopback that do what strangers' hosts may do.
@Suite(.timeLimit(.minutes(5))) struct HostileHostTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The failure of a download from `url`.
    private func failure(
        _ url: String,
        allowing hosts: Set<String> = ["127.0.0.1"],
        extraCAFile: String? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        lookUp: @escaping @Sendable (String) async -> [IPAddress] = AddressRestriction.systemLookUp
    ) async throws -> PictureFailure? {
        let options = TransportOptions(extraCAFile: extraCAFile)
        let url = try #require(PictureURL(url, privateHosts: hosts))
        return try await NIOTransport.withTransport(options: options, logger: Self.logger) { transport in
            let download = PictureDownload(transport, lookUp: lookUp, clock: clock)
            return await #expect(throws: PictureFailure.self) { try await download.content(of: url) }
        }
    }

    @Test("A body without end, or one that is announced as too long, is refused") func endlessBody() async throws {
        try await PictureHost.with { connection in
            if connection.path == "/announced" {
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n")
                return try await connection.waitForEnd()
            }
            try await connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while true { try await connection.write([UInt8](repeating: 0x89, count: 65_536)) }
        } _: { (host) async throws in
            for path in ["/announced", "/endless"] {
                let failure = try await failure(host.url(path))
                #expect(failure == PictureFailure(.picture, "The answer of 127.0.0.1 is longer than 1048576 bytes."))
            }
        }
    }

    @Test("A host that sends byte by byte has five seconds") func slowBody() async throws {
        let clock = ManualClock()
        let isSending = Mailbox<Void>()
        try await PictureHost.with { connection in
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\u{89}P")
            isSending.send()
            try await connection.waitForEnd()
        } _: { (host) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let failure = try await failure(host.url("/"), clock: clock)
                    #expect(failure == PictureFailure(.host, "127.0.0.1 did not send a picture in time."))
                }
                _ = await isSending.messages.next()
                clock.advance(by: PictureDownload.timeout)
                try await group.waitForAll()
            }
        }
    }

    @Test("What is not HTTP, and a connection that ends early, fail") func notHTTP() async throws {
        try await PictureHost.with { connection in
            if connection.path == "/ssh" { return try await connection.write("SSH-2.0-OpenSSH_9.2\r\n") }
            if connection.path == "/early" {
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")
            }
        } _: { (host) async throws in
            for path in ["/ssh", "/early", "/nothing"] { #expect(try await failure(host.url(path)) != nil) }
        }
    }

    @Test(
        "A redirect to an address of this computer or its network is not followed",
        arguments: [
            "https://127.0.0.2/", "https://[::1]/", "https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/",
            "https://0x7f000001/",
        ]
    )
    func redirectInside(_ location: String) async throws {
        try await PictureHost.with {
            try await $0.redirect(to: location)
        } _: { (host) async throws in
            let failure = try await failure(host.url("/"))
            #expect(failure?.sentence.hasSuffix("has no public address, so nothing is requested from it.") == true)
            #expect(failure?.scope == .picture)
            #expect(host.requests == ["/"])
        }
    }

    @Test(
        "A redirect to a file, to plain http elsewhere, or without a target is not followed",
        arguments: [
            "file:///etc/passwd", "http://127.0.0.2/", "http://example.com/", "gopher://127.0.0.1/", "",
        ]
    )
    func redirectElsewhere(_ location: String) async throws {
        try await PictureHost.with { connection in
            try await location.isEmpty ? connection.respond([], status: "302 Found") : connection.redirect(to: location)
        } _: { (host) async throws in
            let failure = try await failure(host.url("/"))
            #expect(failure?.sentence == "127.0.0.1 redirects to an address that is not allowed.")
        }
    }

    @Test(
        "A name that resolves to a private address is not connected to",
        arguments: ["127.0.0.1", "192.168.0.1", "::1"]
    )
    func rebinding(_ address: String) async throws {
        try await PictureHost.with {
            try await $0.respond([1])
        } _: { (host) async throws in
            let failure = try await failure("https://avatars.example:\(host.port)/a.png", allowing: []) { name in
                #expect(name == "avatars.example")
                return [IPAddress(address)].compactMap(\.self)
            }
            #expect(failure?.sentence == "avatars.example has no public address, so nothing is requested from it.")
            #expect(host.requests.isEmpty)
        }
    }

    @Test("A picture comes over TLS, whose certificate must be trusted") func tls() async throws {
        try await TestAuthority.with { authority in
            let (certificate, key) = try await authority.issue("localhost")
            let context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
                )
            )
            try await PictureHost.with(tls: context) {
                try await $0.respond([1, 2, 3])
            } _: { (host) async throws in
                let address = "https://localhost:\(host.port)/a.png"
                let failure = try await failure(address, allowing: ["localhost"])
                #expect(failure?.scope == .host)
                #expect(host.requests.isEmpty)
                let options = TransportOptions(extraCAFile: authority.file)
                try await NIOTransport.withTransport(options: options, logger: Self.logger) { transport in
                    let download = PictureDownload(transport, clock: ManualClock(), requestTimeout: .seconds(300))
                    let url = try #require(PictureURL(address, privateHosts: ["localhost"]))
                    #expect(try await download.content(of: url) == [1, 2, 3])
                }
            }
        }
    }

    @Test("The request contains nothing of the user") func request() async throws {
        let heads = Mailbox<String>()
        try await PictureHost.with { connection in
            heads.send(connection.head)
            try await connection.respond([1])
        } _: { (host) async throws in
            try await NIOTransport.withTransport(logger: Self.logger) { transport in
                let download = PictureDownload(transport, clock: ManualClock(), requestTimeout: .seconds(300))
                let url = try #require(PictureURL(host.url("/a?b=c"), privateHosts: ["127.0.0.1"]))
                _ = try await download.content(of: url)
            }
            let head = """
                GET /a?b=c HTTP/1.1\r
                Host: 127.0.0.1:\(host.port)\r
                Accept-Encoding: gzip\r
                Accept: image/png, image/jpeg, image/gif, image/webp;q=0.5\r
                User-Agent: Feedbell\r
                Connection: close\r
                \r

                """
            for await received in heads.messages {
                #expect(received == head)
                break
            }
        }
    }
}
