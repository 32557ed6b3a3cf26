import CLinux
import Glibc
import Synchronization

/// Writes lines to a descriptor that may not be read, such as standard error, and never waits. Lines that it cannot
/// write are discarded and counted; the next line that it can write follows their count.
package final class LogStream: Sendable {
    private struct State {
        /// The rest of a line that was written in part.
        var rest: ArraySlice<UInt8> = []
        var discarded = 0
    }

    private let descriptor: Int32
    private let kind: UInt32
    /// Whether the descriptor is this object's own, and does not block.
    private let isOwn: Bool
    private let notice: @Sendable (Int) -> [UInt8]
    private let state = Mutex(State())

    /// - Parameter notice: The line that reports a number of discarded lines.
    package init(_ descriptor: Int32, notice: @escaping @Sendable (Int) -> [UInt8]) {
        var status = stat()
        kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        self.notice = notice
        // Opened again, it does not block here, and blocks as before in other processes that have it, such as a shell.
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let own = kind == S_IFIFO || kind == S_IFCHR ? open("/proc/self/fd/\(descriptor)", flags) : -1
        isOwn = own >= 0
        self.descriptor = isOwn ? own : descriptor
    }

    deinit { if isOwn { close(descriptor) } }

    /// Writes a line, which ends with a line feed.
    package func write(_ line: [UInt8]) {
        state.withLock { state in
            state.rest = state.rest.dropFirst(send(state.rest))
            // Together: a full pipe may still take the short notice alone, again and again.
            let bytes = state.discarded > 0 ? notice(state.discarded) + line : line
            guard state.rest.isEmpty, startWriting(bytes, &state) else {
                state.discarded += 1
                return
            }
            state.discarded = 0
        }
    }

    /// Whether a part of the bytes was written. Then the others are written before the next line.
    private func startWriting(_ bytes: [UInt8], _ state: inout State) -> Bool {
        let count = send(bytes[...])
        if count > 0 { state.rest = bytes[count...] }
        return count > 0
    }

    /// The number of bytes that were written.
    private func send(_ bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while !rest.isEmpty {
            // A pipe that is writable takes this many bytes at once (pipe(7)).
            let chunk = rest.prefix(Int(PIPE_BUF))
            guard isOwn || kind == S_IFREG || kind == S_IFSOCK || isWritable else { break }
            let count = chunk.withUnsafeBytes { chunk in
                kind == S_IFSOCK
                    ? Glibc.send(descriptor, chunk.baseAddress, chunk.count, feedbell_send_flags())
                    : Glibc.write(descriptor, chunk.baseAddress, chunk.count)
            }
            if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || errno != EINTR { break }
        }
        return bytes.count - rest.count
    }

    private var isWritable: Bool {
        var events = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&events, 1, 0) > 0 && events.revents & Int16(POLLOUT) != 0
    }
}
