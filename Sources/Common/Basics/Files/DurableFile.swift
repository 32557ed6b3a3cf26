#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A small file of this user alone, which is replaced as a whole: a reader sees the old or the new content, also after
/// a crash or a power failure.
package struct DurableFile: Sendable {
    /// A system call failed.
    package struct Failure: Error, CustomStringConvertible {
        /// The path of the file.
        package let path: String
        /// An errno(3).
        package let number: Int32

        /// The reason in the words of strerror(3).
        package var reason: String { String(cString: strerror(number)) }

        package var description: String { "Cannot write \(path): \(reason)." }
    }

    private let path: String
    private let directory: String
    private let name: Substring

    /// - Parameter path: Of the file; if that is a link, the link is replaced.
    package init(_ path: String) {
        self.path = path
        let slash = path.lastIndex(of: "/")
        directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { path[$0...].dropFirst() } ?? path[...]
    }

    /// Replaces the content, or creates the file with mode 0600; its directory must exist. The change survives a power
    /// failure once this returns. If it throws, the old content is there.
    package func replace(with content: [UInt8]) throws(Failure) {
        // Mode 0600, before anything is in it.
        var template = Array("\(directory)/.\(name).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure }
        var isKept = false
        defer {
            close(descriptor)
            if !isKept { unlink(template) }
        }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw failure }
            rest = rest.dropFirst(max(0, count))
        }
        guard fsync(descriptor) == 0, rename(template, path) == 0 else { throw failure }
        isKept = true
        synchronizeDirectory()
    }

    /// Removes the file, if there is one; it stays removed after a power failure once this returns.
    package func remove() throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure }
        synchronizeDirectory()
    }

    /// Makes a change of the directory durable.
    private func synchronizeDirectory() {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private var failure: Failure { Failure(path: path, number: errno) }
}
