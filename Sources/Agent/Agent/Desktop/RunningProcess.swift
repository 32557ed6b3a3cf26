import Basics
import CLinux
package import DBus
import Glibc

/// Another process of the user, which this one may end.
package final class RunningProcess: Sendable {
    package let id: Int32
    /// Refers to this process also after its end, when another one may have its id.
    private let descriptor: Int32

    /// The process that owns a unique name; nil: it is this one, of another user, or unknown.
    package init?(of owner: BusName, on bus: Bus) async throws(DBusError) {
        let daemon = Proxy(bus, .bus, BusInterface.path)
        do throws(DBusError) {
            guard try await daemon.call(BusInterface.getConnectionUnixUser, owner.text) == getuid() else { return nil }
            let id = try await daemon.call(BusInterface.getConnectionUnixProcessID, owner.text)
            guard let id = Int32(exactly: id), id > 1, id != getpid() else { return nil }
            self.id = id
        } catch {
            if error.name == .disconnected { throw error }
            return nil
        }
        descriptor = feedbell_pidfd(id)
        // Its id is not another one's as long as it is connected.
        guard descriptor >= 0, try await bus.nameOwner(of: owner) == owner else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ends it: with SIGTERM, and with SIGKILL when `limit` has passed. One that is stopped continues.
    ///
    /// - Returns: Whether it has ended.
    package func end(killAfter limit: Duration) async -> Bool {
        guard send(SIGTERM) else { return hasEnded(after: .zero) }
        send(SIGCONT)
        return await runBlocking {
            if self.hasEnded(after: limit) { return true }
            self.send(SIGKILL)
            return self.hasEnded(after: limit)
        } ?? false
    }

    @discardableResult
    private func send(_ signal: Int32) -> Bool { feedbell_pidfd_signal(descriptor, signal) == 0 }

    private func hasEnded(after limit: Duration) -> Bool {
        var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&events, 1, Int32(limit.components.seconds * 1_000)) > 0
    }
}
