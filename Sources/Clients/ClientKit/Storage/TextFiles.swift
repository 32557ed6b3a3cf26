import Basics
package import FoundationEssentials

/// Texts in files of a directory, readable by this user only. Files are replaced atomically, and changes are durable.
package struct TextFiles: Sendable {
    private let directory: URL
    private let prefix: String

    /// - Parameters:
    ///   - directory: It is created at the first write.
    ///   - prefix: Begins the name of every file.
    package init(in directory: URL, prefix: String) {
        self.directory = directory
        self.prefix = prefix
    }

    /// The text for `key`; nil: none. Throws errors of the file system.
    package func value(forKey key: String) throws -> String? {
        let file = file(key)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// Stores `value` for `key`; nil: removes it. Throws errors of the file system; the old text then remains.
    package func setValue(_ value: String?, forKey key: String) throws {
        let file = DurableFile(file(key).path)
        guard let value else { return try file.remove() }
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try file.replace(with: Array(value.utf8))
    }

    /// The file for a key, percent-encoded: a key cannot be a path.
    private func file(_ key: String) -> URL { directory.appending(path: prefix + key.percentEncoded) }
}

/// A short key for what belongs to an owner, in 16 hexadecimal digits at most: the texts that name an owner may be
/// longer than the name of a file. FNV-1a, the same in every run.
package func ownerKey(_ owner: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in owner {
        // A separator that no text in UTF-8 contains.
        for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return String(hash, radix: 16)
}
