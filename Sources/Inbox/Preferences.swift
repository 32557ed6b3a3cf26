/// A person's notification preferences at a service.
package protocol PreferencesProvider: Sendable {
    /// Follows the preferences until the task is cancelled. `changed`: what ``contents()`` says is something else.
    func run(_ changed: @escaping @Sendable () async -> Void) async

    /// What is known now; loaded first if nothing is. Changes that are being made may be in it or not.
    func contents() async throws(ProviderFailure) -> PreferencesContents

    /// Loads everything again.
    func refresh() async throws(ProviderFailure)

    /// Makes changes of one target at the service, in one request. Returns when the service has confirmed them, and ``contents()`` says so.
    func apply(_ changes: [PreferenceChange]) async throws(ProviderFailure)
}

/// All preferences, at one moment.
package struct PreferencesContents: Hashable, Sendable {
    /// One kind of notifications.
    package struct Category: Hashable, Sendable {
        /// The heading it stands under; empty for none.
        package var section: String
        package var sectionDescription: String
        /// The service's name for it.
        package var id: String
        /// The name for people.
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

    /// One way in which notifications of a category come.
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

    /// A channel as a whole.
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
