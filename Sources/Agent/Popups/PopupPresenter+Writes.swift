import Basics
import Inbox
import Logging
import Store

/// What is written to disk: which notifications arrived and were shown, and the open popups.
extension PopupPresenter {
    /// How long a change waits for a popup that is written with it.
    private static let patience = Duration.seconds(1)

    /// Records on disk that notifications have arrived, together with the popup that is being shown, if there is one.
    /// For callers that run on the bus's executor, as `recorded` does.
    ///
    /// - Parameter recorded: Called afterwards, with the ids of those that no run has recorded before.
    nonisolated func record(_ arrivals: StateStore.Arrivals, _ recorded: @escaping @Sendable (Set<String>) -> Void) {
        assumeIsolated { presenter in
            let arrivals = PopupWrite.Arrivals(rows: arrivals, recorded: recorded)
            if presenter.callsUnderWay == 0 { return presenter.send(PopupWrite(arrivals: [arrivals])) }
            presenter.postponed.postpone(arrivals)
            presenter.limitPatience()
        }
    }

    func send(_ write: PopupWrite) {
        if let write = postponed.add(write) { writes.send(write) } else { limitPatience() }
    }

    private func limitPatience() {
        guard !isPatienceTimed else { return }
        isPatienceTimed = true
        patienceTimer.set(after: Self.patience)
    }

    func writePostponed() {
        if let write = postponed.flush() { writes.send(write) }
    }

    func patienceIsOver() {
        isPatienceTimed = false
        writePostponed()
    }

    func performWrites(_ respond: @escaping @Sendable (Response) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await write in writes.messages {
                if let isFull = write.isFull {
                    if isFull { logger.warning("popups wait: the notification server rejects more of them") }
                    await respond(.serverIsFull(isFull))
                }
                await keep(write)
                guard !write.responses.isEmpty else {
                    await end(write)
                    continue
                }
                group.addTask {
                    // The user's action is on disk before the popup is closed.
                    for response in write.responses { await respond(response) }
                    await self.end(write)
                }
            }
        }
        if let write = postponed.flush() { await keep(write) }
    }

    private func keep(_ write: PopupWrite) async {
        let new = await memory.keep(write.kept, write.arrivals.map(\.rows))
        write.isKept?.finish()
        for (arrivals, new) in zip(write.arrivals, new) { arrivals.recorded(new) }
    }

    private func end(_ write: PopupWrite) async {
        await memory.keep(write.ends)
        for case .close(let id) in write.ends {
            send(PopupCall(server: write.server, isKnown: true, method: .close(id)))
        }
        for call in write.calls { send(call) }
    }
}
