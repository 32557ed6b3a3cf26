package import Basics
package import NIOCore
import NIOHTTP1
import NIOPosix

/// The listeners on this computer for the browser's requests of redirect URIs (RFC 8252 §7.3).
package actor RedirectListeners {
    private let eventLoop: any EventLoop
    private let gate = SerialGate()
    /// Those at ports that a configuration names, which sign-ins at the same time share.
    private var named: [Int: NIOLoopBoundBox<RedirectPort>] = [:]

    package init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Binds 127.0.0.1, and for `localhost` ::1, too, which browsers try first.
    ///
    /// - Parameters:
    ///   - port: 0: any that is free.
    ///   - host: The name of this computer in the redirect URI.
    package func open(port: Int, host: String = "127.0.0.1") async throws(OAuthError) -> RedirectListener {
        try await gate.pass(orThrow: .cancelled) { () async throws(OAuthError) in
            if let bound = named[port], let listener = await listener(at: bound, host: host) { return listener }
            let bound = try await bind(port, isDual: host == "localhost")
            if port != 0 { named[port] = bound }
            guard let listener = await listener(at: bound, host: host) else { throw .cancelled }
            return listener
        }
    }

    /// nil: the port is closed.
    private func listener(at bound: NIOLoopBoundBox<RedirectPort>, host: String) async -> RedirectListener? {
        try? await eventLoop.submit { bound.value.open(host, bound) }.get()
    }

    private func bind(_ port: Int, isDual: Bool) async throws(OAuthError) -> NIOLoopBoundBox<RedirectPort> {
        // A free port of one family may be used in the other one.
        var attempts = port == 0 ? 4 : 1
        while true {
            attempts -= 1
            do { return try await bound(to: port, isDual: isDual) } catch {
                let isUsed = (error as? IOError)?.errnoCode == EADDRINUSE
                if isUsed, attempts > 0 { continue }
                throw OAuthError(
                    port == 0 ? .transient : .misconfigured,
                    isUsed
                        ? "Another program or sign-in uses port \(port) of this computer, which the sign-in needs."
                        : "This computer cannot wait for the browser's answer: \(error)"
                )
            }
        }
    }

    private func bound(to port: Int, isDual: Bool) async throws -> NIOLoopBoundBox<RedirectPort> {
        let bound = NIOLoopBoundBox.makeBoxSendingValue(RedirectPort(), eventLoop: eventLoop)
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture { try bound.value.add(child, bound) }
            }
        let first = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
        try await eventLoop.submit { bound.value.servers.append(first) }.get()
        guard isDual else { return bound }
        do {
            let second = try await bootstrap.bind(host: "::1", port: first.localAddress?.port ?? 0).get()
            try await eventLoop.submit { bound.value.servers.append(second) }.get()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            try await eventLoop.submit { bound.value.close() }.get()
            throw error
        } catch {
            // This computer has no IPv6.
        }
        return bound
    }
}

/// Waits for the browser's request of one redirect URI, until ``close()``.
package struct RedirectListener: Sendable {
    /// A request of the redirect URI with the state of this listener's request.
    package struct Redirected: Sendable {
        package let query: String
        let channel: any Channel

        /// Answers that the request means nothing here.
        package func decline() { RedirectHandler.write(.notFound, on: channel) }

        /// Answers with a page, and returns when the browser has it or is gone.
        package func answer(_ page: RedirectPage) async {
            RedirectHandler.write(.ok, page, on: channel)
            try? await channel.closeFuture.get()
        }
    }

    package let redirectURI: String
    /// See ``RedirectState/startURL``.
    package let startURL: String
    /// The requests of the redirect URI.
    package let redirects: Mailbox<Redirected>.Messages
    let port: NIOLoopBoundBox<RedirectPort>
    let number: Int

    /// From now on the start address leads to this one, and answers to its request are received.
    ///
    /// - Parameter state: Of the authorization request.
    package func offer(_ authorizationURL: String, state: String) async {
        try? await port.eventLoop.submit { port.value.offer(authorizationURL, state: state, to: number) }.get()
    }

    /// Ends it; the last one of a port ends all connections.
    package func close() async { try? await port.eventLoop.submit { port.value.close(number) }.get() }
}
