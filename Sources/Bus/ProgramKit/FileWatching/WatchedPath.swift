import FoundationEssentials
import Glibc

/// The names to watch, by directory, so that each change of the file at a path is noticed.
///
/// The names are the file's own, those of the symbolic links on the way, and the first missing one. A directory on the
/// way that is no symbolic link is not watched in its parent: in directories such as the user's home, other programs
/// create and rename files all the time.
package struct WatchedPath: Equatable, Sendable {
    /// The kind of file at a path.
    package enum Entry: Equatable, Sendable {
        case missing
        /// A symbolic link with this target.
        case link(String)
        /// A file or a directory.
        case other
    }

    /// The names by directory.
    package private(set) var names: [String: Set<String>] = [:]
    /// The directories of which every name is watched.
    package private(set) var wholeDirectories: Set<String> = []

    /// The kernel's limit of symbolic links (path_resolution(7)).
    private static let maximumLinks = 40

    /// Nothing.
    package init() {}

    /// - Parameters:
    ///   - path: An absolute path.
    ///   - isDirectory: Whether every file in the directory at the path is watched, too.
    ///   - entry: Returns the kind of file at a path, without following a symbolic link there.
    package init(_ path: String, isDirectory: Bool = false, entry: (String) -> Entry = Entry.init(at:)) {
        var directory = ""
        var rest = Self.names(path)
        var links = 0
        while let name = rest.popLast() {
            if name == ".." {
                directory = String(directory.prefix(upTo: directory.lastIndex(of: "/") ?? directory.startIndex))
                continue
            }
            let place = directory + "/" + name
            switch entry(place) {
            case .missing:
                watch(name, in: directory)
                return
            case .link(let target):
                watch(name, in: directory)
                links += 1
                guard links <= Self.maximumLinks else { return }
                if target.hasPrefix("/") { directory = "" }
                rest += Self.names(target)
            case .other:
                if rest.isEmpty { watch(name, in: directory) }
                directory = place
            }
        }
        guard isDirectory else { return }
        names[directory, default: []].formUnion([])
        wholeDirectories.insert(directory)
    }

    /// Watches the names of another path, too.
    package mutating func formUnion(_ other: WatchedPath) {
        names.merge(other.names) { $0.union($1) }
        wholeDirectories.formUnion(other.wholeDirectories)
    }

    /// Whether a change of this name in a directory concerns the path.
    package func concerns(_ name: String, in directory: String) -> Bool {
        wholeDirectories.contains(directory) || names[directory]?.contains(name) ?? false
    }

    private mutating func watch(_ name: String, in directory: String) {
        names[directory.isEmpty ? "/" : directory, default: []].insert(name)
    }

    /// The names of a path, the last one first.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init).filter { $0 != "." }
    }
}

extension WatchedPath.Entry {
    /// Looks up the kind of file at a path.
    package init(at path: String) {
        var status = stat()
        if lstat(path, &status) != 0 {
            self = .missing
        } else if status.st_mode & S_IFMT == S_IFLNK,
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        {
            self = .link(target)
        } else {
            self = .other
        }
    }
}
