import Basics
import NIOCore
import NIOPosix

/// Looks names up. One that is being looked up is not looked up again at the same time, until the network changes, and
/// while name servers are slow or away, the last known addresses are used.
extension Network: Resolver {
    /// The names that are looked up and were.
    struct Names: Sendable {
        var known = KnownAddresses()
        var lookups: [String: EventLoopFuture<[SocketAddress]>] = [:]
    }

    /// The time after which a known address is used while the lookup continues.
    static let lookupTimeout = TimeAmount.seconds(2)

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port, .inet)
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        addresses(of: host, port, .inet6)
    }

    /// A lookup continues, for the next attempt.
    func cancelQueries() {}

    private func addresses(of host: String, _ port: Int, _ family: NIOBSDSocket.ProtocolFamily)
        -> EventLoopFuture<[SocketAddress]>
    {
        addresses(of: host).map { addresses in
            addresses.filter { $0.protocol == family }.map { address in
                var address = address
                address.port = port
                return address
            }
        }
    }

    private func addresses(of host: String) -> EventLoopFuture<[SocketAddress]> {
        if let literal = try? SocketAddress(ipAddress: host, port: 0) {
            return eventLoop.makeSucceededFuture([literal])
        }
        let lookup = names.value.lookups[host] ?? startLookup(host)
        guard let known = names.value.known[host] else { return lookup }
        let answer = eventLoop.makePromise(of: [SocketAddress].self)
        let timer = eventLoop.scheduleTask(in: Self.lookupTimeout) { answer.succeed(known) }
        lookup.whenComplete { result in
            timer.cancel()
            answer.succeed((try? result.get()) ?? known)
        }
        return answer.futureResult
    }

    private func startLookup(_ host: String) -> EventLoopFuture<[SocketAddress]> {
        let answer = eventLoop.makePromise(of: [SocketAddress].self)
        do { try begin() } catch {
            answer.fail(error)
            return answer.futureResult
        }
        names.value.lookups[host] = answer.futureResult
        answer.futureResult.whenComplete { [names] result in
            if names.value.lookups[host] === answer.futureResult { names.value.lookups[host] = nil }
            if let addresses = try? result.get() { names.value.known.set(addresses, of: host) }
        }
        startBlocking {
            answer.completeWith(Result { () throws(LookupFailure) in try self.lookUp(host) }.mapError { $0 })
            self.end()
        }
        return answer.futureResult
    }
}
