import AgentInterface
import Glibc
import VisibleText

/// Whether the agent can keep its state on disk.
package struct StateFileFacts: Sendable {
    private let path: String
    /// The number of errno(3) with which a write would fail; nil: it would succeed.
    private let failure: Int32?

    /// Looks at the file and its directory, and writes nothing.
    package init(path: String) { (self.path, failure) = (path, Self.failure(path)) }

    var finding: Finding? {
        // A directory in /proc cannot be created: it says that nothing is to be kept.
        guard let failure, !path.hasPrefix("/proc/") else { return nil }
        let reason = String(cString: strerror(failure))
        let sentence = translated(
            "The agent's state file {file} cannot be written: {reason}. Changes that wait for the service are lost "
                + "when the agent ends.",
            ["file": path, "reason": reason]
        )
        let remedy =
            failure == ENOSPC
            ? translated("Free space on this disk.") : translated("Make the file and its directory writable for you.")
        return Finding(.configuration, .problem, sentence, remedy: remedy)
    }

    private static func failure(_ path: String) -> Int32? {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG { return EISDIR }
        if exists, access(path, W_OK) != 0 { return errno }
        // SQLite creates files beside it. A missing directory is created by the agent.
        var directory = path
        repeat {
            guard let end = directory.lastIndex(of: "/"), !directory.isEmpty else { return nil }
            directory = String(directory[..<end])
        } while access(directory.isEmpty ? "/" : directory, F_OK) != 0 && errno == ENOENT
        if directory.isEmpty { directory = "/" }
        if access(directory, W_OK | X_OK) != 0 { return errno }
        var space = statvfs()
        return statvfs(directory, &space) == 0 && space.f_blocks > 0 && space.f_bavail == 0 ? ENOSPC : nil
    }
}
