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
                Structure($0.channel, $0.isOnlyRequired ? "required" : "all")
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
            guard let onlyRequired = ["all": false, "required": true][level] else {
                throw DBusError(.invalidArgs, "The level \"\(level)\" is neither \"all\" nor \"required\".")
            }
            try await self.set(.overall(channel: channel, onlyRequired: onlyRequired), of: preferences)
        }
        object.handle(AgentPreferences.flush) { try await self.flushPreferences() }
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

    /// What the service says, with the person's changes.
    private func shown(of preferences: any PreferencesProvider) async throws(DBusError) -> PreferencesContents {
        await untilRestored()
        let contents = try await ask { () async throws(ProviderFailure) in try await preferences.contents() }
        return contents.applying(preferenceWork.outbox.changes)
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
