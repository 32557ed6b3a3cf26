import Basics
import FoundationEssentials
import Glibc
import Synchronization

/// A text file that contains commands or credentials. It is read only if other users can neither change nor replace it.
package struct GuardedFile: Sendable {
    package enum Failure: Error, Equatable {
        case missing
        case unreadable
        /// Too large, or not UTF-8.
        case noText
        /// This is no regular file: a pipe would be waited for.
        case irregular
        /// The file system did not answer within ``GuardedFile/timeout``.
        case unresponsive
        /// The reason and the remedy in sentences, which do not start with the file's name.
        case refused(String)
    }

    /// The time that ``contents(clock:)`` gives the file system, which may be one of the network.
    package static let timeout = Duration.seconds(10)
    /// The paths whose reads have not returned in time. Each of them has a thread.
    private static let unresponsive = Mutex<Set<String>>([])

    package let path: String
    /// The maximum size in bytes; larger files are rejected.
    package let limit: Int
    /// Whether the file is also rejected if other users can read it.
    package let isSecret: Bool

    /// Reads the file on a thread of its own, and fails if that takes longer than ``timeout``. While the file system
    /// does not answer, further calls fail at once.
    package func contents(clock: any Clock<Duration>) async throws(Failure) -> String {
        try await contents(clock: clock, outside: .ofThisProcess)
    }

    /// As ``contents(clock:)``. In a user namespace without an id for root, a file that may be root's is judged by the
    /// owners that are seen outside of it.
    func contents(clock: any Clock<Duration>, outside: OutsideOwners) async throws(Failure) -> String {
        do throws(Failure) {
            return try await contents(clock: clock) { () throws(Failure) in try read() }
        } catch {
            guard case .refused = error, let owners = await outside.owners([path] + directories, clock) else {
                throw error
            }
            return try await contents(clock: clock) { () throws(Failure) in try read(owners: owners) }
        }
    }

    /// The directory of the path, and that of the file itself if the path is a symbolic link.
    private var directories: [String] { Set([PrivateFile.directory(of: path), PrivateFile(path).directory]).sorted() }

    /// - Parameter read: Blocks its thread.
    func contents(
        clock: any Clock<Duration>,
        reading read: @escaping @Sendable () throws(Failure) -> String
    ) async throws(Failure) -> String {
        guard Self.unresponsive.withLock({ !$0.contains(path) }) else { throw .unresponsive }
        let end = ReadEnd()
        let result = await runBlocking(atMost: Self.timeout, clock: clock) {
            let result = Result { () throws(Failure) in try read() }
            Self.unresponsive.withLock { paths in
                paths.remove(path)
                end.isReached.store(true, ordering: .relaxed)
            }
            return result
        }
        if result == nil {
            Self.unresponsive.withLock { paths in
                if !end.isReached.load(ordering: .relaxed) { paths.insert(path) }
            }
        }
        guard let result else { throw .unresponsive }
        return try result.get()
    }

    /// Reads the file, blocking this thread. Checks the open file, not its path, so that it cannot be replaced after
    /// the check.
    ///
    /// - Parameter owners: Owners that are known otherwise.
    package func read(owners: [FileIdentity: UInt32] = [:]) throws(Failure) -> String {
        // A FIFO would be waited for at open(2), too.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .irregular }
        var root = stat()
        guard stat("/", &root) == 0 else { throw .unreadable }
        var file = FileAccess.Entry(path, status)
        let known = owners[FileIdentity(status)]
        file.owner = known ?? file.owner
        let access = FileAccess(
            file: file,
            directories: directories.compactMap { directory in
                var status = stat()
                return stat(directory, &status) == 0 ? .init(directory, status) : nil
            },
            rootOwner: known == nil ? root.st_uid : 0,
            isGroupPrivate: status.st_mode & 0o022 == 0o020 && UserGroup.isPrivate(status.st_gid)
        )
        if let refusal = access.refusal(for: geteuid(), isSecret: isSecret) { throw .refused(refusal) }
        return try text(descriptor)
    }

    private func text(_ descriptor: Int32) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else { throw .noText }
        return text
    }
}

/// Whether a read has returned.
private final class ReadEnd: Sendable {
    let isReached = Atomic(false)
}

extension FileAccess.Entry {
    fileprivate init(_ path: String, _ status: stat) {
        self.init(path: path, mode: status.st_mode & 0o7777, owner: status.st_uid)
    }
}
