import AgentInterface
import DBus
import Inbox
import Logging
import Store

/// The preferences a person changed, and who waits for them.
struct PreferenceWork {
    fileprivate(set) var outbox: PreferenceOutbox
    fileprivate var flushes: [UInt64: AsyncStream<ProviderFailure?>.Continuation] = [:]
    fileprivate var lastFlush: UInt64 = 0
    /// What is loaded, and whether it is being loaded anew.
    var loading = PreferenceLoading()
    fileprivate let effects: AsyncStream<PreferenceOutbox.Effect>
    fileprivate let input: AsyncStream<PreferenceOutbox.Effect>.Continuation

    /// - Parameter delay: How long changes wait for others of the same request.
    init(delay: Duration) {
        outbox = PreferenceOutbox(delay: delay)
        (effects, input) = AsyncStream.makeStream()
    }
}

/// Changed preferences on their way to the service.
extension AccountSession {
    /// Changes one preference: it shows at once, and the service is told in the background. Throws `NotFound` and `NotEditable`, and
    /// `Offline` or `Unauthorized` where nothing is loaded to know it by.
    func set(_ change: PreferenceChange, of preferences: any PreferencesProvider) async throws(DBusError) {
        await untilRestored()
        try await ask { () async throws(ProviderFailure) in try await contents(of: preferences).check(change) }
        await process(.submitted(change))
        await tellUpdated()
    }

    /// Sends what waits, and returns when every change made so far is confirmed. Throws the first failure; what failed because the
    /// service could not be reached, or did not accept the credentials, stays and is tried again.
    func flushPreferences() async throws(DBusError) {
        await untilRestored()
        // Neither the events nor the last request came through: a further attempt would only make the caller wait.
        if let obstacle = preferenceWork.outbox.obstacle, [.offline, .unauthorized].contains(connection.state) {
            throw obstacle.flushError
        }
        preferenceWork.lastFlush += 1
        let id = preferenceWork.lastFlush
        let (answers, waiter) = AsyncStream<ProviderFailure?>.makeStream()
        preferenceWork.flushes[id] = waiter
        defer { preferenceWork.flushes[id] = nil }
        await process(.flush(id: id))
        for await failure in answers {
            if let failure { throw failure.flushError }
            return
        }
        throw DBusError(AgentErrors.offline, "The account was ended. What is not confirmed is sent when it runs again.")
    }

    /// Takes up what an earlier life of the agent has left.
    func restorePreferences() async {
        do throws(StoreError) {
            let rows = try await store.preferenceOutbox(of: identity.key)
            let entries = rows.compactMap(PreferenceOutbox.Entry.init)
            if entries.count < rows.count {
                logger.warning(
                    "some of the preferences that wait for the service are unknown to this version of Feedbell"
                )
            }
            await process(.restored(entries, last: try await store.reserveNumbers()))
        } catch {
            logger.error("the preferences that waited for the service cannot be read", metadata: ["reason": "\(error)"])
        }
    }

    /// Follows the preferences, and sends what was changed, until the task is cancelled.
    func follow(_ preferences: any PreferencesProvider) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await preferences.run { await self.tellUpdated() } }
            for await effect in preferenceWork.effects {
                group.addTask { await self.perform(effect, preferences) }
            }
            group.cancelAll()
        }
        for waiter in preferenceWork.flushes.values { waiter.finish() }
    }

    /// First to the disk, then to the bus, then to the service: what was answered or sent is never lost.
    func process(_ event: PreferenceOutbox.Event) async {
        let effects = preferenceWork.outbox.receive(event)
        let void = effects.compactMap { if case .forget(let number) = $0 { number } else { nil } }
        let kept = effects.compactMap { if case .keep(let entry) = $0 { StateStore.PreferenceRow(entry) } else { nil } }
        if !void.isEmpty || !kept.isEmpty {
            do throws(StoreError) {
                try await store.replacePreferences(void, by: kept, of: identity.key)
            } catch {
                logger.error(
                    "preferences that wait for the service are not kept on disk",
                    metadata: ["reason": "\(error)"]
                )
            }
        }
        let count = UInt32(clamping: preferenceWork.outbox.count)
        if !isEnded { await bus.update(path) { $0.set(AgentPreferences.pending, count) } }
        for effect in effects { preferenceWork.input.yield(effect) }
    }

    private func perform(_ effect: PreferenceOutbox.Effect, _ preferences: any PreferencesProvider) async {
        switch effect {
        case .send(let entries): await send(entries, to: preferences)
        case .startTimer(let timer, let delay):
            guard (try? await surroundings.clock.sleep(for: delay)) != nil else { return }
            await process(.timerFired(timer))
        case .rejected(let target, let failure): await tell(target, failure)
        case .flushed(let id, let failure): preferenceWork.flushes[id]?.yield(failure)
        case .keep, .forget: break
        }
    }

    private func send(_ entries: [PreferenceOutbox.Entry], to preferences: any PreferencesProvider) async {
        do throws(ProviderFailure) {
            let contents = try await load(preferences)
            var valid: [PreferenceOutbox.Entry] = []
            for entry in entries {
                // It was checked when it was made, but that may have been in an earlier life.
                do throws(ProviderFailure) {
                    try contents.check(entry.change)
                    valid.append(entry)
                } catch {
                    await process(.failed([entry.number], error, jitter: 0))
                }
            }
            await apply(valid, to: preferences)
        } catch {
            await process(.failed(entries.map(\.number), error, jitter: surroundings.jitter()))
        }
    }

    /// What stands in the way of loading says nothing against a change: it is tried again, whatever it is.
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
            await process(.failed(numbers, error, jitter: surroundings.jitter()))
        }
    }

    // MARK: Telling

    /// What shows is something else: the service said so, or somebody here did it.
    private func tellUpdated() async {
        guard !isEnded else { return }
        do { try await bus.emit(AgentPreferences.updated, (), from: path) } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    /// The service refused a change for good; what shows is already as it was.
    private func tell(_ target: PreferenceChange.Target, _ failure: ProviderFailure) async {
        guard !isEnded else { return }
        logger.warning(
            "preference change refused",
            metadata: ["target": "\(target.name)", "reason": "\(failure.sentence)"]
        )
        do {
            let error = failure.errorName.text
            try await bus.emit(AgentPreferences.updateFailed, (target.name, error, failure.sentence), from: path)
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
        await tellUpdated()
    }
}

extension ProviderFailure {
    /// The failure as the answer to `Flush`, which says whether it is final.
    fileprivate var flushError: DBusError {
        guard isTransient else { return busError }
        return DBusError(errorName, sentence + " What was changed is kept, and tried again.")
    }
}

extension StateStore.PreferenceRow {
    fileprivate init(_ entry: PreferenceOutbox.Entry) {
        self.init(number: entry.number, method: entry.change.name, arguments: entry.change.arguments)
    }
}

extension PreferenceOutbox.Entry {
    /// nil: a later version of Feedbell has written it.
    fileprivate init?(_ row: StateStore.PreferenceRow) {
        guard let change = PreferenceChange(name: row.method, arguments: row.arguments) else { return nil }
        self.init(number: row.number, change: change)
    }
}
