import Basics
import ClientKit
import Logging

/// Sending of changes.
extension Preferences {
    /// Makes a change: here at once, at the service when it is due. Returns the preferences with the change.
    func update(_ edit: PreferenceEdit, _ args: PreferenceArgs) async throws(SuprSendError) -> PreferenceData {
        try context.checkNotShutDown()
        _ = try currentUser()
        let (data, isQueued) = try state.update(edit, args, now: time())
        if isQueued { wake.signal() }
        return data
    }

    // MARK: Flush

    /// Sends all pending changes now. Returns when all of them are confirmed.
    ///
    /// - Throws: The error of the first change that failed; the others are sent, too.
    public func flush() async throws(SuprSendError) {
        try context.checkNotShutDown()
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
        try context.checkNotShutDown()
        guard pending > 0 else { return }
        try await flush(state.pending(of: target, PreferenceArgs.tenant(tenantID)))
    }

    private func flush(_ changes: Set<Int64>) async throws(SuprSendError) {
        guard !changes.isEmpty else { return }
        lastFlush += 1
        let id = lastFlush
        flushes.add(id, for: changes)
        await withDiscardingTaskGroup { group in
            while !flushes.numbers(of: id).isEmpty, !Task.isCancelled {
                while let request = state.begin(now: time(), among: flushes.numbers(of: id)) {
                    group.addTask { await self.send(request) }
                }
                await flushWaiters.add().wait()
            }
        }
        let (failure, isFinished) = flushes.remove(id)
        if let failure { throw failure }
        if !isFinished { throw .cancelled }
    }

    /// These changes are confirmed, or failed. Wakes every call of ``flush()``, also for no changes.
    private func settle(_ changes: Set<Int64>, _ failure: SuprSendError? = nil) {
        flushes.settle(changes, failure)
        flushWaiters.wakeAll()
    }

    // MARK: Sending when due

    /// Sends changes when they are due, until the task is cancelled. Reloads the preferences after a failed request
    /// that the service may have performed.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                while let request = state.begin(now: time()) { group.addTask { await self.send(request) } }
                while let tenant = unverified.popFirst() {
                    group.addTask { await self.revalidate(tenant) }
                }
                let delay = state.nextDeadline.map { max($0 - time(), .zero) }
                await wake.wait(atMost: delay, clock: context.environment.clock)
            }
        }
    }

    /// The user signs out: sends pending changes, then discards all data.
    func reset() async {
        do { try await flush() } catch {
            context.logger.warning("preference changes not sent", metadata: ["error": "\(error.message)"])
        }
        discard()
    }

    /// Discards all data; calls that wait for a change throw `cancelled`.
    func discard() {
        let changes = state.pending
        state.discard()
        unverified = []
        owner = nil
        settle(changes, .cancelled)
    }

    private func send(_ request: PreferencesState.Request) async {
        let answer: Result<PreferenceConfirmation, SuprSendError>
        do {
            let user = try currentUser()
            // Discarded meanwhile: another user is identified.
            guard !state.pending.isDisjoint(with: request.changes) else { return }
            let request = try await withAllChannels(request, user)
            guard !state.pending.isDisjoint(with: request.changes) else { return }
            answer = await result(of: request.operation, request.args, as: user)
        } catch {
            answer = .failure(error)
        }
        if case .failure = answer, Task.isCancelled {
            state.requeue(request)
            settle([])
            wake.signal()
            return
        }
        let outcome = state.finish(request, try? answer.get())
        if outcome == .discarded { return }
        switch answer {
        case .success:
            // The change itself is confirmed, even if the rest cannot be loaded.
            if outcome == .confirmedInPart { await reload(request.args.tenantID) }
            settle(request.changes)
            if let data { emit(.preferencesUpdated(data)) }
        case .failure(let error):
            context.logger.debug("preference change failed", metadata: ["error": "\(error.message)"])
            settle(request.changes, error)
            emit(.preferencesError(error, target: request.target))
            if error.isOutcomeUnknown {
                state.markUnverified(request)
                unverified.insert(request.args.tenantID)
            }
        }
        wake.signal()
    }

    /// The request with the channels that it has to name, which were not loaded.
    private func withAllChannels(_ request: PreferencesState.Request, _ user: Identity) async throws(SuprSendError)
        -> PreferencesState.Request
    {
        guard let slug = state.lacksChannels(request) else { return request }
        var args = request.args
        args.showOptOutChannels = true
        let category: Result<PreferenceCategory, SuprSendError> =
            await result(of: .category(slug, args), args, as: user)
        return state.completed(request, by: try category.get())
    }

    /// Reports the service's preferences after a failed request that it may have performed.
    private func revalidate(_ tenantID: String?) async {
        if await reload(tenantID), let data { emit(.preferencesUpdated(data)) }
    }

    /// Loads a tenant's preferences again, with the last parameters.
    @discardableResult
    private func reload(_ tenantID: String?) async -> Bool {
        guard let args = state.args(of: tenantID), let user = try? currentUser() else { return false }
        return (try? await load(args, as: user, again: true)) != nil
    }
}
