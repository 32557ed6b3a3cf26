import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The user's changes: kept on disk, sent, and published.
extension AccountPreferences {
    /// Writes to disk before D-Bus and the service: a change that was confirmed or sent is never lost.
    func process(_ event: PreferenceOutbox.Event, answer: PreferenceAnswer? = nil) async {
        let effects = sync.receive(event, answer: answer)
        await storage.save(effects)
        let count = UInt32(clamping: sync.outbox.count)
        if !isEnded { await bus.update(path) { $0.set(AgentPreferences.pending, count) } }
        for case .rejected(let target, let failure) in effects { await reportRejection(of: target, failure) }
        await publishDifference()
        for effect in effects { self.effects.send(effect) }
    }

    func perform(_ effect: PreferenceOutbox.Effect) async {
        switch effect {
        case .send(let entries): await send(entries)
        case .startTimer(let timer, let delay):
            guard (try? await environment.clock.sleep(for: delay)) != nil else { return }
            await process(.timerFired(timer))
        case .flushed(let id, let failure): flushes[id]?.send(failure)
        case .keep, .forget, .rejected: break
        }
    }

    private func send(_ entries: [PreferenceOutbox.Entry]) async {
        do throws(ServiceFailure) {
            let contents = try await currentContents()
            var valid: [PreferenceOutbox.Entry] = []
            for entry in entries {
                // It was checked when it was submitted, but that may have been in a previous run.
                do throws(ServiceFailure) {
                    _ = try contents.checked(entry.change)
                    valid.append(entry)
                } catch {
                    await process(.failed([entry.number], error, jitter: 0))
                }
            }
            if !valid.isEmpty { await send(valid, to: contents) }
        } catch {
            await process(.failed(entries.map(\.number), error, jitter: environment.jitter()))
        }
    }

    /// The service's preferences, at most a minute old: a request replaces all choices of a category, also those that
    /// another client made. A failure to load does not reject the change: it is transient, unless the credentials are
    /// rejected.
    private func currentContents() async throws(ServiceFailure) -> PreferencesContents {
        do {
            try await loadIfStale()
            return try await reported()
        } catch {
            throw error.kind == .unauthorized ? error : ServiceFailure(.transient, error.sentence)
        }
    }

    private func send(_ entries: [PreferenceOutbox.Entry], to contents: PreferencesContents) async {
        let numbers = entries.map(\.number)
        do throws(ServiceFailure) {
            let answer = try await service.apply(entries.map(\.change), to: contents)
            // The change is confirmed, even if the rest cannot be loaded.
            let isLoaded = answer.isPartial ? (try? await load()) != nil : false
            await process(.confirmed(numbers), answer: isLoaded ? nil : answer)
        } catch {
            await process(.failed(numbers, error, jitter: environment.jitter()))
        }
    }

    // MARK: Signals

    func publishDifference() async {
        guard let categories = sync.takeDifference(), !isEnded else { return }
        let dictionaries = categories.map(\.dictionary)
        do { try await bus.emit(AgentPreferences.updated, (dictionaries), from: path) } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
    }

    /// Reports changes that the service rejected. They were reverted already.
    private func reportRejection(of target: PreferenceChange.Target, _ failure: ServiceFailure) async {
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
    }
}
