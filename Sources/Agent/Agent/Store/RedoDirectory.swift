import Glibc

/// The directory of a redo log. Only this user can write to it and to the log: both are checked by their descriptors,
/// so that what was checked cannot be replaced before it is used.
final class RedoDirectory {
    private let descriptor: Int32
    /// Of the log.
    private let path: String
    private let name: String

    /// Opens the directory of a log.
    ///
    /// - Parameter creates: Whether it is created if it is missing.
    init(of path: String, creates: Bool) throws(RedoLog.Failure) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let directory = String(path[..<slash])
        if creates { mkdir(directory, 0o700) }
        self.path = path
        name = String(path[slash...].dropFirst())
        descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RedoLog.Failure(path: path, .system(errno)) }
        try Self.check(descriptor, isDirectory: true, of: path)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens a file of the directory; the caller closes it.
    ///
    /// - Parameters:
    ///   - flags: Of open(2), besides those that keep it from following links and from waiting.
    ///   - ending: Of its name, after that of the log.
    func open(_ flags: Int32, ending: String = "") throws(RedoLog.Failure) -> Int32 {
        // Mode 0600: it contains what the popups do.
        let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let file = openat(descriptor, name + ending, flags, 0o600)
        guard file >= 0 else { throw RedoLog.Failure(path: path + ending, .system(errno)) }
        do throws(RedoLog.Failure) { try Self.check(file, isDirectory: false, of: path + ending) } catch {
            close(file)
            throw error
        }
        return file
    }

    func remove(_ ending: String = "") { unlinkat(descriptor, name + ending, 0) }

    /// Gives the file with this ending the log's name.
    func rename(_ ending: String) throws(RedoLog.Failure) {
        guard renameat(descriptor, name + ending, descriptor, name) == 0 else {
            throw RedoLog.Failure(path: path, .system(errno))
        }
    }

    private static func check(
        _ descriptor: Int32,
        isDirectory: Bool,
        of path: String
    ) throws(RedoLog.Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw RedoLog.Failure(path: path, .system(errno)) }
        let what = isDirectory ? "its directory" : "it"
        let problem: String? =
            if status.st_uid != geteuid() {
                "\(what) belongs to another user"
            } else if status.st_mode & 0o022 != 0 {
                "other users can write to \(what)"
            } else if !isDirectory, status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1 {
                "it is no regular file with one name"
            } else {
                nil
            }
        if let problem { throw RedoLog.Failure(path: path, .unsafe(problem)) }
    }
}
