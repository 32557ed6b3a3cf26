import DBus
import Glibc
import VisibleText

/// Unbuffered standard output of `feedbell follow`. Writes block because of a slow reader: they use a thread of their
/// own.
struct FollowerOutput: Sendable {
    private let writing = PollLoop(name: "output")

    /// Ignores SIGPIPE: after the reader exits, ``write(_:)`` returns false.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// Writes a line. Returns false if standard output is closed.
    func write(_ line: [UInt8]) async -> Bool {
        writing.start()
        return await withCheckedContinuation { continuation in
            writing.execute {
                continuation.resume(returning: StandardStream.output.write(line + [UInt8(ascii: "\n")]) == 0)
            }
        }
    }

    /// Calls `body` when the reader closes standard output, also while there is nothing to write.
    ///
    /// - Returns: The watch, which ends with this object; nil: standard output is a file, which has no reader.
    func whenClosed(_ body: @escaping @Sendable () -> Void) -> (any DescriptorWatch)? {
        let report: @Sendable () -> Void = {
            // Without events: only an error or the end of the reader counts. Typing at a terminal is not one.
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            if poll(&descriptor, 1, 0) > 0 { body() }
        }
        return try? PollLoop.shared.watch(STDOUT_FILENO, report)
    }
}
