import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import Transport

/// Names with an IPv6 address and an IPv4 address, of which one is unreachable (RFC 8305).
///
/// NIO's `ClientBootstrap` does it, for WebSockets and for HTTP: IPv6 first, and the next address 250 ms later.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Loopback.hasIPv6, "this computer has no IPv6"))
struct AddressFamilyTests {
    private static let isDual = ConditionTrait.enabled(
        if: Loopback.hasBothFamilies,
        "localhost has no IPv6 address here; a line \"::1 localhost\" in /etc/hosts gives it one"
    )

    /// Resolves every name to both loopback addresses.
    private struct BothFamilies: Resolver {
        let eventLoop: any EventLoop

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            eventLoop.makeCompletedFuture { [try SocketAddress(ipAddress: "127.0.0.1", port: port)] }
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            eventLoop.makeCompletedFuture { [try SocketAddress(ipAddress: "::1", port: port)] }
        }

        func cancelQueries() {}
    }

    // MARK: With a resolver of the test

    @Test("If the IPv6 address refuses or does not answer, the IPv4 address is used", arguments: [true, false])
    func otherAddress(isSilent: Bool) async throws {
        try await withServer {
            try await $0.waitForEnd()
        } _: { port in
            let silentPort = isSilent ? try Loopback.SilentPort(port: port) : nil
            defer { silentPort?.close() }
            if let silentPort { try #require(silentPort.isSilent) }
            let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
            let route = Route(
                try Endpoint("https://both.example:\(port)"),
                through: nil,
                resolver: BothFamilies(eventLoop: eventLoop)
            )
            let channel = try await route.connect(on: eventLoop, timeout: .seconds(30)) {
                $0.eventLoop.makeSucceededVoidFuture()
            }.get()
            #expect(channel.remoteAddress?.protocol == .inet)
            try await channel.close()
        }
    }

    // MARK: With the system's resolver

    /// Sends a request and opens a WebSocket to `localhost`.
    private func exchange(_ port: Int) async throws {
        try await NIOTransport.withTransport(logger: .silent) { (transport) async throws in
            let head = try await TLSFixture.get("http://localhost:\(port)/", over: transport)
            #expect(head.hasPrefix("GET / HTTP/1.1"))
            let echo = try await TLSFixture.talk("ws://localhost:\(port)/", over: transport)
            #expect(echo == .text("hello"))
        }
    }

    /// No server listens at the IPv6 address.
    @Test("Requests and WebSockets reach a server that listens on IPv4 only", isDual) func refusedByIPv6() async throws
    {
        try await withServer(TLSFixture.serve) { port in try await exchange(port) }
    }

    /// The IPv6 address does not answer, as in a network with broken IPv6. The timeout of the
    /// system would be two minutes.
    @Test("Requests and WebSockets reach a server whose IPv6 address does not answer", isDual) func silentByIPv6()
        async throws
    {
        try await withServer(TLSFixture.serve) { port in
            let silentPort = try Loopback.SilentPort(port: port)
            defer { silentPort.close() }
            try #require(silentPort.isSilent)
            try await exchange(port)
        }
    }

    @Test("A host that does not answer is a timeout, within the given limit") func silentByBoth() async throws {
        try await NIOTransport.withTransport(logger: .silent) { (transport) async throws in
            let silentPort = try Loopback.SilentPort(port: 0)
            defer { silentPort.close() }
            let timeout = Duration.milliseconds(600)
            let errors = [
                await #expect(throws: TransportError.self) {
                    try await TLSFixture.get("http://[::1]:\(silentPort.port)/", over: transport, timeout: timeout)
                },
                await #expect(throws: TransportError.self) {
                    try await TLSFixture.talk("ws://[::1]:\(silentPort.port)/", over: transport, timeout: timeout)
                },
            ]
            for error in errors { #expect(error?.kind == .timeout) }
        }
    }
}

/// The addresses of this computer for itself.
private enum Loopback {
    /// Whether `::1` is there.
    static var hasIPv6: Bool {
        guard let silentPort = try? SilentPort(port: 0) else { return false }
        silentPort.close()
        return true
    }

    /// Whether `localhost` has an address of each family.
    static var hasBothFamilies: Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo("localhost", nil, &hints, &addresses) == 0 else { return false }
        defer { freeaddrinfo(addresses) }
        var families: Set<Int32> = []
        var next = addresses
        while let address = next {
            families.insert(address.pointee.ai_family)
            next = address.pointee.ai_next
        }
        return families.isSuperset(of: [AF_INET, AF_INET6])
    }

    /// A port at `::1` that answers no SYN: its listen queue is full.
    struct SilentPort {
        struct Unbound: Error {}

        let port: Int
        private let descriptors: [Int32]

        init(port: Int) throws {
            let listener = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(port)
            let isBound = Self.with(&address) { bind(listener, $0, $1) == 0 } && listen(listener, 0) == 0
            guard isBound else {
                Glibc.close(listener)
                throw Unbound()
            }
            var bound = sockaddr_in6()
            var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutablePointer(to: &bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
            }
            self.port = Int(UInt16(bigEndian: bound.sin6_port))
            var all = [listener]
            for _ in 0..<4 { all.append(Self.connect(to: self.port)) }
            descriptors = all
        }

        /// Whether the last connection was not accepted.
        var isSilent: Bool {
            var last = pollfd(fd: descriptors.last ?? -1, events: Int16(POLLOUT), revents: 0)
            return poll(&last, 1, 200) == 0
        }

        func close() { for descriptor in descriptors { Glibc.close(descriptor) } }

        private static func connect(to port: Int) -> Int32 {
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_INET6, kind, 0)
            var address = address(port)
            _ = with(&address) { Glibc.connect(descriptor, $0, $1) }
            return descriptor
        }

        private static func address(_ port: Int) -> sockaddr_in6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            address.sin6_addr = in6addr_loopback
            return address
        }

        private static func with<Result>(
            _ address: inout sockaddr_in6,
            _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
    }
}
