import FoundationEssentials
import Glibc

/// The file at its place, and the connection to it.
struct StateFile {
    let path: String
    let database: Database
    /// Tells this file from another one that comes to its place.
    private let identity: Identity?

    private struct Identity: Equatable {
        var device: UInt
        var number: UInt
    }

    private init(_ path: String, _ database: Database) {
        self.path = path
        self.database = database
        identity = Self.identity(of: path)
    }

    /// Whether the file is still where it was opened: one that was removed can be written, too, but in vain.
    var isInPlace: Bool { identity == Self.identity(of: path) }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }

    /// Opens the file, or makes it with its directory. One that cannot be used is set aside.
    ///
    /// - Returns: the file, and a sentence for the log if another one was set aside.
    static func open(_ path: String) throws -> (file: StateFile, notice: String?) {
        try makeDirectory(of: path)
        switch try examine(path) {
        case .usable(let database): return (StateFile(path, database), nil)
        case .unusable(let why):
            let place = try setAside(path)
            guard case .usable(let database) = try examine(path) else { throw StoreError.useless }
            let notice = "\"\(path)\" \(why). It is kept as \"\(place)\", and a new file is begun."
            return (StateFile(path, database), notice)
        }
    }

    private enum Verdict {
        case usable(Database)
        /// What is wrong, as the end of a sentence.
        case unusable(String)
    }

    private static func examine(_ path: String) throws(StoreError) -> Verdict {
        do throws(StoreError) {
            let database = try Database(path)
            try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -256")
            let check = try database.query("PRAGMA quick_check(1)").first?.first?.text ?? ""
            guard check == "ok" else { return .unusable("is damaged (\(check))") }
            return try Schema.migrate(database)
                ? .usable(database) : .unusable("was written by a later version of Feedbell")
        } catch {
            if error.isDamage { return .unusable("is damaged (\(error.reason))") }
            throw error
        }
    }

    private struct NoDirectory: Error, CustomStringConvertible {
        let description = "its directory is not there and cannot be made"
    }

    static func makeDirectory(of path: String) throws {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw NoDirectory()
        }
        if !FileManager.default.fileExists(atPath: path) { makeFile(path) }
    }

    /// What it holds says what a person reads: nobody else's business.
    private static func makeFile(_ path: String) {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }

    /// - Returns: The file's new name.
    private static func setAside(_ path: String) throws -> String {
        let place =
            (1...).lazy.map { "\(path).aside-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) } ?? path
        for part in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
            try FileManager.default.moveItem(atPath: path + part, toPath: place + part)
        }
        makeFile(path)
        return place
    }

    /// Clears the place of a file that was taken away, so that nothing of it mixes with a new one.
    ///
    /// - Returns: Where the file is now that was there instead; nil: there was none.
    static func clear(_ path: String) throws -> String? {
        if FileManager.default.fileExists(atPath: path) { return try setAside(path) }
        for part in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
            try FileManager.default.removeItem(atPath: path + part)
        }
        return nil
    }
}
