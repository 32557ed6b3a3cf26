import CLinux
import DBus
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// Watches sockets by signals (`O_ASYNC`, fcntl(2)) for SwiftNIO's loop, which watches only its own channels.
///
/// The kernel sends a real-time signal to the loop's thread when a socket becomes readable, is closed by the peer, or
/// accepts data again after it was full. The thread blocks the signal and reads it from a signalfd(2), which is a
/// channel of SwiftNIO: no other thread wakes up for a message of the bus.
final class SocketSignals: Sendable {
    private let signal = feedbell_socket_signal()
    /// By the number of the watched descriptor, which a signal contains.
    private let handlers = Mutex<[Int32: @Sendable () -> Void]>([:])
    private let isReading = Atomic(false)

    /// Blocks the signals on this thread, which is the loop's, and reads them. Threads that it starts inherit the mask,
    /// `ChildProgram` does not pass it on.
    /// - Returns: nil if the process has no free descriptor, or the kernel no memory for another channel.
    init?(on eventLoop: any EventLoop) {
        var signals = sigset_t()
        sigemptyset(&signals)
        // The kernel sends SIGIO instead while too many signals are queued.
        for number in [signal, SIGIO] { sigaddset(&signals, number) }
        guard pthread_sigmask(SIG_BLOCK, &signals, nil) == 0, case let descriptor = feedbell_signalfd(&signals),
            descriptor >= 0
        else { return nil }
        let reader = SignalReader { [weak self] socket in self?.report(socket) }
        NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { $0.pipeline.addHandler(reader) }
            .takingOwnershipOfDescriptor(input: descriptor)
            // At once, on this thread.
            .whenSuccess { [weak self] _ in self?.isReading.store(true, ordering: .relaxed) }
        guard isReading.load(ordering: .relaxed) else { return nil }
    }

    /// - Parameter socket: nil: any of them.
    private func report(_ socket: Int32?) {
        let due = handlers.withLock { handlers in
            socket.map { handlers[$0].map { [$0] } ?? [] } ?? Array(handlers.values)
        }
        for handler in due { handler() }
    }

    /// Watches a duplicate of `socket` (see ``BusLoop/watch(_:_:)``). Call it on the loop's thread.
    /// - Returns: nil if the kernel cannot send signals for it, or sends them for another watch.
    func watch(_ socket: Int32, _ handler: @escaping @Sendable () -> Void) -> (any DescriptorWatch)? {
        var status = stat()
        guard fstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
            case let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0), duplicate >= 0
        else { return nil }
        guard feedbell_start_signals(duplicate, signal) != 0 else {
            close(duplicate)
            return nil
        }
        handlers.withLock { $0[duplicate] = handler }
        let watch = SocketWatch(duplicate, handler) { self.handlers.withLock { _ = $0.removeValue(forKey: duplicate) } }
        // What came before is not signalled.
        handler()
        return watch
    }
}

/// Decodes what is read from a signalfd(2).
private final class SignalReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let report: @Sendable (Int32?) -> Void

    init(_ report: @escaping @Sendable (Int32?) -> Void) { self.report = report }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        bytes.withUnsafeReadableBytes { bytes in
            let size = MemoryLayout<signalfd_siginfo>.size
            for start in stride(from: 0, through: bytes.count - size, by: size) {
                let signal = bytes.loadUnaligned(fromByteOffset: start, as: signalfd_siginfo.self)
                report(signal.ssi_signo == UInt32(SIGIO) ? nil : signal.ssi_fd)
            }
        }
    }
}

/// A socket whose signals are handled.
private final class SocketWatch: DescriptorWatch {
    private struct State {
        /// -1: cancelled.
        var socket: Int32
        var isWritable = false
    }

    private let state: Mutex<State>
    private let handler: @Sendable () -> Void
    private let didEnd: @Sendable () -> Void

    init(_ socket: Int32, _ handler: @escaping @Sendable () -> Void, _ didEnd: @escaping @Sendable () -> Void) {
        state = Mutex(State(socket: socket))
        self.handler = handler
        self.didEnd = didEnd
    }

    deinit { cancel() }

    /// The kernel signals space if a write has failed for lack of it, also before this call.
    func setWritable(_ isWatched: Bool) {
        let isWritable = state.withLock { state in
            defer { state.isWritable = isWatched }
            guard isWatched, !state.isWritable, state.socket >= 0 else { return false }
            var socket = pollfd(fd: state.socket, events: Int16(POLLOUT), revents: 0)
            return poll(&socket, 1, 0) > 0
        }
        if isWritable { handler() }
    }

    func cancel() {
        let socket = state.withLock { state in
            defer { state.socket = -1 }
            return state.socket
        }
        guard socket >= 0 else { return }
        didEnd()
        feedbell_stop_signals(socket)
        close(socket)
    }
}
