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
    /// - Returns: The file, and what to report of files that were moved aside.
    static func open(_ path: String) throws -> (file: StateFile, notices: [StateStore.Notice]) {
        try makeDirectory(of: path)
        switch try inspect(path) {
        case .usable(let database, let notices): return (StateFile(path, database), notices)
        case .unusable(let why, let consequence):
            let place = try setAside(path)
            guard case .usable(let database, _) = try inspect(path) else { throw StoreError.unusable }
            let notice = "\"\(path)\" \(why). It was moved to \"\(place)\", and a new file was created.\(consequence)"
            return (StateFile(path, database), [.problem(notice)])
        }
    }

    private enum OpenResult {
        case usable(Database, [StateStore.Notice])
        /// The problem as the end of a sentence, and a further sentence after a space, or nothing.
        case unusable(String, consequence: String = "")
    }

    private static func inspect(_ path: String) throws(StoreError) -> OpenResult {
        do throws(StoreError) {
            let database = try Database(file: path)
            try database.check()
            var (places, notices): ([String], [StateStore.Notice]) = ([], [])
            let isMigrated = try Schema.migrate(database) { (before) throws(StoreError) in
                (places, notices) = try QuarantinedFiles.takeOver(beside: path, since: before, into: database)
            }
            QuarantinedFiles.clear(places)
            guard isMigrated else {
                let consequence = " Its pending changes are taken over when that version runs again."
                return .unusable("was written by a later version of Feedbell", consequence: consequence)
            }
            return .usable(database, notices)
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
        let place = QuarantinedFiles.freePath(beside: path) ?? path
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
