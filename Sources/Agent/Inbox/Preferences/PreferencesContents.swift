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
        /// nil: no digests.
        package var digest: Digest?
        package var properties: [Property]

        package init(
            section: String = "",
            sectionDescription: String = "",
            id: String,
            name: String,
            description: String = "",
            isOn: Bool,
            isEditable: Bool,
            channels: [Channel] = [],
            digest: Digest? = nil,
            properties: [Property] = []
        ) {
            self.section = section
            self.sectionDescription = sectionDescription
            self.id = id
            self.name = name
            self.description = description
            self.isOn = isOn
            self.isEditable = isEditable
            self.channels = channels
            self.digest = digest
            self.properties = properties
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

// MARK: Changes

extension PreferencesContents {
    /// The preferences with pending changes applied optimistically.
    package func applying(_ changes: [PreferenceChange], by rules: ServiceRules) -> PreferencesContents {
        var contents = self
        for change in changes { contents.apply(change, by: rules) }
        return contents
    }

    private mutating func apply(_ change: PreferenceChange, by rules: ServiceRules) {
        switch change {
        case .category(let id, let isOn):
            for index in categories.indices where categories[index].id == id { categories[index].isOn = isOn }
        case .channel(let name, let id, let isOn):
            for index in categories.indices where categories[index].id == id {
                if isOn, rules.channelSwitchesCategoryOn { categories[index].isOn = true }
                for channel in categories[index].channels.indices
                where categories[index].channels[channel].name == name {
                    categories[index].channels[channel].isOn = isOn
                }
            }
        case .overall(let channel, let onlyRequired):
            for index in levels.indices where levels[index].channel == channel {
                levels[index].isOnlyRequired = onlyRequired
            }
        case .digest(let change, let id):
            for index in categories.indices where categories[index].id == id { categories[index].digest?.apply(change) }
        case .property(let name, let value, let id):
            for index in categories.indices where categories[index].id == id {
                for property in categories[index].properties.indices
                where categories[index].properties[property].id == name {
                    categories[index].properties[property].value = value
                    categories[index].properties[property].isOverridden = true
                }
            }
        case .topic: break
        }
    }

    /// The change, if it is possible. One of a digest schedule gets the schedule's id.
    ///
    /// - Throws: `notFound`, `notEditable`, `unsupported` or `invalid`.
    package func checked(_ change: PreferenceChange) throws(ServiceFailure) -> PreferenceChange {
        switch change {
        case .topic: return change
        case .category(let id, _):
            if try category(id).isEditable { return change }
            throw ServiceFailure(.notEditable, "Cannot change the category \"\(id)\": the sender requires it.")
        case .channel(let channel, let id, _):
            let channels = try category(id).channels
            guard let found = channels.first(where: { $0.name == channel }) else {
                let names = channels.map(\.name).joined(separator: ", ")
                throw ServiceFailure(
                    .notFound,
                    "The category \"\(id)\" has no channel \"\(channel)\". Its channels: \(names)."
                )
            }
            if found.isEditable { return change }
            throw ServiceFailure(
                .notEditable,
                "Cannot change the channel \"\(channel)\" of \"\(id)\": the sender requires it."
            )
        case .overall(let channel, _):
            if levels.contains(where: { $0.channel == channel }) { return change }
            throw ServiceFailure(.notFound, "There is no channel \"\(channel)\". ListChannels lists all channels.")
        case .digest(let update, let id):
            guard let digest = try category(id).digest else {
                throw ServiceFailure(
                    .unsupported,
                    "The category \"\(id)\" has no digest schedule. List shows which have."
                )
            }
            return .digest(try digest.checked(update, of: id), inCategory: id)
        case .property(let name, let value, let id):
            let properties = try category(id).properties
            guard let property = properties.first(where: { $0.id == name }) else {
                let names = properties.map(\.id).joined(separator: ", ")
                throw ServiceFailure(
                    .notFound,
                    "The category \"\(id)\" has no property \"\(name)\". "
                        + (names.isEmpty ? "It has none." : "Its properties: \(names).")
                )
            }
            try property.check(value, of: id)
            return change
        }
    }

    /// The category with this id.
    ///
    /// - Throws: `notFound`.
    package func category(_ id: String) throws(ServiceFailure) -> Category {
        guard let category = categories.first(where: { $0.id == id }) else {
            throw ServiceFailure(.notFound, "There is no category \"\(id)\". List lists all categories.")
        }
        return category
    }
}
