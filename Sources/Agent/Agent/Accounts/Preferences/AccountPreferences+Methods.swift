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
            try await self.submit(PreferenceChange(name: "SetCategory", arguments: [category, preference]))
        }
        object.handle(AgentPreferences.setCategoryChannel) { category, channel, preference in
            let arguments = [category, channel, preference]
            try await self.submit(PreferenceChange(name: "SetCategoryChannel", arguments: arguments))
        }
        object.handle(AgentPreferences.setChannel) { channel, level in
            let change = try PreferenceChange(name: "SetChannel", arguments: [channel, level])
            try self.require(.channelLevels, "levels of channels; change the channels of categories")
            try await self.submit(change)
        }
        object.handle(AgentPreferences.setDigest) { category, schedule in
            try self.require(.digest, "digest schedules")
            try await self.submit(.digest(try PreferencesContents.Digest.Change(schedule), inCategory: category))
        }
        object.handle(AgentPreferences.setProperty) { category, property, value in
            try self.require(.properties, "properties of categories")
            try await self.submit(.property(property, try PropertyValue(value), inCategory: category))
        }
        object.handle(AgentPreferences.setTopic) { topic, isSubscribed in
            try self.require(.topics, "subscriptions to topics")
            let arguments = [topic, PreferenceSwitch(isOn: isSubscribed).rawValue]
            try await self.submit(PreferenceChange(name: "SetTopic", arguments: arguments))
        }
        object.handle(AgentPreferences.flush) { try await self.flush() }
        object.handle(AgentPreferences.refresh) { try await self.refresh() }
    }

    private nonisolated func require(_ capability: Capabilities, _ what: String) throws(DBusError) {
        if capabilities.contains(capability) { return }
        throw DBusError(
            AgentErrors.notSupported,
            "\(subject) does not support \(what)."
        )
    }
}
