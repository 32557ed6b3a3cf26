import FoundationEssentials
import Glibc

/// The state file and the connection to it.
struct StateFile {
    let path: String
    let database: Database
    /// Identifies the file, to detect that another one has replaced it.
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

    /// Whether the file is still at its path. A removed file can still be written, but the data is lost.
    var isInPlace: Bool { identity == Self.identity(of: path) }

    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }

    /// Opens the file, or creates it with its directory. An unusable file is moved aside.
    ///
    /// - Returns: The file, and a sentence for the log if an unusable file was moved aside.
    static func open(_ path: String) throws -> (file: StateFile, notice: String?) {
        try makeDirectory(of: path)
        switch try inspect(path) {
        case .usable(let database): return (StateFile(path, database), nil)
        case .unusable(let why):
            let place = try setAside(path)
            guard case .usable(let database) = try inspect(path) else { throw StoreError.unusable }
            let notice = "\"\(path)\" \(why). It was moved to \"\(place)\", and a new file was created."
            return (StateFile(path, database), notice)
        }
    }

    private enum OpenResult {
        case usable(Database)
        /// The problem, as the end of a sentence.
        case unusable(String)
    }

    private static func inspect(_ path: String) throws(StoreError) -> OpenResult {
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
        let description = "its directory does not exist and cannot be created"
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

    /// Mode 0600: the contents are private to the user.
    private static func makeFile(_ path: String) {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }

    /// - Returns: The file's new path.
    private static func setAside(_ path: String) throws -> String {
        let place =
            (1...).lazy.map { "\(path).aside-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) } ?? path
        for part in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
            try FileManager.default.moveItem(atPath: path + part, toPath: place + part)
        }
        makeFile(path)
        return place
    }

    /// Clears the path of a file that was removed, so that its WAL is not used with a new file.
    ///
    /// - Returns: The new path of the file that had replaced it; nil if there was none.
    static func clear(_ path: String) throws -> String? {
        if FileManager.default.fileExists(atPath: path) { return try setAside(path) }
        for part in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
            try FileManager.default.removeItem(atPath: path + part)
        }
        return nil
    }
}
