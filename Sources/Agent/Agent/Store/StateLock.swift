import Glibc

/// A lock file next to the state file: at most one process uses the state file. The kernel releases the lock when the
/// process ends.
final class StateLock: Sendable {
    /// Another process has the lock.
    struct Held: Error {
        /// The process's id; nil if unknown.
        var process: Int?
        /// The name of the computer it runs on, for a file that several have; nil: this one, or unknown.
        var host: String?
    }

    private let descriptor: Int32

    /// Takes the lock. Returns nil if no lock file can be created, for example in a read-only directory.
    ///
    /// - Parameter host: The name of this computer.
    /// - Throws: ``Held``.
    init?(beside path: String, host: String = StateLock.hostName) throws(Held) {
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let holder = Self.holder(in: descriptor, host: host)
            close(descriptor)
            if isHeld { throw holder }
            return nil
        }
        self.descriptor = descriptor
        let text = Array("\(getpid()) \(host)\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit { close(descriptor) }

    private static func holder(in descriptor: Int32, host: String) -> Held {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let line = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
        let words = line.split(separator: " ", maxSplits: 1)
        let other = words.dropFirst().first.map { String($0.filter { $0.isASCII && !$0.isWhitespace }) }
        return Held(process: words.first.flatMap { Int($0) }, host: other == host ? nil : other)
    }

    /// The name of this computer (gethostname(2)), of visible ASCII characters.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.map(UInt8.init(bitPattern:)).prefix { (0x21...0x7E).contains($0) }, as: UTF8.self)
    }
}
