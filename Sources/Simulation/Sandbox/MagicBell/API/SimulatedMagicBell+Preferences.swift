extension SimulatedMagicBell {
    /// `/notification_preferences`: with `accept-version: v2` categories are a list, otherwise an object of booleans.
    mutating func preferences(_ request: ServiceRequest, _ path: [String], _ user: SimulatedUser) throws(Refusal)
        -> Answer
    {
        guard path.count == 1, ["GET", "PUT"].contains(request.method) else { throw .noMagicBellRoute(request) }
        let query = try RequestQuery(request.rawQuery)
        try query.finish()
        let isNewer = hasNewerPreferences && request.headers["accept-version"] == "v2"
        if request.method == "GET" {
            try requireNoBody(request)
        } else {
            guard let body = try object(of: request)["notification_preferences"]?.object else {
                throw .magicBell(.body, 422, "The body must be {\"notification_preferences\":{\"categories\":…}}.")
            }
            try apply(
                isNewer
                    ? try PreferenceBody.toggles(body["categories"], category: "slug", channel: "slug")
                    : try PreferenceBody.olderToggles(body["categories"]),
                of: user.id
            )
        }
        let preferences = self[user.id].preferences
        let categories = isNewer ? preferences.json : preferences.olderJSON
        return Answer(ServiceResponse(json: ["notification_preferences": ["categories": categories]]))
    }

    mutating func apply(_ toggles: [SimulatedPreferences.Toggle], of user: String) throws(Refusal) {
        if let unknown = self[user].preferences.apply(toggles) {
            throw .notFound("channel '\(unknown.channel)' of category '\(unknown.category)'")
        }
    }
}

/// The bodies of requests that change preferences, in their three forms.
enum PreferenceBody {
    /// A list of categories with lists of channels; `category` and `channel` name the member with the id.
    static func toggles(_ categories: JSON?, category idKey: String, channel channelKey: String) throws(Refusal)
        -> [SimulatedPreferences.Toggle]
    {
        guard let categories = categories?.array else {
            throw .magicBell(.body, 422, "'categories' must be a list.")
        }
        var toggles: [SimulatedPreferences.Toggle] = []
        for category in categories {
            try requireKeys(of: category, [idKey, "label", "channels"])
            guard let slug = category[idKey]?.string, let channels = category["channels"]?.array else {
                throw .magicBell(.body, 422, "A category must have '\(idKey)' and a list 'channels'.")
            }
            for channel in channels {
                try requireKeys(of: channel, [channelKey, "label", "enabled"])
                guard let name = channel[channelKey]?.string, let enabled = channel["enabled"]?.bool else {
                    throw .magicBell(.body, 422, "A channel must have '\(channelKey)' and a boolean 'enabled'.")
                }
                toggles.append(.init(category: slug, channel: name, enabled: enabled))
            }
        }
        return toggles
    }

    /// An object of categories whose values hold a boolean for each of four channels.
    static func olderToggles(_ categories: JSON?) throws(Refusal) -> [SimulatedPreferences.Toggle] {
        guard let categories = categories?.object else {
            throw .magicBell(.body, 422, "'categories' must be an object without accept-version: v2.")
        }
        var toggles: [SimulatedPreferences.Toggle] = []
        for (slug, channels) in categories.sorted(by: { $0.key < $1.key }) {
            try requireKeys(of: channels, SimulatedPreferences.olderChannels)
            for (name, value) in (channels.object ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let enabled = value.bool else {
                    throw .magicBell(.body, 422, "'\(name)' of '\(slug)' must be a boolean.")
                }
                toggles.append(.init(category: slug, channel: name, enabled: enabled))
            }
        }
        return toggles
    }

    private static func requireKeys(of json: JSON, _ known: Set<String>) throws(Refusal) {
        guard let object = json.object else { throw .magicBell(.body, 422, "An object is expected, not \(json.text).") }
        if let key = object.keys.sorted().first(where: { !known.contains($0) }) {
            throw .magicBell(.body, 422, "Preferences have no member '\(key)'.")
        }
    }
}
