import AgentInterface
import DBus
package import Inbox
import Logging

/// The person's changes on their way to the service.
extension AccountSession {
    /// Makes changes: they show at once, and the service is told in the background. Throws `NotSupported` for what the service cannot
    /// do, and `LimitsExceeded` when too many wait already.
    func make(_ changes: [Change]) async throws(DBusError) {
        for change in changes where !provider.capabilities.contains(change.requirement) {
            throw DBusError(
                AgentErrors.notSupported,
                "\(change.name) is nothing that \(identity.provider) offers; see the account's Capabilities."
            )
        }
        guard outbox.hasRoom(for: changes.count) else {
            throw DBusError(
                .limitsExceeded,
                "\(outbox.count) actions wait for the service already. Try again when the account is online."
            )
        }
        let now = surroundings.now()
        for change in changes {
            outbox.receive(.submitted(MadeChange(change, at: now))).forEach { workInput.yield($0) }
        }
        await show()
    }

    /// Counts a notification as interacted: its popup was clicked.
    package func interacted(_ id: ItemID) async { await makeQuietly(.interacted(id)) }

    /// Marks notifications as seen: their popups were dismissed.
    package func seen(_ ids: [ItemID]) async { await makeQuietly(.seen(ids)) }

    private func makeQuietly(_ change: Change) async {
        do { try await make([change]) } catch {
            logger.error("action not accepted", metadata: ["action": "\(change.name)", "reason": "\(error.message)"])
        }
    }

    /// Takes in what became of a change.
    func process(_ event: Outbox.Event) async {
        if event == .confirmed, let confirmed = outbox.inWork { settling.append(confirmed) }
        let effects = outbox.receive(event)
        await show()
        for effect in effects { workInput.yield(effect) }
    }

    /// The service refused a change for good; what shows is already as it was.
    private func tell(_ change: Change, _ failure: ProviderFailure) async {
        let ids = change.ids.map(\.rawValue)
        logger.warning(
            "the service refused an action",
            metadata: ["action": "\(change.name)", "ids": "\(ids)", "reason": "\(failure.sentence)"]
        )
        do {
            let error = failure.errorName.text
            try await bus.emit(AgentInbox.actionFailed, (change.name, ids, error, failure.sentence), from: path)
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    func runOutbox(_ work: AsyncStream<Outbox.Effect>) async {
        await withDiscardingTaskGroup { group in
            for await work in work {
                group.addTask { await self.perform(work) }
            }
        }
    }

    private func perform(_ effect: Outbox.Effect) async {
        switch effect {
        case .send(let made):
            do throws(ProviderFailure) {
                try await provider.apply(made.change)
                await process(.confirmed)
            } catch {
                await process(.failed(error, jitter: surroundings.jitter()))
            }
        case .wait(let delay):
            guard (try? await surroundings.clock.sleep(for: delay)) != nil else { return }
            await process(.retry)
        case .rejected(let made, let failure): await tell(made.change, failure)
        }
    }
}
