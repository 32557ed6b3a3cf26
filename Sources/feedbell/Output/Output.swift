import ArgumentParser
import Glibc
import Synchronization

/// Standard output, for results.
enum Output {
    /// The errno(3) of a failed write; 0: none failed.
    private static let failure = Atomic<Int32>(0)

    /// Writes text in the character set of the user's locale.
    static func text(_ text: String, terminator: String = "\n") {
        write(CharacterSet.current.bytes(text + terminator))
    }

    /// Writes JSON and a line feed.
    static func json(_ json: String) { write(CharacterSet.current.bytes(json: json + "\n")) }

    private static func write(_ bytes: [UInt8]) {
        let reason = writeAll(bytes)
        if reason != 0 { failure.store(reason, ordering: .relaxed) }
    }

    /// - Returns: 0, or the errno(3) of a failed write.
    static func writeAll(_ bytes: [UInt8]) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Throws if a write failed, for example because the disk is full.
    static func check() throws(Failure) {
        let reason = failure.load(ordering: .relaxed)
        if reason == 0 { return }
        throw Failure("Cannot write to standard output: \(String(cString: strerror(reason))).", .outputFailed)
    }
}
