import FoundationEssentials
import Glibc

/// A lock file next to the state file: at most one process uses the state file. The kernel releases the lock when the
/// process ends.
final class StateLock: Sendable {
    /// Another process has the lock.
    struct Held: Error {
        /// The process's id; nil if unknown.
        var process: Int?
    }

    private let descriptor: Int32

    /// Takes the lock. Returns nil if no lock file can be created, for example in a read-only directory.
    /// - Throws: ``Held``.
    init?(beside path: String) throws(Held) {
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let process = Self.process(in: descriptor)
            close(descriptor)
            if isHeld { throw Held(process: process) }
            return nil
        }
        self.descriptor = descriptor
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit { close(descriptor) }

    private static func process(in descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
