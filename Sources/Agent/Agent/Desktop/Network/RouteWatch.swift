import Basics
import CLinux
package import DBus
import Glibc

/// Reports changes of interfaces, addresses and routes, whatever program manages them (rtnetlink(7)).
package struct RouteWatch: Sendable {
    /// Changes come in groups, which are reported once.
    private static let gathering = Duration.milliseconds(300)

    private let loop: any BusLoop
    private let clock: any Clock<Duration>

    /// - Parameter loop: Watches the socket.
    package init(loop: any BusLoop, clock: any Clock<Duration>) { (self.loop, self.clock) = (loop, clock) }

    /// Reports the default routes at the start and after each group of changes, until the task is cancelled. Returns at
    /// once where there is no such socket.
    package func run(_ receive: (DefaultRoutes) async -> Void) async {
        guard let socket = RouteSocket() else { return }
        while !Task.isCancelled {
            await receive(.current)
            let change = Completion()
            let watch = try? loop.watch(socket.descriptor) {
                socket.drain()
                change.finish()
            }
            guard let watch else { return }
            await change.wait()
            watch.cancel()
            try? await clock.sleep(for: Self.gathering)
            socket.drain()
        }
    }
}

private final class RouteSocket: Sendable {
    let descriptor = feedbell_route_socket()

    init?() { if descriptor < 0 { return nil } }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Discards what has arrived: the present state is read elsewhere.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 13)
        // ENOBUFS: some changes are lost, and later ones can be read.
        while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS || errno == EINTR {}
    }
}
