import Basics

/// Who besides the user can read, change or replace a file.
struct FileAccess: Equatable, Sendable {
    /// A file or directory with its mode and its owner's user id.
    struct Entry: Equatable, Sendable {
        var path: String
        var mode: UInt32
        var owner: UInt32
    }

    var file: Entry
    /// The directory of the path, and the directory of the file itself if the path is a symbolic link.
    var directories: [Entry]
    /// The owner of `/`. Not 0 in a user namespace that has no id for root, as the agent's unit has one: there it owns
    /// the files of all other users (user_namespaces(7), "Unmapped user and group IDs").
    var rootOwner: UInt32 = 0
    /// Whether the file's group has no other member than the user: what it may write, only the user may. It is such a
    /// group that makes a umask of 0002 safe.
    var isGroupPrivate = false

    /// Why the file is not safe to use for the user with this id, and the remedy, in sentences; nil: it is safe.
    ///
    /// - Parameter isSecret: Whether other users must not be able to read the file.
    func refusal(for user: UInt32, isSecret: Bool) -> String? {
        let path = file.path.shellQuoted
        if file.owner != user, !isRoots {
            if rootOwner != 0, file.owner == rootOwner {
                return "It belongs to another user, who can change it, or to root: which of them is hidden from the "
                    + "agent's unit. Take ownership: sudo chown \(user) \(path)"
            }
            return "It belongs to the user with the id \(file.owner), who can change it. "
                + "Take ownership: sudo chown \(user) \(path)"
        }
        if let directory = directories.first(where: { $0.mode & 0o1002 == 0o002 }) {
            return
                "Other users can replace it: the mode of \(directory.path) is \(Self.octal(directory.mode)). "
                + "Restrict access: chmod o-w \(directory.path.shellQuoted)"
        }
        if isSecret, file.mode & 0o077 != 0 {
            return "Other users can read or change it: its mode is \(Self.octal(file.mode)). "
                + "Restrict access: chmod 600 \(path)"
        }
        if file.mode & (isGroupPrivate ? 0o002 : 0o022) != 0 {
            return
                "Other users can change it: its mode is \(Self.octal(file.mode)). Restrict access: chmod go-w \(path)"
        }
        return nil
    }

    /// Whether only root can have written the file. Where root's id is that of others, the place tells.
    private var isRoots: Bool {
        let isOfSystem = directories.map(\.path).allSatisfy { path in
            let parts = path.split(separator: "/")
            return path.hasPrefix("/") && ["etc", "usr"].contains(parts.first) && !parts.contains("..")
        }
        return file.owner == 0 || file.owner == rootOwner && isOfSystem
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
