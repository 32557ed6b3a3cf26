import Basics
import ClientKit
public import FoundationEssentials

/// Keeps each text in a file of a directory, readable by this user only. Files are replaced atomically.
///
/// Two processes must not share a directory.
public actor FileStorage: SuprSendStorage {
    private let directory: URL

    /// Creates a storage in `directory`, which is created at the first write.
    public init(directory: URL) { self.directory = directory }

    /// The text for `key`; nil: none. Throws errors of the file system.
    public func value(forKey key: String) throws -> String? {
        let file = file(key)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Stores `value` for `key`; nil: removes it. Throws errors of the file system; the old text then remains.
    public func setValue(_ value: String?, forKey key: String) throws {
        let file = file(key)
        guard let value else {
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            return
        }
        // Only the owner may enter the directory, so a new file is private before its permissions are set.
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(value.utf8).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// The file for a key, percent-encoded: a key cannot be a path.
    private func file(_ key: String) -> URL { directory.appending(path: "suprsend-" + key.percentEncoded) }
}
