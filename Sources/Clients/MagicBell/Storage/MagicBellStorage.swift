public import ClientKit
public import FoundationEssentials

/// Persistent storage for a few texts. The app provides it: ``FileStorage``, or its own database.
///
/// The library logs a failure and continues without the text.
public protocol MagicBellStorage: TextStorage {}

extension MemoryStorage: MagicBellStorage {}

/// Keeps each text in a file of a directory, readable by this user only. Files are replaced atomically, and a change
/// survives a power failure once it has returned.
///
/// Two processes must not share a directory.
public actor FileStorage: MagicBellStorage {
    private let files: TextFiles

    /// Creates a storage in `directory`, which is created at the first write.
    public init(directory: URL) { files = TextFiles(in: directory, prefix: "magicbell-") }

    /// The text for `key`; nil: none. Throws errors of the file system.
    public func value(forKey key: String) throws -> String? { try files.value(forKey: key) }

    /// Stores `value` for `key`; nil: removes it. Throws errors of the file system; the old text then remains.
    public func setValue(_ value: String?, forKey key: String) throws { try files.setValue(value, forKey: key) }
}
