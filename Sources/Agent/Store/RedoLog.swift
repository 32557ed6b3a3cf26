import Glibc
import Synchronization

/// A redo log: the statements that the state file lacks, in memory and in a file.
///
/// Recording a popup costs one write to this file, without a transaction and without waiting for another thread. The
/// statements survive the end of the process, but may not survive a power failure. The next process executes those in
/// the file; the result is the same if the state file has them already. The file exists only while it has statements.
final class RedoLog: Sendable {
    /// The file cannot be written.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let number: Int32

        var description: String { "Cannot write \"\(path)\": \(String(cString: strerror(number)))" }
    }

    /// A statement, and the values of each of its executions.
    struct Statement: Equatable, Sendable {
        var sql: String
        var rows: [[Database.Value]]
    }

    private struct State {
        /// The statements that the database lacks.
        var pending: [Statement] = []
        var file = File()
        /// Whether the last statements are only in memory.
        var hasFailed = false
    }

    fileprivate struct File {
        /// Nil while it is not open.
        var descriptor: Int32?
        /// In bytes.
        var size = 0
        /// The number of statements; nil: unknown.
        var count: Int? = 0
    }

    /// The number of statements that do not wait for more.
    private static let batchLimit = 200
    /// The number of statements that stay in memory although SQLite refuses them.
    private static let refusedLimit = 10_000
    /// In bytes: while nothing shortens the file, it must not fill the place of others.
    fileprivate static let sizeLimit = 16 << 20

    /// nil: there is no file.
    let path: String?
    private let state = Mutex(State())

    init(path: String?) { self.path = path }

    deinit { state.withLock { $0.file.close() } }

    /// The statements that the database lacks.
    var pending: [Statement] { state.withLock { $0.pending } }

    /// Whether the pending statements survive the end of the process, and are few: then they can be executed later.
    var canWait: Bool {
        path != nil && state.withLock { !$0.hasFailed && $0.pending.count < Self.batchLimit }
    }

    /// Adds statements, to the file all or none.
    ///
    /// - Parameter arePending: Whether the database lacks them; otherwise only the state file does.
    /// - Returns: Why they are not in the file, if the last ones were.
    @discardableResult
    func add(_ statements: [Statement], arePending: Bool = true) -> Failure? {
        state.withLock { state in
            if arePending { state.pending += statements }
            do throws(Failure) {
                if let path { try state.file.append(statements, at: path) }
                state.hasFailed = false
                return nil
            } catch {
                defer { state.hasFailed = true }
                return state.hasFailed ? nil : error
            }
        }
    }

    /// Begins with statements of earlier processes.
    ///
    /// - Returns: Whether the file has them.
    func begin(with statements: [Statement]) -> Bool {
        state.withLock { state in
            state.pending = statements + state.pending
            return (try? rewrite(&state)) != nil
        }
    }

    /// The database has the first `count` pending statements.
    ///
    /// - Parameter areInFile: Whether the state file has them. Those that only memory has stay in this file.
    func executed(_ count: Int, areInFile: Bool) {
        state.withLock { state in
            state.pending.removeFirst(count)
            // If that fails, the next process executes more than it needs to.
            if areInFile, state.file.count != state.pending.count { try? rewrite(&state) }
        }
    }

    /// SQLite has refused the pending statements: the newest ones stay.
    func refused() {
        state.withLock { $0.pending.removeFirst(max(0, $0.pending.count - Self.refusedLimit)) }
    }

    /// Makes the file contain the pending statements and no others, all or nothing.
    private func rewrite(_ state: inout State) throws(Failure) {
        guard let path else { return }
        state.file.count = nil
        var new = File()
        if state.pending.isEmpty {
            unlink(path)
        } else {
            let newPath = path + ".new"
            unlink(newPath)
            do throws(Failure) {
                try new.append(state.pending, at: newPath)
                guard rename(newPath, path) == 0 else { throw Failure(path: path, number: errno) }
            } catch {
                new.close()
                throw error
            }
        }
        state.file.close()
        state.file = new
    }

    /// Removes the file of another log.
    static func remove(_ path: String) { unlink(path) }

    /// The statements in a file, up to the first that is not complete.
    static func statements(at path: String) -> [Statement] {
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
        return TextList.decode(String(decoding: bytes, as: UTF8.self)).compactMap(Statement.init)
    }
}

extension RedoLog.File {
    /// Adds statements at the end, all or none.
    mutating func append(_ statements: [RedoLog.Statement], at path: String) throws(RedoLog.Failure) {
        let descriptor = try open(path)
        var entries = TextList(capacity: 2_048)
        for statement in statements { entries.append(statement.entry) }
        guard size + entries.utf8.count <= RedoLog.sizeLimit else { throw RedoLog.Failure(path: path, number: EFBIG) }
        let written = write(descriptor, entries.utf8, entries.utf8.count)
        guard written == entries.utf8.count else {
            let failure = RedoLog.Failure(path: path, number: written < 0 ? errno : ENOSPC)
            if written > 0 { ftruncate(descriptor, off_t(size)) }
            throw failure
        }
        size += written
        count? += statements.count
    }

    private mutating func open(_ path: String) throws(RedoLog.Failure) -> Int32 {
        if let descriptor { return descriptor }
        mkdir(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), 0o700)
        // Mode 0600: it contains what the popups do.
        let opened = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw RedoLog.Failure(path: path, number: errno) }
        (descriptor, size) = (opened, max(0, Int(lseek(opened, 0, SEEK_END))))
        return opened
    }

    mutating func close() {
        if let descriptor { Glibc.close(descriptor) }
        descriptor = nil
    }
}

/// An entry of the file is a ``TextList`` of the statement and, for each execution, a list of the values.
extension RedoLog.Statement {
    fileprivate var entry: TextList {
        var entry = TextList(capacity: 1_024)
        entry.append(sql)
        for row in rows {
            var values = TextList(capacity: 640)
            for value in row {
                switch value {
                case .integer(let number): values.append(number, after: "i")
                case .text(let text): values.append(text, after: "t")
                }
            }
            entry.append(values)
        }
        return entry
    }

    /// nil: it is not one of a file.
    fileprivate init?(entry: String) {
        let texts = TextList.decode(entry)
        guard let sql = texts.first else { return nil }
        self.init(sql: sql, rows: texts.dropFirst().map { TextList.decode($0).compactMap(Database.Value.init(entry:)) })
    }
}

extension Database.Value {
    fileprivate init?(entry: String) {
        // Not by characters: the text may begin with a combining one.
        let rest = Substring(entry.utf8.dropFirst())
        switch entry.utf8.first {
        case UInt8(ascii: "i"): self = .integer(Int64(rest) ?? 0)
        case UInt8(ascii: "t"): self = .text(String(rest))
        default: return nil
        }
    }
}
