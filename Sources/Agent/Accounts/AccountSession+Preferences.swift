import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The methods of `org.feedbell.Agent1.Preferences`.
extension AccountSession {
    func add(_ preferences: any PreferencesProvider, to object: inout ExportedObject) {
        object.set(AgentPreferences.pending, 0)
        object.handle(AgentPreferences.list) { try await self.shown(of: preferences).categories.map(\.dictionary) }
        object.handle(AgentPreferences.listChannels) {
            try await self.shown(of: preferences).levels.map {
                Structure($0.channel, ChannelLevel(isOnlyRequired: $0.isOnlyRequired).rawValue)
            }
        }
        object.handle(AgentPreferences.setCategory) { category, preference in
            try await self.set(.category(category, isOn: try Self.isOn(preference)), of: preferences)
        }
        object.handle(AgentPreferences.setCategoryChannel) { category, channel, preference in
            let change = PreferenceChange.channel(channel, inCategory: category, isOn: try Self.isOn(preference))
            try await self.set(change, of: preferences)
        }
        object.handle(AgentPreferences.setChannel) { channel, level in
            guard let level = ChannelLevel(rawValue: level) else {
                throw DBusError(.invalidArgs, "The level \"\(level)\" is neither \"all\" nor \"required\".")
            }
            try await self.set(.overall(channel: channel, onlyRequired: level.isOnlyRequired), of: preferences)
        }
        object.handle(AgentPreferences.flush) { try await self.flushPreferences() }
        object.handle(AgentPreferences.refresh) {
            try await self.request { () async throws(ProviderFailure) in try await preferences.refresh() }
            await self.recordLoad()
        }
    }

    private static func isOn(_ preference: String) throws(DBusError) -> Bool {
        guard let value = PreferenceSwitch(rawValue: preference) else {
            let (on, off) = (PreferenceSwitch.on.rawValue, PreferenceSwitch.off.rawValue)
            throw DBusError(.invalidArgs, "The preference \"\(preference)\" is neither \"\(on)\" nor \"\(off)\".")
        }
        return value.isOn
    }

    /// The service's preferences with the user's pending changes. Stale ones are reloaded first; if that fails or
    /// exceeds the timeout, the stale ones are returned.
    private func shown(of preferences: any PreferencesProvider) async throws(DBusError) -> PreferencesContents {
        try await untilRestored()
        if preferenceWork.loading.isStale, connection.state == .online { await reload(preferences) }
        let contents = try await request { () async throws(ProviderFailure) in try await self.contents(of: preferences)
        }
        return contents.applying(preferenceWork.outbox.changes, by: provider.rules)
    }

    /// The loaded preferences. Loads them if necessary.
    func contents(of preferences: any PreferencesProvider) async throws(ProviderFailure) -> PreferencesContents {
        let contents = try await preferences.contents()
        if preferenceWork.loading.age == nil { recordLoad() }
        return contents
    }

    private func recordLoad() { preferenceWork.loading.age = environment.clock.stopwatch() }

    /// Concurrent callers share one request.
    private func reload(_ preferences: any PreferencesProvider) async {
        if preferenceWork.loading.isUnderWay {
            await preferenceWork.loading.waiters.add().wait()
            return
        }
        preferenceWork.loading.isUnderWay = true
        let isLoaded = await withTaskGroup { [clock = environment.clock] group in
            group.addTask { (try? await preferences.refresh()) != nil }
            group.addTask {
                try? await clock.sleep(for: PreferenceLoading.timeout)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        if isLoaded { recordLoad() }
        preferenceWork.loading.isUnderWay = false
        preferenceWork.loading.waiters.wakeAll()
    }
}

/// The age of the loaded preferences, and the callers that wait for a reload.
struct PreferenceLoading: Sendable {
    /// The age of stale preferences. They may change elsewhere, and the service sends no event then.
    private static let limit = Duration.seconds(60)
    /// The timeout of a reload.
    static let timeout = Duration.seconds(3)

    /// The time since the last load; nil: never loaded.
    var age: (@Sendable () -> Duration)?
    var isUnderWay = false
    var waiters = Waiters()

    var isStale: Bool { age.map { $0() > Self.limit } ?? false }
}

extension Clock where Duration == Swift.Duration {
    /// A function that returns the time since this call.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
