import Basics
import Inbox
import Logging

/// Records, and work that waits for the agent, the bus or the disk.
extension PopupPresenter {
    /// Records that notifications have arrived. For callers that run on the bus's executor.
    ///
    /// - Returns: The ids of those that no run has recorded before.
    nonisolated func record(arrivals: [NotificationID: Timestamp], of owner: String) -> Set<NotificationID> {
        assumeIsolated { $0.memory.record(arrivals: arrivals, of: owner) }
    }

    /// Continues with what previous runs have recorded of an owner's notifications, and returns the delivery marks.
    func resume(_ owner: String) async -> DeliveryMarks {
        await memory.save()
        if let recorded = await memory.arrivals(of: owner) { memory.add(arrivals: recorded, of: owner) }
        return await memory.marks(of: owner)
    }

    /// - Parameter ends: What discards and closes popups.
    func ask(_ requests: [Popups.Response], thenEnding ends: [Popups.Effect] = [], at server: String) {
        responsesUnderWay += 1
        responses.send((requests, ends, server))
    }

    func runResponses(_ respond: @escaping @Sendable (Popups.Response) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await (requests, ends, server) in responses.messages {
                // In order, until the first one waits.
                group.addImmediateTask {
                    for request in requests { await respond(request) }
                    end(ends, at: server)
                    responded()
                }
            }
        }
    }

    /// Forgets and closes popups.
    func end(_ ends: [Popups.Effect], at server: String) {
        memory.record(ends)
        for case .close(let id) in ends { send { await self.close(id, at: server) } }
    }
}
