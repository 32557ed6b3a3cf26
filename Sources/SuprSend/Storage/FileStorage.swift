import ClientKit
public import FoundationEssentials

/// Keeps each text in a file of a directory, readable by this user alone. A file is replaced as a whole, never half.
///
/// Two processes must not share a directory.
public actor FileStorage: SuprSendStorage {
    private let directory: URL

    /// A storage in `directory`, which is made when it is first written to.
    public init(directory: URL) { self.directory = directory }

    /// The text kept under `key`; nil: none. Throws what the file system says.
    public func value(forKey key: String) throws -> String? {
        let file = file(key)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Keeps `value` under `key`. Throws what the file system says; the old text is then still there.
    public func setValue(_ value: String?, forKey key: String) throws {
        let file = file(key)
        guard let value else {
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            return
        }
        // Nobody else may enter, so nobody else sees a file before it has its own permissions.
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(value.utf8).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// The encoding keeps a key from being a path.
    private func file(_ key: String) -> URL { directory.appending(path: "suprsend-" + key.percentEncoded) }
}
