import ClientKit
import Logging

/// How changes reach the service.
extension Preferences {
    /// Makes a change: here at once, at the service when it is due. Returns everything as it is shown then.
    func update(_ edit: PreferenceEdit, _ args: PreferenceArgs) async throws(SuprSendError) -> PreferenceData {
        _ = try person()
        let (data, isQueued) = try state.update(edit, args, now: time())
        if isQueued { await bell.ring() }
        return data
    }

    // MARK: At once

    /// Sends all changes made so far, without waiting for more. Returns when all of them are confirmed.
    ///
    /// - Throws: What the service says against the first that failed; the others are sent nevertheless.
    public func flush() async throws(SuprSendError) {
        guard pending > 0 else { return }
        try await flush(state.pending)
    }

    /// Sends the changes of one target made so far, without waiting for more. Returns when all of them are confirmed.
    ///
    /// - Parameters:
    ///   - target: A category with all of it, or a channel.
    ///   - tenantID: The tenant; nil or empty: the one loaded last.
    /// - Throws: What the service says against the first that failed; the others are sent nevertheless.
    public func flush(_ target: PreferenceTarget, tenantID: String? = nil) async throws(SuprSendError) {
        guard pending > 0 else { return }
        try await flush(state.pending(of: target, PreferenceArgs.tenant(tenantID)))
    }

    private func flush(_ changes: Set<UInt64>) async throws(SuprSendError) {
        guard !changes.isEmpty else { return }
        lastFlush += 1
        let id = lastFlush
        flushes[id] = Flush(changes: changes)
        await withDiscardingTaskGroup { group in
            while let changes = flushes[id]?.changes, !changes.isEmpty, !Task.isCancelled {
                while let request = state.begin(now: time(), among: changes) {
                    group.addTask { await self.send(request) }
                }
                await answer(to: id)
            }
        }
        guard let flush = flushes.removeValue(forKey: id) else { return }
        if let failure = flush.failure { throw failure }
        if !flush.changes.isEmpty { throw .cancelled }
    }

    /// Waits until a request was answered or put back.
    private func answer(to flush: UInt64) async {
        let (answers, waiter) = AsyncStream<Never>.makeStream()
        flushes[flush]?.waiter = waiter
        for await _ in answers {}
    }

    private func settle(_ changes: Set<UInt64>, _ failure: SuprSendError? = nil) {
        for id in flushes.keys {
            if flushes[id]?.changes.isDisjoint(with: changes) == false {
                flushes[id]?.changes.subtract(changes)
                if flushes[id]?.failure == nil { flushes[id]?.failure = failure }
            }
            flushes[id]?.waiter?.finish()
        }
    }

    // MARK: When they are due

    /// Sends changes as they become due, until the task is cancelled. Asks, too, what became of those that failed and may be done all
    /// the same.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                while let request = state.begin(now: time()) { group.addTask { await self.send(request) } }
                while let tenant = doubtful.popFirst() {
                    group.addTask { await self.ask(whatBecameOf: tenant) }
                }
                let delay = state.nextDeadline.map { max($0 - time(), .zero) }
                await bell.wait(atMost: delay, clock: workspace.surroundings.clock)
            }
        }
    }

    /// The person leaves: what waits is sent, and then everything forgotten.
    func reset() async {
        do { try await flush() } catch {
            workspace.logger.warning("preference changes not sent", metadata: ["error": "\(error.message)"])
        }
        forget()
    }

    /// Nothing is known of anybody any more; who waits for changes waits in vain.
    func forget() {
        let changes = state.pending
        state.forget()
        doubtful = []
        owner = nil
        settle(changes, .cancelled)
    }

    private func send(_ request: PreferencesState.Request) async {
        let answer: Result<PreferenceConfirmation, SuprSendError>
        do {
            let person = try person()
            // Somebody else's by now.
            guard !state.pending.isDisjoint(with: request.changes) else { return }
            answer = await result(of: request.operation, request.args, as: person)
        } catch {
            answer = .failure(error)
        }
        if case .failure = answer, Task.isCancelled {
            state.putBack(request)
            settle([])
            await bell.ring()
            return
        }
        let outcome = state.finish(request, try? answer.get())
        if outcome == .forgotten { return }
        switch answer {
        case .success:
            // Told even if the rest could not be loaded: the change itself is done.
            if outcome == .confirmedInPart { await reload(request.args.tenantID) }
            settle(request.changes)
            if let data { tell(.preferencesUpdated(data)) }
        case .failure(let error):
            workspace.logger.debug("preference change failed", metadata: ["error": "\(error.message)"])
            settle(request.changes, error)
            tell(.preferencesError(error, target: request.target))
            if error.leavesDoubt {
                state.doubt(request)
                doubtful.insert(request.args.tenantID)
            }
        }
        await bell.ring()
    }

    private func ask(whatBecameOf tenantID: String?) async {
        if await reload(tenantID), let data { tell(.preferencesUpdated(data)) }
    }

    /// Loads a tenant's preferences as they were loaded last.
    @discardableResult
    private func reload(_ tenantID: String?) async -> Bool {
        guard let args = state.args(of: tenantID), let person = try? person() else { return false }
        return (try? await load(args, as: person, again: true)) != nil
    }
}
