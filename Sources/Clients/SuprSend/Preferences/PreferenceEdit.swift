/// One change by the user.
package enum PreferenceEdit: Sendable, Hashable {
    /// Of a category.
    case category(String, PreferenceOption)
    /// Of a channel in a category.
    case channel(String, PreferenceOption, category: String)
    /// Of a channel across all categories.
    case level(String, ChannelLevel)
    /// Of a category's digest schedule.
    case digest(DigestSchedule.Update, category: String)
    /// Of a category's properties.
    case properties([CategoryProperty.Update], category: String)

    package var target: PreferenceTarget {
        switch self {
        case .category(let slug, _), .channel(_, _, let slug), .digest(_, let slug), .properties(_, let slug):
            .category(slug)
        case .level(let channel, _): .channel(channel)
        }
    }

    /// Whether the edit waits for further toggles and is sent with them; otherwise it is sent at once, on its own.
    var isToggle: Bool {
        switch self {
        case .category, .channel, .level: true
        case .digest, .properties: false
        }
    }

    // MARK: Checks

    /// Checks the caller's values.
    func validate() throws(SuprSendError) {
        switch self {
        case .level("", _), .channel("", _, _):
            throw .validation(.invalidArgument, "The channel is empty; give its name, such as \"email\".")
        case .category("", _), .channel(_, _, category: ""), .digest(_, category: ""), .properties(_, category: ""):
            throw .emptyCategory
        case .category(_, let preference), .channel(_, let preference, _):
            guard preference == .optIn || preference == .optOut else {
                throw .validation(
                    .invalidArgument,
                    "The preference \"\(preference.rawValue)\" cannot be set; use optIn or optOut."
                )
            }
        case .digest(let update, let slug):
            guard update.id.isEmpty else { break }
            throw .validation(
                .invalidArgument,
                "The digest schedule of the category \"\(slug)\" has an empty id; give the id of one of its schedules."
            )
        case .properties(let updates, let slug): try Self.validate(updates, slug)
        case .level: break
        }
    }

    private static func validate(_ updates: [CategoryProperty.Update], _ slug: String) throws(SuprSendError) {
        if updates.isEmpty {
            throw .validation(
                .invalidArgument,
                "No property of the category \"\(slug)\" is given; give at least one key with its value."
            )
        }
        for update in updates {
            if update.key.isEmpty {
                throw .validation(
                    .invalidArgument,
                    "A property of the category \"\(slug)\" has an empty key; give the key of one of its properties."
                )
            }
            if update.value == .null {
                throw .validation(
                    .invalidArgument,
                    "The property \"\(update.key)\" of the category \"\(slug)\" has no value; give one, or omit it."
                )
            }
        }
    }

    /// Whether the edit changes anything in `data`; throws why it is not allowed.
    func changes(_ data: PreferenceData) throws(SuprSendError) -> Bool {
        switch target {
        case .channel(let name):
            if data.channelPreferences == nil {
                throw .validation(
                    .invalidState,
                    "The channel \"\(name)\" cannot be changed: the service sent no list of channels; "
                        + "load the preferences again with getPreferences()."
                )
            }
            guard let channel = data.channel(name) else {
                throw .validation(
                    .notFound,
                    "The preferences have no channel \"\(name)\"; check its name, "
                        + "or load them again with getPreferences()."
                )
            }
            guard case .level(_, let level) = self else { return true }
            return channel.level != level
        case .category(let slug):
            if data.sections == nil {
                throw .validation(
                    .invalidState,
                    "The category \"\(slug)\" cannot be changed: the service sent no categories; "
                        + "load the preferences again with getPreferences()."
                )
            }
            guard let category = data.category(slug) else {
                throw .validation(
                    .notFound,
                    "The preferences have no category \"\(slug)\"; check its slug and the tags they were loaded with, "
                        + "or load them again with getPreferences()."
                )
            }
            return try changes(category)
        }
    }

    private func changes(_ category: PreferenceCategory) throws(SuprSendError) -> Bool {
        switch self {
        case .category(_, let preference):
            guard category.isEditable else {
                throw .validation(
                    .invalidArgument,
                    "The category \"\(category.slug)\" cannot be switched on or off: "
                        + "it is not editable at the service; its editable channels can be."
                )
            }
            return category.preference != preference
        case .channel(let name, let preference, _):
            guard let channel = category.channels.first(where: { $0.channel == name }) else {
                throw .validation(
                    .notFound,
                    "The category \"\(category.slug)\" has no channel \"\(name)\"; check its name, "
                        + "or load the preferences with showOptOutChannels."
                )
            }
            guard channel.isEditable else {
                throw .validation(
                    .invalidArgument,
                    "The channel \"\(name)\" of the category \"\(category.slug)\" cannot be switched on or off: "
                        + "it is not editable at the service."
                )
            }
            // Opting in to a channel opts in to its category, too.
            return channel.preference != preference || preference == .optIn && category.preference != .optIn
        default: return true
        }
    }

    // MARK: Effects

    func apply(to data: inout PreferenceData) {
        switch target {
        case .channel(let name):
            if case .level(_, let level) = self { data.updateChannel(name) { $0.level = level } }
        case .category(let slug): data.update(slug, apply)
        }
    }

    func apply(to category: inout PreferenceCategory) {
        switch self {
        case .category(_, let preference): category.preference = preference
        case .channel(let name, let preference, _):
            if let index = category.channels.firstIndex(where: { $0.channel == name }) {
                category.channels[index].preference = preference
            } else {
                // The response may omit it; the request's list must include it.
                category.channels.append(ChannelPreference(channel: name, preference: preference))
            }
            if preference == .optIn { category.preference = .optIn }
        case .digest(let update, _): category.digestSchedule?.apply(update)
        case .properties(let updates, _):
            for update in updates {
                guard let index = category.properties.firstIndex(where: { $0.key == update.key }) else { continue }
                category.properties[index].value = update.value
                category.properties[index].isOverridden = true
            }
        case .level: break
        }
    }
}

extension SuprSendError {
    static let emptyCategory = validation(
        .invalidArgument,
        "The category is empty; give its slug, such as \"refund-news\"."
    )
}
