/// The memory fallback, used while the file cannot be written: the disk is full or read-only, another process locks the
/// file, or the file was removed.
extension StateStore {
    /// The interval between attempts to write the file again.
    package static let interval = Duration.seconds(30)

    /// Writes the contents of the memory fallback to the file as soon as possible. Runs until the task is cancelled,
    /// and then makes a last attempt.
    package func run(clock: any Clock<Duration>) async {
        for await _ in writeFailures {
            while memoryFallback != nil, (try? await clock.sleep(for: Self.interval)) != nil { exitMemoryFallback() }
        }
        exitMemoryFallback()
    }

    /// Copies the file to memory and continues there.
    /// - Returns: `false` if the file cannot be read; then nothing has changed.
    func enterMemoryFallback(from file: StateFile, because error: StoreError) -> Bool {
        guard copy(file) else { return false }
        reportFallback("Cannot write \"\(file.path)\": \(error).")
        return true
    }

    /// Writes the contents of the memory fallback to the file. Does nothing if the fallback is not in use or the file
    /// still cannot be written.
    func exitMemoryFallback() {
        guard hasFullCopy, let path else { return }
        if file?.isInPlace == false { abandonFile() }
        guard let memoryFallback else { return }
        do {
            let file = try file ?? StateFile.open(path).file
            self.file = file
            try file.database.replace(by: memoryFallback)
        } catch {
            return
        }
        self.memoryFallback = nil
        report(.recovery("\"\(path)\" can be written again. No pending change was lost."))
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
        report(
            .problem("\(sentence) Pending changes are kept in memory until the file can be written.")
        )
        writeFailureInput.yield()
    }
}
