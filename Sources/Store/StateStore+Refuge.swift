/// What happens while the file cannot be written: the disk is full or read-only, somebody else locks it, or it was taken away.
extension StateStore {
    /// How often it is tried whether the file can be written again.
    package static let interval = Duration.seconds(30)

    /// Writes what is kept in memory to the file as soon as that is possible, until the task is cancelled, and then once more.
    package func run(clock: any Clock<Duration>) async {
        for await _ in troubles {
            while refuge != nil, (try? await clock.sleep(for: Self.interval)) != nil { leaveRefuge() }
        }
        leaveRefuge()
    }

    /// - Returns: `false` if not even its contents can be read; nothing has changed then.
    func takeRefuge(from file: StateFile, because error: StoreError) -> Bool {
        guard copy(file) else { return false }
        tell("\"\(file.path)\" cannot be written: \(error).")
        return true
    }

    /// Does nothing where there is no need, or where the file still cannot be written.
    func leaveRefuge() {
        guard isReturning, let path else { return }
        if file?.isInPlace == false { abandonFile() }
        guard let refuge else { return }
        do {
            let file = try file ?? StateFile.open(path).file
            self.file = file
            try file.database.replace(by: refuge)
        } catch {
            return
        }
        self.refuge = nil
        report(.recovery("\"\(path)\" is written again. Nothing that waits for the service is missing."))
    }

    /// The file is not at its place any more. What it held can still be read, until its connection is closed.
    private func abandonFile() {
        guard let path else { return }
        if refuge == nil {
            guard let file, copy(file) else { return }
            tell("\"\(path)\" was taken away.")
        }
        self.file = nil
        do {
            guard let place = try StateFile.clear(path) else { return }
            report(.trouble("Another file was in the place of \"\(path)\". It is kept as \"\(place)\"."))
        } catch {
            report(.trouble("Another file is in the place of \"\(path)\": \(error)."))
        }
    }

    private func copy(_ file: StateFile) -> Bool {
        do throws(StoreError) {
            let copy = try Database(":memory:")
            try file.database.copy(to: copy)
            refuge = copy
            return true
        } catch {
            return false
        }
    }

    private func tell(_ sentence: String) {
        report(
            .trouble("\(sentence) What waits for the service is kept in memory until there is a file to write it to.")
        )
        trouble.yield()
    }
}
