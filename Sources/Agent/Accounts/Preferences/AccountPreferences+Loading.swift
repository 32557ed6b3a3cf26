import Basics
import Inbox

/// Loading the preferences from the service.
extension AccountPreferences {
    /// The preferences as the service last returned them. Loads them if it has not returned any yet.
    func reported() async throws(ProviderFailure) -> PreferencesContents {
        if sync.reported == nil { try await loadOnce() }
        guard let contents = sync.reported else { throw ProviderFailure(.transient, "The account was stopped.") }
        return contents
    }

    func loadIfStale() async throws(ProviderFailure) {
        if sync.isStale(now: time()) { try await loadOnce() }
    }

    /// Loads the preferences. Concurrent callers share one request.
    func loadOnce() async throws(ProviderFailure) {
        if isLoading {
            await loadWaiters.add().wait()
            if let loadFailure { throw loadFailure }
            return
        }
        isLoading = true
        defer {
            isLoading = false
            loadWaiters.wakeAll()
        }
        do {
            try await load()
            loadFailure = nil
        } catch {
            loadFailure = error
            throw error
        }
    }

    func load() async throws(ProviderFailure) {
        let number = sync.beginLoad()
        do {
            let contents = try await provider.load()
            sync.finishLoad(number, contents, now: time())
        } catch {
            sync.finishLoad(number, nil, now: time())
            throw error
        }
        await publishDifference()
    }
}
