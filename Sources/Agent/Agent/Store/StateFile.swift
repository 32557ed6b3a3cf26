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

    init(_ path: String, _ database: Database) {
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
    /// - Returns: The file, and what to report of one that was moved aside.
    static func open(_ path: String) throws -> (file: StateFile, notice: StateStore.Notice?) {
        try makeDirectory(of: path)
        var (database, problem) = try connect(path)
        var notice: StateStore.Notice?
        if let why = problem {
            let place = try setAside(path)
            (database, problem) = try connect(path)
            notice = .problem("\"\(path)\" \(why). It was moved to \"\(place)\", and a new file was created.")
        }
        guard let database, problem == nil else { throw StoreError.unusable }
        return (StateFile(path, database), notice)
    }

    /// - Returns: The database, or the problem as the end of a sentence.
    private static func connect(_ path: String) throws(StoreError) -> (Database?, problem: String?) {
        do throws(StoreError) {
            let database = try Database(file: path)
            try database.check()
            switch try Schema.prepare(database) {
            case Schema.version: return (database, nil)
            case let found where found < 0: throw .damage("there is no version \(found)")
            case let found:
                let age = found > Schema.version ? "a later" : "an earlier"
                return (nil, "was written by \(age) version of Feedbell")
            }
        } catch {
            guard error.isDamage else { throw error }
            return (nil, "is damaged (\(error.reason))")
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

    /// The path for a file that is moved aside; nil: there is none left.
    static func freePath(beside path: String) -> String? {
        (1...).lazy.map { "\(path).aside-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) }
    }

    /// - Returns: The file's new path.
    private static func setAside(_ path: String) throws -> String {
        let place = freePath(beside: path) ?? path
        for part in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
            try FileManager.default.moveItem(atPath: path + part, toPath: place + part)
        }
        makeFile(path)
        return place
    }

    /// Removes a file that is not needed.
    static func remove(_ path: String) { for part in ["", "-wal", "-shm", "-journal"] { unlink(path + part) } }

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
