import Glibc

/// An open file of the user that other users cannot change or read. It is closed with this object.
final class OwnFile {
    private let descriptor: Int32
    private let size: Int
    /// The time of the last change of the content, in seconds.
    let changed: time_t

    /// nil: there is no such file, it is another kind of file, not the user's own, or larger than the limit.
    init?(_ path: String, limit: Int) {
        // Not blocked by a pipe.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_size <= limit
        else {
            (size, changed) = (0, 0)
            return nil
        }
        (size, changed) = (Int(status.st_size), status.st_mtim.tv_sec)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// nil: it cannot be read, or becomes shorter meanwhile.
    var content: [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let part = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + count, size - count, count) }
            if part <= 0 { return nil }
            count += part
        }
        return bytes
    }

    /// Sets the time of the last access to now.
    func recordUse() {
        // UTIME_NOW and UTIME_OMIT of utimensat(2), macros that Swift does not import.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 1), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
        futimens(descriptor, times)
    }

    /// Creates a file that only the user can read. Returns false if there is one, or it cannot be written; then it may
    /// be incomplete.
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + count, $0.count - count) }
            if part <= 0 { break }
            count += part
        }
        return close(descriptor) == 0 && count == bytes.count
    }
}
