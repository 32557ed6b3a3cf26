/// Who besides this user may read a file, change it, or put another one in its place.
struct FileAccess: Equatable, Sendable {
    /// A file or directory with its permission bits and its owner's number.
    struct Entry: Equatable, Sendable {
        var path: String
        var mode: UInt32
        var owner: UInt32
    }

    var file: Entry
    /// The directories that lead to it: of its name, and, if that is a link, of the file itself.
    var directories: [Entry]

    /// Why the user with this number must not rely on the file, and what to do, in sentences; nil: nothing speaks against it.
    ///
    /// - Parameter isSecret: Others must not read it either.
    func refusal(for user: UInt32, isSecret: Bool) -> String? {
        let path = file.path.shellQuoted
        if file.owner != user, file.owner != 0 {
            return "It belongs to the user with the number \(file.owner), who may change it. "
                + "Make it yours: sudo chown \(user) \(path)"
        }
        if let directory = directories.first(where: { $0.mode & 0o1002 == 0o002 }) {
            return
                "Others may put another file in its place: the mode of \(directory.path) is \(Self.octal(directory.mode)). "
                + "Keep them from it: chmod o-w \(directory.path.shellQuoted)"
        }
        if isSecret, file.mode & 0o077 != 0 {
            return "Others may read or change it: its mode is \(Self.octal(file.mode)). "
                + "Keep it for yourself: chmod 600 \(path)"
        }
        if file.mode & 0o022 != 0 {
            return
                "Others may change it: its mode is \(Self.octal(file.mode)). Keep it for yourself: chmod go-w \(path)"
        }
        return nil
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
