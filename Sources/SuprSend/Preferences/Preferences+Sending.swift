import Basics
import ClientKit
import Logging

/// Sending of changes.
extension Preferences {
    /// Makes a change: here at once, at the service when it is due. Returns the preferences with the change.
    func update(_ edit: PreferenceEdit, _ args: PreferenceArgs) async throws(SuprSendError) -> PreferenceData {
        _ = try person()
        let (data, isQueued) = try state.update(edit, args, now: time())
        if isQueued { await bell.signal() }
        return data
    }

    // MARK: Flush

    /// Sends all pending changes now. Returns when all of them are confirmed.
    ///
    /// - Throws: The error of the first change that failed; the others are sent, too.
    public func flush() async throws(SuprSendError) {
        guard pending > 0 else { return }
        try await flush(state.pending)
    }

    /// Sends the pending changes of one target now. Returns when all of them are confirmed.
    ///
    /// - Parameters:
    ///   - target: A category with its channels and settings, or a channel.
    ///   - tenantID: The tenant; nil or empty: the last one loaded.
    /// - Throws: The error of the first change that failed; the others are sent, too.
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

    // MARK: Sending when due

    /// Sends changes when they are due, until the task is cancelled. Reloads the preferences after a failed request
    /// that the service may have performed.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                while let request = state.begin(now: time()) { group.addTask { await self.send(request) } }
                while let tenant = unverified.popFirst() {
                    group.addTask { await self.ask(whatBecameOf: tenant) }
                }
                let delay = state.nextDeadline.map { max($0 - time(), .zero) }
                await bell.wait(atMost: delay, clock: context.environment.clock)
            }
        }
    }

    /// The user signs out: sends pending changes, then discards everything.
    func reset() async {
        do { try await flush() } catch {
            context.logger.warning("preference changes not sent", metadata: ["error": "\(error.message)"])
        }
        forget()
    }

    /// Discards everything; calls that wait for a change throw `cancelled`.
    func forget() {
        let changes = state.pending
        state.forget()
        unverified = []
        owner = nil
        settle(changes, .cancelled)
    }

    private func send(_ request: PreferencesState.Request) async {
        let answer: Result<PreferenceConfirmation, SuprSendError>
        do {
            let person = try person()
            // Discarded meanwhile: another user is identified.
            guard !state.pending.isDisjoint(with: request.changes) else { return }
            let request = try await withAllChannels(request, person)
            guard !state.pending.isDisjoint(with: request.changes) else { return }
            answer = await result(of: request.operation, request.args, as: person)
        } catch {
            answer = .failure(error)
        }
        if case .failure = answer, Task.isCancelled {
            state.putBack(request)
            settle([])
            await bell.signal()
            return
        }
        let outcome = state.finish(request, try? answer.get())
        if outcome == .forgotten { return }
        switch answer {
        case .success:
            // The change itself is confirmed, even if the rest cannot be loaded.
            if outcome == .confirmedInPart { await reload(request.args.tenantID) }
            settle(request.changes)
            if let data { tell(.preferencesUpdated(data)) }
        case .failure(let error):
            context.logger.debug("preference change failed", metadata: ["error": "\(error.message)"])
            settle(request.changes, error)
            tell(.preferencesError(error, target: request.target))
            if error.leavesDoubt {
                state.doubt(request)
                unverified.insert(request.args.tenantID)
            }
        }
        await bell.signal()
    }

    /// The request with the channels that it has to name, which were not loaded.
    private func withAllChannels(_ request: PreferencesState.Request, _ person: Identity) async throws(SuprSendError)
        -> PreferencesState.Request
    {
        guard let slug = state.lacksChannels(request) else { return request }
        var args = request.args
        args.showOptOutChannels = true
        let category: Result<PreferenceCategory, SuprSendError> =
            await result(of: .category(slug, args), args, as: person)
        return state.completed(request, by: try category.get())
    }

    private func ask(whatBecameOf tenantID: String?) async {
        if await reload(tenantID), let data { tell(.preferencesUpdated(data)) }
    }

    /// Loads a tenant's preferences again, with the last parameters.
    @discardableResult
    private func reload(_ tenantID: String?) async -> Bool {
        guard let args = state.args(of: tenantID), let person = try? person() else { return false }
        return (try? await load(args, as: person, again: true)) != nil
    }
}
