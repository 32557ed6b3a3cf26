import Basics
import Dispatch
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import ClientKit

/// Names that are looked up for connections.
@Suite(.timeLimit(.minutes(5))) struct NameLookupTests {
    private static let address = [try? SocketAddress(ipAddress: "127.0.0.1", port: 0)].compactMap(\.self)

    /// Looks names up as the test says, and counts.
    private final class NameServer: Sendable {
        private let state = Mutex((count: 0, answer: { @Sendable () throws(LookupFailure) in NameLookupTests.address }))

        var count: Int { state.withLock(\.count) }

        func answer(_ answer: @escaping @Sendable () throws(LookupFailure) -> [SocketAddress]) {
            state.withLock { $0.answer = answer }
        }

        func fail(isTemporary: Bool) {
            answer { () throws(LookupFailure) in throw LookupFailure(isTemporary: isTemporary) }
        }

        @Sendable func lookUp(_ host: String) throws(LookupFailure) -> [SocketAddress] {
            let answer = state.withLock { state in
                state.count += 1
                return state.answer
            }
            return try answer()
        }
    }

    /// A client of a server that closes each connection after its request.
    private struct Client {
        let names: NameServer
        let transport: NIOTransport
        let port: Int

        /// Sends a request to the server's name, and returns the status of the response.
        func request() async throws -> Int {
            try await transport.send(HTTPRequest(url: "http://localhost:\(port)/")).status
        }
    }

    private func withClient(_ body: (Client) async throws -> Void) async throws {
        let names = NameServer()
        try await withServer { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        } _: { port in
            let transport = NIOTransport(logger: .silent, network: Network(lookUp: names.lookUp))
            try await body(Client(names: names, transport: transport, port: port))
            await transport.shutdown()
        }
    }

    @Test("A name that cannot be looked up has its last addresses", arguments: [true, false])
    func failure(isTemporary: Bool) async throws {
        try await withClient { (client) async throws in
            #expect(try await client.request() == 200)
            client.names.fail(isTemporary: isTemporary)
            #expect(try await client.request() == 200)
            #expect(client.names.count == 2)
        }
    }

    @Test("While a name server is slow, the last addresses are used, and the lookup is not repeated")
    func slowLookup() async throws {
        try await withClient { (client) async throws in
            #expect(try await client.request() == 200)
            let (isAnswered, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            client.names.answer { () throws(LookupFailure) in
                end.wait()
                isAnswered.signal()
                return Self.address
            }
            for _ in 1...2 { #expect(try await client.request() == 200) }
            #expect(client.names.count == 2)
            end.signal()
            await runBlocking { isAnswered.wait() }
        }
    }

    @Test(
        "A failed lookup is reported, and made once",
        arguments: [
            (true, "The name localhost cannot be looked up now: no name server answers."),
            (false, "The name localhost could not be resolved."),
        ]
    )
    func report(isTemporary: Bool, sentence: String) async throws {
        try await withClient { (client) async throws in
            client.names.fail(isTemporary: isTemporary)
            let error = await #expect(throws: TransportError.self) { try await client.request() }
            #expect(error?.detail == sentence)
            #expect(error?.cause == .unknownName)
            #expect(client.names.count == 1)
        }
    }

    @Test("What is looked up at the same time is looked up once, and an address is not") func once() async throws {
        let names = NameServer()
        let network = Network(lookUp: names.lookUp)
        let queries = try await network.eventLoop.submit {
            ["a.example", "a.example", "127.0.0.1"].flatMap { host in
                [network.initiateAAAAQuery(host: host, port: 80), network.initiateAQuery(host: host, port: 80)]
            }
        }.get()
        for (number, query) in queries.enumerated() {
            let addresses = try await query.get()
            #expect(addresses.map(\.description) == (number % 2 == 0 ? [] : ["[IPv4]127.0.0.1:80"]))
        }
        #expect(names.count == 1)
        await network.shutdown()
    }

    /// It may wait for half a minute for a name server that was away.
    @Test("After a change of the network, a lookup that began before it is not waited for") func changedNetwork()
        async throws
    {
        let names = NameServer()
        let end = DispatchSemaphore(value: 0)
        names.answer { () throws(LookupFailure) in
            end.wait()
            throw LookupFailure(isTemporary: true)
        }
        let network = Network(lookUp: names.lookUp)
        let loop = network.eventLoop
        let query = { @Sendable in network.initiateAQuery(host: "a.example", port: 80) }
        let before = loop.flatSubmit(query)
        try await waiting(for: "the lookup", seeing: { names.count }) { $0 == 1 }
        _ = await network.resetDeadConnections(withWebSockets: false)
        names.answer { () throws(LookupFailure) in Self.address }
        #expect(try await loop.flatSubmit(query).get().count == 1)
        end.signal()
        await #expect(throws: LookupFailure(isTemporary: true)) { try await before.get() }
        #expect(names.count == 2)
        await network.shutdown()
    }

    @Test("At most 64 names are known") func known() throws {
        var known = KnownAddresses()
        for number in 1...65 { known.set(Self.address, of: "\(number).example") }
        #expect((1...65).count { known["\($0).example"] != nil } <= 64)
        #expect(known["65.example"] == Self.address)
    }
}
