import AgentInterface
import DBus
import Inbox
import Logging

/// `org.feedbell.Agent1.Preferences`: what callers ask of the preferences.
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
            try await self.ask { () async throws(ProviderFailure) in try await preferences.refresh() }
            await self.noteLoad()
        }
    }

    private static func isOn(_ preference: String) throws(DBusError) -> Bool {
        guard let value = PreferenceSwitch(rawValue: preference) else {
            let (on, off) = (PreferenceSwitch.on.rawValue, PreferenceSwitch.off.rawValue)
            throw DBusError(.invalidArgs, "The preference \"\(preference)\" is neither \"\(on)\" nor \"\(off)\".")
        }
        return value.isOn
    }

    /// What the service says, with the person's changes. What was loaded some time ago is loaded anew first; where that takes long, or
    /// fails, it is shown as it is.
    private func shown(of preferences: any PreferencesProvider) async throws(DBusError) -> PreferencesContents {
        await untilRestored()
        if preferenceWork.loading.isOld, connection.state == .online { await loadAnew(preferences) }
        let contents = try await ask { () async throws(ProviderFailure) in try await self.contents(of: preferences) }
        return contents.applying(preferenceWork.outbox.changes, by: provider.rules)
    }

    /// What is loaded; loaded first if nothing is.
    func contents(of preferences: any PreferencesProvider) async throws(ProviderFailure) -> PreferencesContents {
        let contents = try await preferences.contents()
        if preferenceWork.loading.age == nil { noteLoad() }
        return contents
    }

    private func noteLoad() { preferenceWork.loading.age = surroundings.clock.stopwatch() }

    /// Callers that come together have one request together.
    private func loadAnew(_ preferences: any PreferencesProvider) async {
        if preferenceWork.loading.isUnderWay {
            let (ends, end) = AsyncStream<Never>.makeStream()
            preferenceWork.loading.waiters.append(end)
            for await _ in ends {}
            return
        }
        preferenceWork.loading.isUnderWay = true
        let isLoaded = await withTaskGroup { [clock = surroundings.clock] group in
            group.addTask { (try? await preferences.refresh()) != nil }
            group.addTask {
                try? await clock.sleep(for: PreferenceLoading.patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        if isLoaded { noteLoad() }
        preferenceWork.loading.isUnderWay = false
        for waiter in preferenceWork.loading.waiters { waiter.finish() }
        preferenceWork.loading.waiters = []
    }
}

/// How old the loaded preferences are, and who waits for newer ones.
struct PreferenceLoading: Sendable {
    /// They may have been changed elsewhere, and the service sends no event then.
    private static let limit = Duration.seconds(60)
    /// What is loaded is shown, if the service takes longer.
    static let patience = Duration.seconds(3)

    /// The time since they were loaded; nil: they never were.
    var age: (@Sendable () -> Duration)?
    var isUnderWay = false
    var waiters: [AsyncStream<Never>.Continuation] = []

    var isOld: Bool { age.map { $0() > Self.limit } ?? false }
}

extension Clock where Duration == Swift.Duration {
    /// The time from now on.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

extension PreferencesContents.Category {
    /// The category as `dbus/org.feedbell.Agent1.xml` describes it.
    fileprivate var dictionary: [String: Value] {
        [
            "section": .string(section),
            "section-description": .string(sectionDescription),
            "category": .string(id),
            "name": .string(name),
            "description": .string(description),
            "preference": .string(PreferenceSwitch(isOn: isOn).rawValue),
            "editable": .bool(isEditable),
            "channels": Value(
                channels.map { Structure($0.name, PreferenceSwitch(isOn: $0.isOn).rawValue, $0.isEditable) }
            ),
        ]
    }
}
