import Basics
import Inbox

/// Loading the preferences from the service.
extension AccountPreferences {
    /// The preferences as the service last returned them. Loads them if it has not returned any yet.
    func reported() async throws(ServiceFailure) -> PreferencesContents {
        if sync.reported == nil { try await loadOnce() }
        guard let contents = sync.reported else { throw ServiceFailure(.transient, "The account was stopped.") }
        return contents
    }

    func loadIfStale() async throws(ServiceFailure) {
        if sync.isStale(now: time()) { try await loadOnce() }
    }

    /// Loads the preferences. Concurrent callers share one request.
    func loadOnce() async throws(ServiceFailure) {
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

    func load() async throws(ServiceFailure) {
        let number = sync.beginLoad()
        do {
            let contents = try await service.load()
            sync.finishLoad(number, contents, now: time())
        } catch {
            sync.finishLoad(number, nil, now: time())
            throw error
        }
        await publishDifference()
    }
}
