import Basics

/// The database of the state: the file, or memory while the file cannot be written (the disk is full or read-only,
/// another process locks the file, or the file was removed). Used by one task at a time. The file is opened at the
/// first access.
final class StateDatabase {
    /// The kind of a database: its tables, and the sentences about problems with its file.
    struct Form: Sendable {
        /// Opens the file, or creates it, and says what to report.
        let open: @Sendable (String) throws -> (file: StateFile, notice: StateStore.Notice?)
        /// Creates the tables.
        let create: @Sendable (Database) throws(StoreError) -> Void
        /// A sentence: what follows from a file that cannot be opened.
        let noFile: String
        /// A sentence: what follows from one that cannot be written.
        let inMemory: String
        /// The end of a sentence: it can be written again.
        let isBack: String
    }

    /// nil: in memory only.
    private let path: String?
    private let form: Form
    /// Whether the file is used, if there is a path.
    private var keepsFile = true
    let report: @Sendable (StateStore.Notice) -> Void

    private var isOpened = false
    /// nil while there is no usable file.
    private(set) var file: StateFile?
    /// The memory fallback: the contents of the file and the changes since; nil while the file can be written.
    private var memoryFallback: Database?
    /// Whether the memory fallback contains everything from the file, so that it may be written back.
    private var hasFullCopy = false
    /// Whether a problem with the file was reported.
    private var hasProblem = false
    /// A message for each begin of the memory fallback.
    let writeFailures = Mailbox<Void>(.bufferingNewest(1))

    init(path: String?, of form: Form = .state, report: @escaping @Sendable (StateStore.Notice) -> Void) {
        (self.path, self.form) = (path, form)
        self.report = report
    }

    /// The current database; nil if there is not even memory for it.
    var current: Database? {
        if !isOpened { open() }
        return memoryFallback ?? file?.database
    }

    /// Whether the memory fallback is in use.
    var isInMemory: Bool { memoryFallback != nil }

    /// Whether the last write is in the file.
    var isInFile: Bool { file != nil && memoryFallback == nil }

    private func open() {
        isOpened = true
        guard let path, keepsFile else { return memoryFallback = inMemory() }
        do {
            let opened = try form.open(path)
            file = opened.file
            opened.file.database.stopWaitingForLocks()
            hasFullCopy = true
            if let notice = opened.notice { report(notice) }
        } catch {
            memoryFallback = inMemory()
            hasProblem = true
            report(.problem("Cannot use \"\(path)\": \(error). \(form.noFile)"))
        }
    }

    private func inMemory() -> Database? {
        guard let database = try? Database(":memory:"), (try? form.create(database)) != nil else { return nil }
        return database
    }

    /// Uses the file, or removes it and continues in memory.
    func keepInFile(_ keepsFile: Bool) {
        guard keepsFile != self.keepsFile else { return }
        self.keepsFile = keepsFile
        if keepsFile {
            hasFullCopy = true
            if isOpened { exitMemoryFallback() }
        } else {
            if memoryFallback == nil, let file { _ = copy(file) }
            file = nil
        }
    }

    /// Removes a file that is not used.
    func removeUnusedFile() { if let path, !keepsFile { StateFile.remove(path) } }

    /// Changes the database in one transaction.
    ///
    /// - Parameter isDurable: Whether to sync to disk before returning, so that the changes survive a power failure.
    ///   For actions of the user, which are rare.
    func write(durably isDurable: Bool, _ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        guard let database = current else { return }
        if memoryFallback != nil || file?.isInPlace == false { exitMemoryFallback() }
        do throws(StoreError) {
            try (current ?? database).write(durably: isDurable, body)
        } catch {
            guard error.isObstacle, memoryFallback == nil, let file, enterMemoryFallback(from: file, because: error),
                let memoryFallback
            else { throw error }
            try memoryFallback.write(durably: false, body)
        }
    }

    // MARK: The memory fallback

    /// Copies the file to memory and continues there.
    /// - Returns: `false` if the file cannot be read; then nothing has changed.
    private func enterMemoryFallback(from file: StateFile, because error: StoreError) -> Bool {
        guard copy(file) else { return false }
        reportFallback("Cannot write \"\(file.path)\": \(error).")
        return true
    }

    /// Writes the contents of the memory fallback to the file. Does nothing if the fallback is not in use or the file
    /// still cannot be written.
    func exitMemoryFallback() {
        guard hasFullCopy, keepsFile, let path else { return }
        if file?.isInPlace == false { abandonFile() }
        guard let memoryFallback else { return }
        do {
            let file = try file ?? form.open(path).file
            self.file = file
            file.database.stopWaitingForLocks()
            try file.database.replace(by: memoryFallback)
        } catch {
            return
        }
        self.memoryFallback = nil
        if hasProblem { report(.recovery("\"\(path)\" \(form.isBack)")) }
        hasProblem = false
    }

    /// Handles a file that was removed or replaced. Its contents can be read until its connection is closed.
    private func abandonFile() {
        guard let path else { return }
        if memoryFallback == nil {
            guard let file, copy(file) else { return }
            reportFallback("\"\(path)\" was removed.")
        }
        self.file = nil
        do {
            guard let place = try StateFile.clear(path) else { return }
            report(.problem("Another file had replaced \"\(path)\". It was moved to \"\(place)\"."))
        } catch {
            report(.problem("Another file has replaced \"\(path)\" and cannot be moved: \(error)."))
        }
    }

    private func copy(_ file: StateFile) -> Bool {
        do throws(StoreError) {
            let copy = try Database(":memory:")
            try file.database.copy(to: copy)
            memoryFallback = copy
            return true
        } catch {
            return false
        }
    }

    private func reportFallback(_ sentence: String) {
        hasProblem = true
        report(.problem("\(sentence) \(form.inMemory)"))
        writeFailures.send()
    }
}

extension StateDatabase.Form {
    /// The state file.
    static let state = StateDatabase.Form(
        open: { path throws in try StateFile.open(path) },
        create: { (database) throws(StoreError) in _ = try Schema.prepare(database) },
        noFile: "Pending changes and the record of shown notifications are kept in memory, and for the next start only "
            + "in $XDG_RUNTIME_DIR.",
        inMemory: "Pending changes are kept in memory until the file can be written.",
        isBack: "can be written again. No pending change was lost."
    )
}
