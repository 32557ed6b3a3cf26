import FoundationEssentials
import Glibc

/// A file of the user's own that is there while a test needs it, in a directory of its own.
package struct TemporaryFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The directory it stands in.
    package var directory: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// The file of an account that a program adds, beside this one.
    package func ofAccount(_ name: String) -> TemporaryFile {
        TemporaryFile(path: "\(directory)/accounts.d/\(name).toml")
    }

    /// Whether it is there.
    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    @discardableResult
    package static func with<Result>(
        _ text: String,
        named name: String = "config.toml",
        _ body: (TemporaryFile) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        // Mode 0700, as XDG_RUNTIME_DIR must have.
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = TemporaryFile(path: directory.appending(path: name).path)
        try file.write(text)
        return try await body(file)
    }

    package func read() throws -> String { String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self) }

    package func write(_ text: String) throws {
        let manager = FileManager.default
        if !manager.fileExists(atPath: path) {
            // Not writable by others, whatever the umask: the agent rejects such files.
            _ = manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Replaces the file at once, as editors do. While it is written in place, a reader may find it empty.
    package func replace(_ text: String) throws {
        let new = TemporaryFile(path: path + ".new")
        try new.write(text)
        guard rename(new.path, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
