import CLinux
import FoundationEssentials
import Glibc

/// The service manager that has started this process and waits for its notifications (sd_notify(3),
/// sd_watchdog_enabled(3)).
package struct ServiceManager: Equatable, Sendable {
    /// The address of its datagram socket: an absolute path, or "@" and the name of an abstract socket.
    package var socket: String
    /// The interval of ``ServiceNotification/watchdog``: half of the time after which the service manager ends this
    /// process; nil: it does not expect any.
    package var watchdogInterval: Duration?

    private static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

    /// The service manager named in the environment; nil: there is none.
    package init?(environment: [String: String], processID: Int32) {
        guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@"),
            (2..<Self.maximumAddress).contains(socket.utf8.count)
        else { return nil }
        self.socket = socket
        // Without this variable, the time applies to any process.
        guard environment["WATCHDOG_PID"].map({ $0 == "\(processID)" }) ?? true,
            let time = environment["WATCHDOG_USEC"].flatMap(Int64.init), time > 1
        else { return }
        watchdogInterval = .microseconds(time / 2)
    }

    /// Takes the service manager from the environment of this process, so that no child process inherits it. Call it
    /// before other threads start: unsetenv(3) is not thread-safe.
    package static func take() -> ServiceManager? {
        let manager = ServiceManager(environment: ProcessInfo.processInfo.environment, processID: getpid())
        for name in variables { unsetenv(name) }
        return manager
    }

    /// The size of `sun_path` (unix(7)).
    private static let maximumAddress = 108

    /// Sends a notification. It is lost if the service manager is gone or does not read.
    package func send(_ notification: ServiceNotification) {
        let descriptor = feedbell_datagram_socket()
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
        // The name of an abstract socket begins with a zero and ends with the address.
        if socket.hasPrefix("@") { address.sun_path.0 = 0 }
        let length = MemoryLayout.offset(of: \sockaddr_un.sun_path)! + socket.utf8.count
        let text = Array(notification.text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, text, text.count, feedbell_send_flags(), pointer, socklen_t(length))
            }
        }
    }
}
