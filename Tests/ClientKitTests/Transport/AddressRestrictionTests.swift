import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ClientKit

/// Requests to hosts that others choose.
@Suite(.timeLimit(.minutes(5))) struct AddressRestrictionTests {
    private static func restriction(
        _ addresses: [String],
        exceptions: Set<String> = []
    ) -> AddressRestriction {
        AddressRestriction(exceptions: exceptions) { _ in addresses.compactMap { IPAddress($0) } }
    }

    private func failure(
        _ url: String,
        _ restriction: AddressRestriction,
        proxies: ProxyRules = ProxyRules()
    ) async throws -> TransportError? {
        let options = TransportOptions.withDetails(proxies: proxies)
        return try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
            await #expect(throws: TransportError.self) {
                try await transport.restricted(by: restriction).send(HTTPRequest(url: url))
            }
        }
    }

    @Test(
        "A name with private addresses only is not connected to",
        arguments: [
            ["127.0.0.1"], ["10.1.2.3", "192.168.1.1"], ["169.254.169.254"], ["::1"], ["fd00::1"],
            ["::ffff:127.0.0.1"], ["0.0.0.0"],
        ]
    )
    func privateName(_ addresses: [String]) async throws {
        try await withServer { _ in
            Issue.record("connected")
        } _: { port in
            let error = try await failure("https://rebound.example:\(port)/", Self.restriction(addresses))
            #expect(error?.detail == "rebound.example has no public address, so nothing is requested from it.")
            #expect(error?.kind == .invalidURL)
        }
    }

    @Test(
        "An address in the URL is checked as a name is, however it is written",
        arguments: ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0", "2130706433", "0x7f000001", "127.1"]
    )
    func addressInURL(_ host: String) async throws {
        try await withServer { _ in
            Issue.record("connected")
        } _: { port in
            let error = try await failure("https://\(host):\(port)/", AddressRestriction(exceptions: []))
            #expect(error?.kind == .invalidURL || error?.cause == .unknownName, "\(error as Any)")
        }
    }

    @Test("An unknown name is reported as one") func unknownName() async throws {
        let error = try await failure("https://nowhere.invalid/", Self.restriction([]))
        #expect(error?.cause == .unknownName)
    }

    @Test("The connection is made to the checked address, without another lookup") func noSecondLookup() async throws {
        // A test server has no public address, so this looks at the route.
        let lookUps = Mutex(0)
        let restriction = AddressRestriction(exceptions: []) { _ in
            lookUps.withLock { $0 += 1 }
            return ["8.8.8.8", "10.0.0.1", "2606:4700::1111", "::1"].compactMap { IPAddress($0) }
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let endpoint = try Endpoint("https://two.example/")
        let route = try await restriction.checked(Route(endpoint, through: [nil]), on: loop)
        let resolver = try #require(route.resolver)
        for _ in 0..<2 {
            let old = try await resolver.initiateAQuery(host: "two.example", port: 443).get()
            #expect(old.map(\.ipAddress) == ["8.8.8.8"])
            let new = try await resolver.initiateAAAAQuery(host: "two.example", port: 443).get()
            #expect(new.map(\.ipAddress) == ["2606:4700::1111"])
        }
        #expect(lookUps.withLock { $0 } == 1)
    }

    @Test("Hosts that the user allows may have any address") func exceptions() async throws {
        try await withServer { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                let restricted = transport.restricted(by: Self.restriction([], exceptions: ["127.0.0.1"]))
                let response = try await restricted.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
                #expect(response.body == Array("ok".utf8))
            }
        }
    }

    @Test("An open connection of another transport to the same host is not used") func ownConnections() async throws {
        try await TLSFixture.with { fixture in
            let options = TransportOptions.withDetails(extraCAFile: fixture.authority.file)
            try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
                _ = try await TLSFixture.get("https://localhost:\(fixture.port)/", over: transport)
                let restricted = transport.restricted(by: Self.restriction(["127.0.0.1"]))
                await #expect(throws: TransportError.self) {
                    try await TLSFixture.get("https://localhost:\(fixture.port)/", over: restricted)
                }
            }
        }
    }

    @Test("A transport that trusts further certificates stays restricted") func trust() async throws {
        try await TLSFixture.with { fixture in
            try await NIOTransport.withTransport(options: .withDetails(), logger: .silent) { transport in
                let trusting = transport.restricted(by: Self.restriction(["127.0.0.1"]))
                    .trusting(fixture.authority.file)
                let error = await #expect(throws: TransportError.self) {
                    try await TLSFixture.get("https://localhost:\(fixture.port)/", over: trusting)
                }
                #expect(error?.kind == .invalidURL)
            }
        }
    }

    @Test("Behind a proxy, addresses in URLs are checked, and names are the proxy's") func proxy() async throws {
        let restriction = Self.restriction(["127.0.0.1"])
        try await withServer { peer in
            let head = try await peer.head()
            #expect(head.hasPrefix("CONNECT public.example:443 "))
            try await peer.write("HTTP/1.1 403 Forbidden\r\n\r\n")
        } _: { port in
            let proxies = ProxyRules(environment: ["https_proxy": "http://127.0.0.1:\(port)"])
            let refused = try await failure("https://public.example/", restriction, proxies: proxies)
            #expect(refused?.kind == .proxy(status: 403))
            let error = try await failure("https://10.0.0.1/", restriction, proxies: proxies)
            #expect(error?.kind == .invalidURL)
        }
    }
}
