import Dispatch
import Glibc

/// Calls a handler on the queue whenever a socket is readable or writable.
///
/// It watches a duplicate of the descriptor: libdbus may close its own at any time, and a descriptor must stay open
/// while a dispatch source uses it.
struct Watch: ~Copyable {
    enum Direction { case read, write }

    private let source: any DispatchSourceProtocol

    init(
        _ direction: Direction,
        of descriptor: Int32,
        on queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) throws(DBusError) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else {
            throw DBusError(.limitsExceeded, "Cannot watch the bus: the process has no free file descriptor.")
        }
        source =
            switch direction {
            case .read: DispatchSource.makeReadSource(fileDescriptor: duplicate, queue: queue)
            case .write: DispatchSource.makeWriteSource(fileDescriptor: duplicate, queue: queue)
            }
        source.setEventHandler(handler: handler)
        source.setCancelHandler { close(duplicate) }
        source.activate()
    }

    deinit { source.cancel() }
}
