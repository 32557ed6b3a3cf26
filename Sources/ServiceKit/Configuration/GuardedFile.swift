import FoundationEssentials
import Glibc

/// A text file that contains commands or credentials. It is read only if other users can neither change nor replace it.
package struct GuardedFile: Sendable {
    package enum Failure: Error, Equatable {
        case missing
        case unreadable
        /// Too large, or not UTF-8.
        case noText
        /// The reason and the remedy in sentences, which do not start with the file's name.
        case refused(String)
    }

    package let path: String
    /// The maximum size in bytes; larger files are rejected.
    package let limit: Int
    /// Whether the file is also rejected if other users can read it.
    package let isSecret: Bool

    package init(path: String, limit: Int, isSecret: Bool) {
        self.path = path
        self.limit = limit
        self.isSecret = isSecret
    }

    /// Reads the file. Checks the open file, not its path, so that it cannot be replaced after the check.
    package func read() throws(Failure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable }
        let directories = Set([Self.directory(of: path), PrivateFile(path).directory]).sorted()
        let access = FileAccess(
            file: .init(path, status),
            directories: directories.compactMap { directory in
                var status = stat()
                return stat(directory, &status) == 0 ? .init(directory, status) : nil
            }
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

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

extension FileAccess.Entry {
    fileprivate init(_ path: String, _ status: stat) {
        self.init(path: path, mode: status.st_mode & 0o7777, owner: status.st_uid)
    }
}
