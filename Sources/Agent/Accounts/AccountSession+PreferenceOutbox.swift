import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The pending changes of preferences, and the `Flush` calls that wait for them.
struct PreferenceWork {
    fileprivate(set) var outbox: PreferenceOutbox
    /// The results of the `Flush` calls.
    fileprivate var flushes: [UInt64: Mailbox<ProviderFailure?>] = [:]
    fileprivate var lastFlush: UInt64 = 0
    /// The age of the loaded preferences.
    var loading = PreferenceLoading()
    fileprivate let effects = Mailbox<PreferenceOutbox.Effect>()

    /// - Parameter delay: The time that a change waits for others, to be sent in one request.
    init(delay: Duration) { outbox = PreferenceOutbox(delay: delay) }
}

/// The user's changes of preferences: applied at once, sent to the service in the background.
extension AccountSession {
    private var preferenceStorage: OutboxStorage<PreferenceChange> {
        OutboxStorage(store: store, owner: identity.key, logger: logger)
    }

    /// Applies a change at once and sends it in the background. Throws `NotFound` and `NotEditable`, and `Offline` or
    /// `Unauthorized` if the preferences are not loaded and cannot be.
    func set(_ change: PreferenceChange, of preferences: any PreferencesProvider) async throws(DBusError) {
        try await untilRestored()
        try await request { () async throws(ProviderFailure) in try await contents(of: preferences).check(change) }
        await process(.submitted(change))
        await emitUpdated()
    }

    /// Sends the pending changes, and returns when the service has confirmed all of them. Throws the first failure.
    /// Changes stay pending and are retried if the service is unreachable or rejects the credentials.
    func flushPreferences() async throws(DBusError) {
        try await untilRestored()
        // Both the connection and the last request failed: another attempt would only delay the error.
        if let obstacle = preferenceWork.outbox.obstacle, [.offline, .unauthorized].contains(connection.state) {
            throw obstacle.flushError
        }
        preferenceWork.lastFlush += 1
        let id = preferenceWork.lastFlush
        let result = Mailbox<ProviderFailure?>()
        preferenceWork.flushes[id] = result
        defer { preferenceWork.flushes[id] = nil }
        await process(.flush(id: id))
        for await failure in result.messages {
            if let failure { throw failure.flushError }
            return
        }
        throw DBusError(AgentErrors.offline, "The account was stopped. Pending changes are sent when it runs again.")
    }

    /// Restores the pending changes of the previous run.
    func restorePreferences() async {
        if let (changes, last) = await preferenceStorage.load() { await process(.restored(changes, last: last)) }
    }

    /// Follows the preferences and sends changes, until the task is cancelled.
    func follow(_ preferences: any PreferencesProvider) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await preferences.run { await self.emitUpdated() } }
            for await effect in preferenceWork.effects.messages {
                group.addTask { await self.perform(effect, preferences) }
            }
            group.cancelAll()
        }
        for result in preferenceWork.flushes.values { result.close() }
    }

    /// Writes to disk before D-Bus and the service: a change that was confirmed or sent is never lost.
    func process(_ event: PreferenceOutbox.Event) async {
        let effects = preferenceWork.outbox.receive(event)
        await preferenceStorage.save(effects)
        let count = UInt32(clamping: preferenceWork.outbox.count)
        if !isEnded { await bus.update(path) { $0.set(AgentPreferences.pending, count) } }
        for effect in effects { preferenceWork.effects.send(effect) }
    }

    private func perform(_ effect: PreferenceOutbox.Effect, _ preferences: any PreferencesProvider) async {
        switch effect {
        case .send(let entries): await send(entries, to: preferences)
        case .startTimer(let timer, let delay):
            guard (try? await environment.clock.sleep(for: delay)) != nil else { return }
            await process(PreferenceOutbox.Event.timerFired(timer))
        case .rejected(let target, let failure): await reportRejection(of: target, failure)
        case .flushed(let id, let failure): preferenceWork.flushes[id]?.send(failure)
        case .keep, .forget: break
        }
    }

    private func send(_ entries: [PreferenceOutbox.Entry], to preferences: any PreferencesProvider) async {
        do throws(ProviderFailure) {
            let contents = try await load(preferences)
            var valid: [PreferenceOutbox.Entry] = []
            for entry in entries {
                // It was checked when it was submitted, but perhaps in a previous run.
                do throws(ProviderFailure) {
                    try contents.check(entry.change)
                    valid.append(entry)
                } catch {
                    await process(.failed([entry.number], error, jitter: 0))
                }
            }
            await apply(valid, to: preferences)
        } catch {
            await process(.failed(entries.map(\.number), error, jitter: environment.jitter()))
        }
    }

    /// A failure to load does not reject the change: it is transient, unless the credentials are rejected.
    private func load(_ preferences: any PreferencesProvider) async throws(ProviderFailure) -> PreferencesContents {
        do { return try await contents(of: preferences) } catch {
            throw error.kind == .unauthorized ? error : ProviderFailure(.transient, error.sentence)
        }
    }

    private func apply(_ entries: [PreferenceOutbox.Entry], to preferences: any PreferencesProvider) async {
        let numbers = entries.map(\.number)
        do throws(ProviderFailure) {
            try await preferences.apply(entries.map(\.change))
            await process(.confirmed(numbers))
        } catch {
            await process(.failed(numbers, error, jitter: environment.jitter()))
        }
    }

    // MARK: Signals

    /// The preferences changed, by the service or by a local change.
    private func emitUpdated() async {
        guard !isEnded else { return }
        do { try await bus.emit(AgentPreferences.updated, (), from: path) } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    /// Reports a change that the service rejected. It was reverted already.
    private func reportRejection(of target: PreferenceChange.Target, _ failure: ProviderFailure) async {
        guard !isEnded else { return }
        logger.warning(
            "the service rejected a preference change",
            metadata: ["target": "\(target.name)", "reason": "\(failure.sentence)"]
        )
        do {
            let error = failure.errorName.text
            try await bus.emit(AgentPreferences.updateFailed, (target.name, error, failure.sentence), from: path)
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
        await emitUpdated()
    }
}

extension ProviderFailure {
    /// The error of `Flush`. Its message states whether the change is retried.
    fileprivate var flushError: DBusError {
        guard isTransient else { return busError }
        return DBusError(errorName, sentence + " The changes are kept and retried.")
    }
}
