/// The user's notification preferences at a service.
package protocol PreferencesProvider: Sendable {
    /// Follows the preferences until the task is cancelled. Calls `changed` when the result of ``contents()`` has
    /// changed.
    func run(_ changed: @escaping @Sendable () async -> Void) async

    /// The preferences; loads them if they are not loaded. Changes in flight may be included or not.
    func contents() async throws(ProviderFailure) -> PreferencesContents

    /// Reloads everything.
    func refresh() async throws(ProviderFailure)

    /// Sends changes of one target in one request. Returns when the service has confirmed them and ``contents()``
    /// includes them.
    func apply(_ changes: [PreferenceChange]) async throws(ProviderFailure)
}

/// All preferences, at one moment.
package struct PreferencesContents: Hashable, Sendable {
    /// A category of notifications.
    package struct Category: Hashable, Sendable {
        /// The section that contains it; empty for none.
        package var section: String
        package var sectionDescription: String
        /// The service's identifier.
        package var id: String
        /// The name to display.
        package var name: String
        package var description: String
        package var isOn: Bool
        package var isEditable: Bool
        package var channels: [Channel]

        package init(
            section: String = "",
            sectionDescription: String = "",
            id: String,
            name: String,
            description: String = "",
            isOn: Bool,
            isEditable: Bool,
            channels: [Channel] = []
        ) {
            self.section = section
            self.sectionDescription = sectionDescription
            self.id = id
            self.name = name
            self.description = description
            self.isOn = isOn
            self.isEditable = isEditable
            self.channels = channels
        }
    }

    /// A delivery channel of a category.
    package struct Channel: Hashable, Sendable {
        package var name: String
        package var isOn: Bool
        package var isEditable: Bool

        package init(name: String, isOn: Bool, isEditable: Bool) {
            self.name = name
            self.isOn = isOn
            self.isEditable = isEditable
        }
    }

    /// The level of a whole channel.
    package struct Level: Hashable, Sendable {
        package var channel: String
        package var isOnlyRequired: Bool

        package init(channel: String, isOnlyRequired: Bool) {
            self.channel = channel
            self.isOnlyRequired = isOnlyRequired
        }
    }

    /// In the service's order.
    package var categories: [Category]
    package var levels: [Level]

    package init(categories: [Category] = [], levels: [Level] = []) {
        self.categories = categories
        self.levels = levels
    }
}
