import Glibc
import Synchronization

/// A redo log: the statements that the state file lacks, in memory and in a file.
///
/// Recording a popup costs one write to this file, without a transaction and without waiting for another thread. The
/// statements survive the end of the process, but may not survive a power failure. The next process executes those in
/// the file; the result is the same if the state file has them already. The file exists only while it has statements.
///
/// The file begins with the generation of the database that lacks its statements: once another process has used the
/// database, such as one on another computer with the same home directory, the file is outdated.
final class RedoLog: Sendable {
    /// The file cannot be used.
    struct Failure: Error, CustomStringConvertible {
        enum Reason: Equatable {
            /// An errno(3).
            case system(Int32)
            /// Other users can change it; the reason as a clause.
            case unsafe(String)
        }

        let path: String
        let reason: Reason

        init(path: String, _ reason: Reason) {
            self.path = path
            self.reason = reason
        }

        var description: String {
            let reason =
                switch reason {
                case .system(let number): String(cString: strerror(number))
                case .unsafe(let clause): clause
                }
            return "Cannot use \"\(path)\": \(reason)"
        }
    }

    /// What a file contains.
    struct Contents: Equatable {
        /// See ``RedoLog``; empty: unknown.
        var generation = ""
        var statements: [Statement] = []
        /// The number of statements that this version does not know.
        var unknown = 0
    }

    private struct State {
        /// The statements that the database lacks.
        var pending: [Statement] = []
        var file = File()
        /// Whether the last statements are only in memory.
        var hasFailed = false
        /// See ``RedoLog``; empty: unknown.
        var generation = ""
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
    /// Begins the first entry of a file, before the generation.
    fileprivate static let format = "feedbell redo 2 "
    /// Ends the name of a file that is not complete yet.
    private static let newEnding = ".new"

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
                if let path {
                    if state.file.descriptor == nil {
                        try state.file.open(RedoDirectory(of: path, creates: true))
                    }
                    try state.file.append(statements, of: state.generation, at: path)
                }
                state.hasFailed = false
                return nil
            } catch {
                defer { state.hasFailed = true }
                return state.hasFailed ? nil : error
            }
        }
    }

    /// Starts with statements of earlier processes.
    ///
    /// - Parameter generation: Of the database that lacks them, and all further ones.
    /// - Returns: Whether the file has them.
    @discardableResult
    func start(with statements: [Statement], of generation: String) -> Bool {
        state.withLock { state in
            state.pending = statements + state.pending
            state.generation = generation
            return (try? rewrite(&state)) != nil
        }
    }

    /// Whether there is nothing that the state file lacks.
    var isEmpty: Bool { state.withLock { $0.pending.isEmpty && $0.file.count == 0 } }

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
            Self.remove(path)
        } else {
            let directory = try RedoDirectory(of: path, creates: true)
            directory.remove(Self.newEnding)
            do throws(Failure) {
                try new.open(directory, Self.newEnding)
                try new.append(state.pending, of: state.generation, at: path)
                try directory.rename(Self.newEnding)
            } catch {
                new.close()
                throw error
            }
        }
        state.file.close()
        state.file = new
    }

    /// Removes the file of a log, if it is in a directory of this user.
    static func remove(_ path: String) {
        guard let directory = try? RedoDirectory(of: path, creates: false) else { return }
        directory.remove()
    }

    /// The contents of a file, up to the first statement that is not complete; without a file nothing.
    ///
    /// - Throws: ``Failure`` if another user may have written it.
    static func contents(at path: String) throws(Failure) -> Contents {
        let descriptor: Int32
        do throws(Failure) {
            descriptor = try RedoDirectory(of: path, creates: false).open(O_RDONLY)
        } catch {
            if case .system = error.reason { return Contents() }
            throw error
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < sizeLimit {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        let entries = TextList.decode(String(decoding: bytes, as: UTF8.self))
        guard let first = entries.first, first.hasPrefix(format) else { return Contents(unknown: entries.count) }
        let statements = entries.dropFirst().compactMap(Statement.init)
        return Contents(
            generation: String(first.dropFirst(format.count)),
            statements: statements,
            unknown: entries.count - 1 - statements.count
        )
    }
}

extension RedoLog.File {
    /// Adds statements at the end, all or none.
    mutating func append(
        _ statements: [RedoLog.Statement],
        of generation: String,
        at path: String
    ) throws(RedoLog.Failure) {
        guard let descriptor else { return }
        var entries = TextList(capacity: 2_048)
        if size == 0 { entries.append(RedoLog.format + generation) }
        for statement in statements { entries.append(statement.entry) }
        guard size + entries.utf8.count <= RedoLog.sizeLimit else {
            throw RedoLog.Failure(path: path, .system(EFBIG))
        }
        let written = write(descriptor, entries.utf8, entries.utf8.count)
        guard written == entries.utf8.count else {
            let failure = RedoLog.Failure(path: path, .system(written < 0 ? errno : ENOSPC))
            if written > 0 { ftruncate(descriptor, off_t(size)) }
            throw failure
        }
        size += written
        count? += statements.count
    }

    mutating func open(_ directory: RedoDirectory, _ ending: String = "") throws(RedoLog.Failure) {
        let opened = try directory.open(O_WRONLY | O_APPEND | O_CREAT, ending: ending)
        (descriptor, size) = (opened, max(0, Int(lseek(opened, 0, SEEK_END))))
    }

    mutating func close() {
        if let descriptor { Glibc.close(descriptor) }
        descriptor = nil
    }
}
