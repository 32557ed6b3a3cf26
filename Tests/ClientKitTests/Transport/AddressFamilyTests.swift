import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ClientKit

/// Names with an IPv6 address and an IPv4 address, of which the first is unreachable (RFC 8305).
///
/// NIO's `ClientBootstrap` tries IPv6 first, and the next address 250 ms later.
@Suite(.timeLimit(.minutes(5))) struct AddressFamilyTests {
    /// Resolves every name to both addresses.
    private struct BothFamilies: Resolver, Sendable {
        let eventLoop: any EventLoop

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            eventLoop.makeCompletedFuture { [try SocketAddress(ipAddress: "127.0.0.1", port: port)] }
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            eventLoop.makeCompletedFuture { [try SocketAddress(ipAddress: SilentPort.host, port: port)] }
        }

        func cancelQueries() {}
    }

    /// Why the first address cannot be used.
    enum Failure: CaseIterable, Sendable {
        /// No server listens there.
        case refused
        /// It does not answer, as in a network with broken IPv6. The timeout of the system would be two minutes.
        case silent
    }

    private func withHost(_ failure: Failure, _ body: (Route, NIOTransport) async throws -> Void) async throws {
        // Others may use the server's port at the silent address.
        for _ in 0..<20 {
            do { return try await withHost(once: failure, body) } catch is SilentPort.Unbound {}
        }
        try await withHost(once: failure, body)
    }

    private func withHost(once failure: Failure, _ body: (Route, NIOTransport) async throws -> Void) async throws {
        try await withServer(TLSFixture.serve) { port in
            let silentPort = failure == .silent ? try SilentPort(port: port) : nil
            defer { silentPort?.close() }
            if let silentPort { try #require(silentPort.isSilent) }
            try await NIOTransport.withTransport(logger: .silent) { (transport) async throws in
                let resolver = BothFamilies(eventLoop: transport.eventLoop)
                let route = Route(try Endpoint("https://both.example:\(port)"), through: [nil], resolver: resolver)
                try await body(route, transport)
            }
        }
    }

    @Test("If the IPv6 address refuses or does not answer, the IPv4 address is used", arguments: Failure.allCases)
    func otherAddress(failure: Failure) async throws {
        try await withHost(failure) { route, transport in
            let channels = Attempts()
            // An attempt lasts so long: the second one begins during the first.
            let timeout = TimeAmount.seconds(10)
            let channel = try await route.connect(on: transport.eventLoop, timeout: timeout, notice: channels.add) {
                $0.eventLoop.makeSucceededVoidFuture()
            }.get()
            #expect(channel.remoteAddress?.ipAddress == "127.0.0.1")
            if failure == .silent { #expect(channels.openBefore == [0, 1]) }
            try await channel.close()
        }
    }

    @Test("Requests reach the other address", arguments: Failure.allCases) func request(failure: Failure) async throws {
        try await withHost(failure) { route, transport in
            let request = HTTPRequest(url: "https://both.example:\(route.endpoint.port)/", timeout: .seconds(100))
            let response = try await transport.network.use {
                try await transport.network.send(request, on: route, tls: nil)
            }
            #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("GET / HTTP/1.1"))
        }
    }

    @Test("WebSockets reach the other address", arguments: Failure.allCases) func webSocket(failure: Failure)
        async throws
    {
        try await withHost(failure) { route, transport in
            let opening = WebSocketOpening(
                route: route,
                tls: nil,
                maximumMessageSize: 1 << 20,
                eventLoop: transport.eventLoop
            )
            let connection = try await opening.open(timeout: .seconds(100), transport.network).get()
            try await connection.send("hello")
            #expect(try await connection.receive() == .text("hello"))
            await connection.close(code: 1000)
        }
    }

    @Test("A host that does not answer is a timeout, within the given limit") func silentByBoth() async throws {
        try await NIOTransport.withTransport(logger: .silent) { (transport) async throws in
            let silentPort = try SilentPort(port: 0)
            defer { silentPort.close() }
            let host = SilentPort.host.contains(":") ? "[\(SilentPort.host)]" : SilentPort.host
            let timeout = Duration.milliseconds(600)
            let errors = [
                await #expect(throws: TransportError.self) {
                    try await TLSFixture.get("http://\(host):\(silentPort.port)/", over: transport, timeout: timeout)
                },
                await #expect(throws: TransportError.self) {
                    try await TLSFixture.talk("ws://\(host):\(silentPort.port)/", over: transport, timeout: timeout)
                },
            ]
            for error in errors { #expect(error?.kind == .timeout) }
        }
    }
}

/// The attempts to connect to the addresses of a name.
private final class Attempts: Sendable {
    private let state = Mutex((open: 0, openBefore: [Int]()))

    /// For each attempt, how many earlier ones were not over when it began.
    var openBefore: [Int] { state.withLock { $0.openBefore } }

    func add(_ channel: any Channel) -> EventLoopFuture<Void> {
        state.withLock { state in
            state.openBefore.append(state.open)
            state.open += 1
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.open -= 1 } }
        return channel.eventLoop.makeSucceededVoidFuture()
    }
}

/// A port that answers no SYN: its listen queue is full.
private struct SilentPort {
    struct Unbound: Error {}

    /// `::1`, and on a computer without IPv6 another address for itself.
    static let host =
        (try? SilentPort(at: "::1", port: 0)).map { silentPort in
            silentPort.close()
            return "::1"
        } ?? "127.0.0.2"

    let port: Int
    private let descriptors: [Int32]

    /// - Parameter port: 0: any.
    init(port: Int) throws { try self.init(at: Self.host, port: port) }

    private init(at host: String, port: Int) throws {
        let listener = try Self.socket(host)
        let isBound =
            try SocketAddress(ipAddress: host, port: port).withSockAddr { bind(listener, $0, socklen_t($1)) == 0 }
            && listen(listener, 0) == 0
        guard isBound, let port = Self.port(of: listener) else {
            Glibc.close(listener)
            throw Unbound()
        }
        self.port = port
        let address = try SocketAddress(ipAddress: host, port: port)
        var all = [listener]
        for _ in 0..<4 {
            let client = try Self.socket(host)
            _ = address.withSockAddr { connect(client, $0, socklen_t($1)) }
            all.append(client)
        }
        descriptors = all
    }

    /// Whether the last connection was not accepted.
    var isSilent: Bool {
        var last = pollfd(fd: descriptors.last ?? -1, events: Int16(POLLOUT), revents: 0)
        return poll(&last, 1, 200) == 0
    }

    func close() { for descriptor in descriptors { Glibc.close(descriptor) } }

    private static func socket(_ host: String) throws -> Int32 {
        let family = host.contains(":") ? AF_INET6 : AF_INET
        let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw Unbound() }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> Int? {
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &bound) { bytes in
            guard getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length) == 0
            else { return nil }
            // In both families the port is behind the family.
            return Int(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }
}
