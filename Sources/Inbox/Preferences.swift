/// A person's notification preferences at a service.
package protocol PreferencesProvider: Sendable {
    /// Follows the preferences until the task is cancelled, and sends what was changed.
    func run(_ emit: @escaping @Sendable (PreferencesEvent) async -> Void) async

    /// What is known now, with changes that wait; loaded first if nothing is.
    func contents() async throws(ProviderFailure) -> PreferencesContents

    /// How many changes are not confirmed yet.
    var pending: Int { get async }

    /// Loads everything again.
    func refresh() async throws(ProviderFailure)

    /// Changes one value. It shows at once and is sent in the background.
    func set(_ change: PreferenceChange) async throws(ProviderFailure)

    /// Sends what waits and returns when all of it is confirmed; else throws the first refusal, which is undone.
    func flush() async throws(ProviderFailure)
}

/// What happened to preferences.
package enum PreferencesEvent: Hashable, Sendable {
    /// A value changed, here or at the service.
    case updated
    /// The service refused a change, and the old value is back. `target`: the category or channel.
    case failed(target: String, ProviderFailure)
}

/// One value a person changes.
package enum PreferenceChange: Hashable, Sendable {
    case category(String, isOn: Bool)
    case channel(String, inCategory: String, isOn: Bool)
    /// A channel as a whole: for everything, or only where it is required.
    case overall(channel: String, onlyRequired: Bool)
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
