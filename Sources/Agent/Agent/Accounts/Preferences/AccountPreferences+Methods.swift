import AgentInterface
import DBus
import Inbox

/// The methods of `org.feedbell.Agent1.Preferences`.
extension AccountPreferences {
    nonisolated func add(to object: inout ExportedObject) {
        object.set(AgentPreferences.pending, 0)
        object.handle(AgentPreferences.list) { try await self.shown().categories.map(\.dictionary) }
        object.handle(AgentPreferences.listChannels) {
            try await self.shown().levels.map {
                Structure($0.channel, PreferenceLevel(isOnlyRequired: $0.isOnlyRequired).rawValue)
            }
        }
        object.handle(AgentPreferences.setCategory) { category, preference in
            try self.require(.categoryPreferences, "preferences of whole categories; change their channels")
            try await self.submit(.category(category, isOn: try Self.isOn(preference)))
        }
        object.handle(AgentPreferences.setCategoryChannel) { category, channel, preference in
            try await self.submit(.channel(channel, inCategory: category, isOn: try Self.isOn(preference)))
        }
        object.handle(AgentPreferences.setChannel) { channel, level in
            guard let level = PreferenceLevel(rawValue: level) else {
                throw DBusError(.invalidArgs, "The level \"\(level)\" is neither \"all\" nor \"required\".")
            }
            try self.require(.channelLevels, "levels of channels; change the channels of categories")
            try await self.submit(.overall(channel: channel, onlyRequired: level.isOnlyRequired))
        }
        object.handle(AgentPreferences.setDigest) { category, schedule in
            try self.require(.digest, "digest schedules")
            try await self.submit(.digest(try PreferencesContents.Digest.Change(schedule), inCategory: category))
        }
        object.handle(AgentPreferences.setProperty) { category, property, value in
            try self.require(.properties, "properties of categories")
            try await self.submit(.property(property, try PropertyValue(value), inCategory: category))
        }
        object.handle(AgentPreferences.flush) { try await self.flush() }
        object.handle(AgentPreferences.refresh) { try await self.refresh() }
    }

    private nonisolated func require(_ capability: Capabilities, _ what: String) throws(DBusError) {
        if capabilities.contains(capability) { return }
        throw DBusError(
            AgentErrors.notSupported,
            "\(subject) does not support \(what). See its Capabilities."
        )
    }

    private static func isOn(_ preference: String) throws(DBusError) -> Bool {
        guard let value = PreferenceSwitch(rawValue: preference) else {
            let (on, off) = (PreferenceSwitch.on.rawValue, PreferenceSwitch.off.rawValue)
            throw DBusError(.invalidArgs, "The preference \"\(preference)\" is neither \"\(on)\" nor \"\(off)\".")
        }
        return value.isOn
    }
}
