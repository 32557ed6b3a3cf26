import Dispatch
import Glibc

/// Standard output for lines that somebody waits for: each goes out at once. It waits on threads of its own for a slow reader.
struct StandardOutput: Sendable {
    private let writing = DispatchQueue(label: "standard output")
    private let watching = DispatchQueue(label: "standard output, closed")

    /// A reader that goes away is an answer of ``write(_:)``, and not the end of the program.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// Writes a line. Returns whether anybody can still read.
    func write(_ line: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            writing.async { continuation.resume(returning: Output.writeAll(line + [UInt8(ascii: "\n")]) == 0) }
        }
    }

    /// Calls `body` when nobody can read any more, also while there is nothing to write. Waits for that as long as the program
    /// runs.
    func whenClosed(_ body: @escaping @Sendable () -> Void) {
        watching.async {
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&descriptor, 1, -1) < 1 {}
            body()
        }
    }
}
