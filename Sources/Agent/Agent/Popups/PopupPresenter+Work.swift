import Basics
import Inbox
import Logging
import Store

/// Records, and work that waits for the agent, the bus or the disk.
extension PopupPresenter {
    /// Records that notifications have arrived. For callers that run on the bus's executor.
    ///
    /// - Returns: The ids of those that no run has recorded before.
    nonisolated func record(_ arrivals: StateStore.Arrivals) -> Set<String> {
        assumeIsolated { presenter in
            let new = presenter.arrivals.add(arrivals)
            if !new.created.isEmpty { presenter.memory.record([.arrived(new)]) }
            return Set(new.created.keys)
        }
    }

    func record(_ effects: [Popups.Effect]) {
        let changes = effects.compactMap(StateStore.PopupChange.init)
        guard !changes.isEmpty else { return }
        for case .delivered(let owner, let deliveries) in changes {
            if let watermark = deliveries.watermark { arrivals.remove(upTo: watermark, of: owner) }
        }
        memory.record(changes)
    }

    /// Continues with what previous runs have recorded of an owner's notifications, and returns the delivery marks.
    func resume(_ owner: String) async -> DeliveryMarks {
        await memory.save()
        if let recorded = await memory.arrivals(of: owner) { _ = arrivals.add(recorded) }
        return await memory.marks(of: owner)
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
