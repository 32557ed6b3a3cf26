import Basics
import FoundationEssentials
import Glibc

/// A file of the user that is replaced atomically: a reader sees the old or the new content, also after a crash.
package struct PrivateFile {
    /// The reason of a failed write, in sentences.
    package struct Failure: Error {
        package var description: String

        package init(description: String) { self.description = description }
    }

    /// The path of the file, with its own symbolic links resolved, so that a link is not replaced.
    package let path: String

    package init(_ path: String) {
        var path = path
        // The kernel's limit (path_resolution(7)).
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : Self.directory(of: path) + "/" + target
        }
        self.path = path
    }

    /// The directory of the file.
    package var directory: String { Self.directory(of: path) }

    /// The directory of a path, without a look at links.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates the directory and missing parents with mode 0700. Existing ones stay unchanged.
    package func makeDirectory() throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(description: "Cannot create the directory \(directory).")
        }
    }

    /// Replaces the content, and sets the file's mode to 0600.
    package func replace(with text: String) throws(Failure) {
        do throws(DurableFile.Failure) { try DurableFile(path).replace(with: Array(text.utf8)) } catch {
            throw Failure(description: "\(error)")
        }
    }

    /// The timeout of ``locked(clock:_:)`` while another process holds the lock.
    package static let lockTimeout = Duration.seconds(5)

    /// Runs `body` with a lock on the directory that excludes other processes that use this method.
    package func locked<Result>(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: () async throws -> Result
    ) async throws -> Result {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        // Closing releases the lock.
        defer { close(descriptor) }
        let interval = Duration.milliseconds(50)
        var attempts = Int(Self.lockTimeout / interval)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure() }
            guard attempts > 0 else {
                let sentence = "Cannot write \(path): another program has locked \(directory)."
                throw Failure(description: "\(sentence) Wait for that program, or find it with lslocks and stop it.")
            }
            attempts -= 1
            try await clock.sleep(for: interval)
        }
        return try await body()
    }

    private func failure() -> Failure {
        Failure(description: "Cannot write \(path): \(String(cString: strerror(errno))).")
    }
}
