import FoundationEssentials
import Glibc

/// A file of the person's own that is replaced as a whole: whoever reads it sees the old content or the new one, whatever happens.
package struct PrivateFile {
    /// Why it could not be written, in a sentence.
    package struct Failure: Error {
        package var description: String
    }

    /// Where the file is: a link is followed, so that it stays.
    package let path: String

    package init(_ path: String) {
        var path = path
        // As many links as the kernel follows.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : Self.directory(of: path) + "/" + target
        }
        self.path = path
    }

    /// The directory it stands in.
    package var directory: String { Self.directory(of: path) }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the directory, and those above it, for their owner alone. Those that are there stay as they are.
    package func makeDirectory() throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(description: "The directory \(directory) cannot be made.")
        }
    }

    /// Replaces the content. The file is for its owner alone from then on, whatever its permissions were.
    package func replace(with text: String) throws(Failure) {
        var template = Array("\(directory)/.\(path.split(separator: "/").last ?? "file").XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure() }
        var isKept = false
        defer {
            close(descriptor)
            if !isKept { unlink(template) }
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw failure() }
            rest = rest.dropFirst(max(0, count))
        }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0, rename(template, path) == 0 else {
            throw failure()
        }
        isKept = true
        synchronizeDirectory()
    }

    /// Another program that holds the lock gets this time to finish.
    package static let lockTimeout = Duration.seconds(5)

    /// Runs `body` while no other process that uses this method does.
    package func locked<Result>(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: () async throws -> Result
    ) async throws -> Result {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        // Closing unlocks.
        defer { close(descriptor) }
        let interval = Duration.milliseconds(50)
        var attempts = Int(Self.lockTimeout / interval)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure() }
            guard attempts > 0 else {
                let sentence = "\(path) cannot be written: another program has locked \(directory)."
                throw Failure(description: "\(sentence) Wait until it ends, or end it: lslocks shows it.")
            }
            attempts -= 1
            try await clock.sleep(for: interval)
        }
        return try await body()
    }

    /// So that the new name survives a power cut, too.
    private func synchronizeDirectory() {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func failure() -> Failure {
        Failure(description: "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
