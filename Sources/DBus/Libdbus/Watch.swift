import Dispatch
import Glibc

/// Calls a handler on the queue whenever a socket can be read, or can be written.
///
/// It watches a duplicate of the descriptor: libdbus may close its own at any time, and a descriptor must not be closed under a source.
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
            throw DBusError(.limitsExceeded, "No file descriptor is left to watch the bus with.")
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
