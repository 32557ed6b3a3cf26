import Dispatch
import Glibc
import VisibleText

/// Unbuffered standard output of `feedbell follow`. Writes that block because of a slow reader use a separate thread.
struct FollowerOutput: Sendable {
    private let writing = DispatchQueue(label: "standard output")
    private let watching = DispatchQueue(label: "standard output, closed")

    /// Ignores SIGPIPE: after the reader exits, ``write(_:)`` returns false.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// Writes a line. Returns false if standard output is closed.
    func write(_ line: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            writing.async {
                continuation.resume(returning: StandardStream.output.write(line + [UInt8(ascii: "\n")]) == 0)
            }
        }
    }

    /// Calls `body` when the reader closes standard output, also while there is nothing to write. Uses a thread until
    /// then.
    func whenClosed(_ body: @escaping @Sendable () -> Void) {
        watching.async {
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&descriptor, 1, -1) < 1 {}
            body()
        }
    }
}
