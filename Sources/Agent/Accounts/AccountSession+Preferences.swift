import AgentInterface
import DBus
import Inbox
import Logging

/// `org.feedbell.Agent1.Preferences`: what callers ask of the preferences.
extension AccountSession {
    func add(_ preferences: any PreferencesProvider, to object: inout ExportedObject) {
        object.set(AgentPreferences.pending, 0)
        object.handle(AgentPreferences.list) {
            try await self.ask { () async throws(ProviderFailure) in try await preferences.contents() }
                .categories.map(\.dictionary)
        }
        object.handle(AgentPreferences.listChannels) {
            try await self.ask { () async throws(ProviderFailure) in try await preferences.contents() }
                .levels.map { Structure($0.channel, $0.isOnlyRequired ? "required" : "all") }
        }
        object.handle(AgentPreferences.setCategory) { category, preference in
            try await self.set(.category(category, isOn: try Self.isOn(preference)), of: preferences)
        }
        object.handle(AgentPreferences.setCategoryChannel) { category, channel, preference in
            let change = PreferenceChange.channel(channel, inCategory: category, isOn: try Self.isOn(preference))
            try await self.set(change, of: preferences)
        }
        object.handle(AgentPreferences.setChannel) { channel, level in
            guard let onlyRequired = ["all": false, "required": true][level] else {
                throw DBusError(.invalidArgs, "The level \"\(level)\" is neither \"all\" nor \"required\".")
            }
            try await self.set(.overall(channel: channel, onlyRequired: onlyRequired), of: preferences)
        }
        object.handle(AgentPreferences.flush) {
            do throws(DBusError) {
                try await self.ask { () async throws(ProviderFailure) in try await preferences.flush() }
            } catch {
                await self.note(pendingOf: preferences)
                throw error
            }
            await self.note(pendingOf: preferences)
        }
        object.handle(AgentPreferences.refresh) {
            try await self.ask { () async throws(ProviderFailure) in try await preferences.refresh() }
        }
    }

    private static func isOn(_ preference: String) throws(DBusError) -> Bool {
        guard let isOn = ["opt_in": true, "opt_out": false][preference] else {
            throw DBusError(.invalidArgs, "The preference \"\(preference)\" is neither \"opt_in\" nor \"opt_out\".")
        }
        return isOn
    }

    private func set(_ change: PreferenceChange, of preferences: any PreferencesProvider) async throws(DBusError) {
        try await ask { () async throws(ProviderFailure) in try await preferences.set(change) }
        await note(pendingOf: preferences)
    }

    private func note(pendingOf preferences: any PreferencesProvider) async {
        let count = UInt32(clamping: await preferences.pending)
        await bus.update(path) { $0.set(AgentPreferences.pending, count) }
    }

    /// What the service, or somebody here, did to the preferences.
    func receive(_ event: PreferencesEvent, from preferences: any PreferencesProvider) async {
        guard !isEnded else { return }
        await note(pendingOf: preferences)
        do {
            switch event {
            case .updated:
                try await bus.emit(AgentPreferences.updated, (), from: path)
            case .failed(let target, let failure):
                logger.warning(
                    "preference change refused",
                    metadata: ["target": "\(target)", "reason": "\(failure.sentence)"]
                )
                let error = failure.errorName.text
                try await bus.emit(AgentPreferences.updateFailed, (target, error, failure.sentence), from: path)
            }
        } catch {
            logger.debug("signal not sent", metadata: ["error": "\(error)"])
        }
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
            "preference": .string(isOn ? "opt_in" : "opt_out"),
            "editable": .bool(isEditable),
            "channels": Value(channels.map { Structure($0.name, $0.isOn ? "opt_in" : "opt_out", $0.isEditable) }),
        ]
    }
}
