import Glibc

/// A journal cannot be written.
package struct JournalFailure: Error, CustomStringConvertible {
    let path: String
    let number: Int32

    package var description: String { "Cannot write \"\(path)\": \(String(cString: strerror(number)))" }
}

/// A file of entries that only grows: adding some costs one write. They survive the end of the process, but perhaps not
/// a power failure. The file has the form of ``TextList``, and is there only while it has entries.
final class JournalFile {
    /// In bytes: more is not written, so that the file does not fill the place of others while nothing shortens it.
    static let limit = 16 << 20

    let path: String
    /// Nil while the file is not open.
    private var descriptor: Int32?
    /// The number of bytes in the file, once something was added. It grows until ``remove()``, so that it tells whether
    /// something was added.
    private(set) var size = 0

    init(path: String) { self.path = path }

    deinit { closeFile() }

    /// Adds entries at the end, all or none.
    func append(_ entries: TextList) throws(JournalFailure) {
        let descriptor = try openFile()
        guard size + entries.utf8.count <= Self.limit else { throw JournalFailure(path: path, number: EFBIG) }
        let written = write(descriptor, entries.utf8, entries.utf8.count)
        guard written == entries.utf8.count else {
            let failure = JournalFailure(path: path, number: written < 0 ? errno : ENOSPC)
            if written > 0 { ftruncate(descriptor, off_t(size)) }
            throw failure
        }
        size += written
    }

    /// Replaces what the file contains, all or nothing.
    func replace(with entries: TextList) throws(JournalFailure) {
        let new = JournalFile(path: path + ".new")
        unlink(new.path)
        try new.append(entries)
        guard rename(new.path, path) == 0 else { throw JournalFailure(path: path, number: errno) }
        closeFile()
        (descriptor, size) = (new.descriptor, new.size)
        new.descriptor = nil
    }

    /// Removes the file.
    func remove() {
        closeFile()
        unlink(path)
    }

    private func openFile() throws(JournalFailure) -> Int32 {
        if let descriptor { return descriptor }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        mkdir(directory, 0o700)
        // Mode 0600: it contains what the popups do.
        let opened = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw JournalFailure(path: path, number: errno) }
        // Entries of an earlier process, which the database still lacks.
        size = max(0, lseek(opened, 0, SEEK_END))
        descriptor = opened
        return opened
    }

    private func closeFile() {
        if let descriptor { close(descriptor) }
        (descriptor, size) = (nil, 0)
    }

    /// The entries in a file, up to the first that is not complete.
    static func entries(at path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return TextList.decode(String(decoding: bytes, as: UTF8.self))
    }
}
