import Basics
import Inbox
import Logging
import Store

/// What is recorded, and what takes time.
extension PopupPresenter {
    /// How long records wait for others that are written to the database with them.
    private static let saveDelay = Duration.seconds(1)

    /// Records that notifications have arrived. For callers that run on the bus's executor.
    ///
    /// - Returns: The ids of those that no run has recorded before.
    nonisolated func record(_ arrivals: StateStore.Arrivals) -> Set<String> {
        assumeIsolated { presenter in presenter.recording { $0.add(arrivals) } }
    }

    func record(_ effects: [Popups.Effect]) {
        let changes = effects.compactMap(StateStore.PopupChange.init)
        if !changes.isEmpty { recording { $0.add(changes) } }
    }

    private func recording<Result>(_ add: (inout PopupRecords) -> Result) -> Result {
        let hadFailed = records.failure != nil
        let result = add(&records)
        if let failure = records.failure, !hadFailed {
            logger.error("cannot record at once what was shown", metadata: ["reason": "\(failure)"])
        }
        scheduleSave()
        return result
    }

    private func scheduleSave() {
        guard !records.isEmpty, !isSaving else { return }
        if !records.canWait {
            work.send(.save(nil))
        } else if !willSave {
            willSave = true
            work.send(.saveLater)
        }
    }

    private func saveLater() async {
        try? await environment.clock.sleep(for: Self.saveDelay)
        willSave = false
        work.send(.save(nil))
    }

    /// Continues with what previous runs have recorded of an owner's notifications, and returns the delivery marks.
    func resume(_ owner: String) async -> DeliveryMarks {
        await saved()
        if let arrivals = await memory.arrivals(of: owner) { records.restore(arrivals) }
        return await memory.marks(of: owner)
    }

    /// Returns when the database has everything that was recorded.
    func saved() async {
        guard isSaving || !records.isEmpty else { return }
        let completion = Completion()
        work.send(.save(completion))
        await completion.wait()
    }

    /// Writes to the database what it lacks.
    func save() async {
        let batch = records.take()
        guard !batch.changes.isEmpty else { return }
        isSaving = true
        let isInFile = await memory.keep(batch.changes)
        isSaving = false
        records.finish(batch, isInFile: isInFile)
        scheduleSave()
    }

    func performWork(_ respond: @escaping @Sendable (Response) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await work in work.messages {
                switch work {
                case .reportFull(let isFull):
                    if isFull { logger.warning("popups wait: the notification server rejects more of them") }
                    await respond(.serverIsFull(isFull))
                case .perform(let responses, let ends, let server):
                    group.addTask {
                        // The user's action is on disk before the popup is closed.
                        for response in responses { await respond(response) }
                        await self.end(ends, at: server)
                        await self.responded()
                    }
                case .save(let completion):
                    await save()
                    completion?.finish()
                case .saveLater: group.addTask { await self.saveLater() }
                }
            }
        }
    }

    /// Forgets and closes popups.
    func end(_ ends: [Popups.Effect], at server: String) {
        record(ends)
        for case .close(let id) in ends { send(PopupCall(server: server, isKnown: true, method: .close(id))) }
    }
}
