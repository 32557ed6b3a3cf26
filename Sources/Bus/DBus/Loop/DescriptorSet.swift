import CLinux
import Glibc
import Synchronization

/// Descriptors that a loop watches with epoll(7), edge-triggered.
package final class DescriptorSet: Sendable {
    private struct State {
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var lastWatch: UInt64 = 0
    }

    private static let maximumEvents = 64

    /// The descriptor of the set, for a loop that waits by other means: it is readable while a descriptor of the set
    /// has become ready that ``handle(timeout:waited:)`` has not handled yet.
    package let descriptor: Int32
    private let state = Mutex(State())

    package init() {
        descriptor = feedbell_epoll()
        if descriptor < 0 { Self.fail() }
    }

    /// Ends the program, which cannot run without the descriptor that the last system call did not return.
    static func fail() -> Never {
        fatalError("Cannot create an event loop: \(String(cString: strerror(errno))). Raise the limit of open files.")
    }

    deinit { close(descriptor) }

    /// Watches a duplicate of `descriptor` (see ``BusLoop/watch(_:_:)``).
    package func watch(
        _ descriptor: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) throws(DBusError) -> any DescriptorWatch {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else {
            throw DBusError(.limitsExceeded, "Cannot watch a connection: the process has no free file descriptor.")
        }
        let number = state.withLock { state in
            state.lastWatch += 1
            state.handlers[state.lastWatch] = handler
            return state.lastWatch
        }
        let watch = SetWatch(number, of: duplicate, in: self.descriptor) { [self] in
            state.withLock { _ = $0.handlers.removeValue(forKey: number) }
        }
        guard watch.register() else {
            throw DBusError(.notSupported, "Cannot watch a descriptor: \(String(cString: strerror(errno))).")
        }
        return watch
    }

    /// Waits until a descriptor is ready, and calls the handlers of those that are.
    ///
    /// - Parameters:
    ///   - timeout: In milliseconds; 0: does not wait, -1: indefinitely.
    ///   - waited: Called after the wait, before the handlers.
    package func handle(timeout: Int32, waited: () -> Void = {}) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.maximumEvents) { events in
            // Newer headers say that it is not null, and Swift then takes no optional pointer.
            let count = events.baseAddress.map { epoll_wait(descriptor, $0, Int32(events.count), timeout) } ?? 0
            waited()
            for event in events.prefix(max(0, Int(count))) {
                // Looked up at this moment: an earlier handler may have cancelled the watch.
                let number = event.data.u64
                state.withLock { $0.handlers[number] }?()
            }
        }
    }

    /// Adds a descriptor that only ends the wait, for as long as both exist.
    func addWakeUps(_ wakeUps: Int32) -> Bool {
        // The number 0, for which there is no handler. Edge-triggered, so they are not read.
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, wakeUps, &event) == 0
    }
}

/// A descriptor in an epoll(7) set.
private final class SetWatch: DescriptorWatch {
    private struct State {
        /// -1: cancelled.
        var descriptor: Int32
        var isWritable = false
    }

    private let number: UInt64
    private let epoll: Int32
    private let state: Mutex<State>
    private let didEnd: @Sendable () -> Void

    /// - Parameter didEnd: Retains the set, which owns `epoll`.
    init(_ number: UInt64, of descriptor: Int32, in epoll: Int32, _ didEnd: @escaping @Sendable () -> Void) {
        self.number = number
        self.epoll = epoll
        self.didEnd = didEnd
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { cancel() }

    func register() -> Bool { state.withLock { control(EPOLL_CTL_ADD, $0) } }

    func setWritable(_ isWatched: Bool) {
        state.withLock { state in
            guard state.descriptor >= 0, state.isWritable != isWatched else { return }
            state.isWritable = isWatched
            _ = control(EPOLL_CTL_MOD, state)
        }
    }

    func cancel() {
        let wasWatching = state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            _ = control(EPOLL_CTL_DEL, state)
            close(state.descriptor)
            state.descriptor = -1
            return true
        }
        if wasWatching { didEnd() }
    }

    private func control(_ operation: Int32, _ state: State) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        if state.isWritable { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = number
        return epoll_ctl(epoll, operation, state.descriptor, &event) == 0
    }
}
