/// The preferences of one user in one tenant, and the effect of a PATCH on them.
package struct StoredPreferences: Sendable, Equatable {
    package var sections: JSON
    package var channels: JSON

    package init(sections: JSON, channels: JSON) {
        self.sections = sections
        self.channels = channels
    }

    /// The full preferences, as the service sends them.
    package var full: JSON { full(.everything) }

    func full(_ view: PreferencesSelection) -> JSON {
        ["sections": view.sections(sections), "channel_preferences": channels]
    }

    /// All categories in order. Internal members, which are not sent: `tags` for filtering, and `translations`, which
    /// maps a locale to a name and description.
    package var categories: [JSON] {
        (sections.array ?? []).flatMap { $0["subcategories"]?.array ?? [] }
    }

    package func category(_ slug: String) -> JSON? {
        categories.first { $0["category"]?.string == slug }
    }

    /// Changes a category and returns it. Validates the change strictly.
    mutating func patchCategory(_ slug: String, _ body: JSON) throws(Refusal) -> JSON {
        guard var category = category(slug)?.object else {
            throw Refusal(.route, .bare(404, "category '\(slug)' not found"), "There is no category '\(slug)'.")
        }
        guard let change = body.object, let preference = change["preference"]?.string,
            ["opt_in", "opt_out"].contains(preference)
        else { throw .invalid("preference", "must be one of opt_in, opt_out") }
        let known = ["preference", "opt_out_channels", "opt_in_channels", "digest_schedule", "properties"]
        if let key = change.keys.sorted().first(where: { !known.contains($0) }) {
            throw .invalid(key, "is not a known key")
        }
        if category["is_editable"]?.bool == false, category["preference"]?.string != preference {
            throw .invalid("preference", "category '\(slug)' is not editable")
        }
        let channels = category["channels"]?.array ?? []
        let optOut = try Self.list("opt_out_channels", in: change, of: channels)
        let optIn = try Self.list("opt_in_channels", in: change, of: channels)

        category["preference"] = .string(preference)
        // Every change, also of a digest or of properties, replaces the choices of channels: `preference` is required,
        // and "opt_in" without a list opts in to all editable channels.
        category["channels"] = .array(
            channels.map { Self.channel($0, preference: preference, optOut: optOut, optIn: optIn) }
        )
        if let choice = change["digest_schedule"] {
            category["digest_schedule"] = try CategoryDetails.digest(category["digest_schedule"], choosing: choice)
        }
        if let choices = change["properties"] {
            category["properties"] = try CategoryDetails.properties(category["properties"], choosing: choices)
        }
        replace(slug, with: .object(category))
        return .object(category)
    }

    /// Changes overall channels and returns all of them.
    mutating func patchChannels(_ body: JSON) throws(Refusal) -> JSON {
        guard let object = body.object, object.count == 1, let changes = object["channel_preferences"]?.array else {
            throw .invalid("channel_preferences", "must be a list")
        }
        var list = channels.array ?? []
        for (position, change) in changes.enumerated() {
            guard let name = change["channel"]?.string,
                let index = list.firstIndex(where: { $0["channel"]?.string == name })
            else {
                let names = list.compactMap { $0["channel"]?.string }.joined(separator: ", ")
                throw .invalid("channel_preferences[\(position)].channel", "must be one of \(names)")
            }
            if let key = change.object?.keys.sorted().first(where: { $0 != "channel" && $0 != "is_restricted" }) {
                throw .invalid("channel_preferences[\(position)].\(key)", "is not a known key")
            }
            guard let restricted = change["is_restricted"]?.bool else {
                throw .invalid("channel_preferences[\(position)].is_restricted", "must be a boolean")
            }
            list[index] = ["channel": .string(name), "is_restricted": .bool(restricted)]
        }
        channels = .array(list)
        return ["channel_preferences": channels]
    }

    /// One channel of a category after a PATCH. "opt_in" opts out of the editable channels in `opt_out_channels` and in
    /// to the other editable ones; "opt_out" opts out of all channels except those in `opt_in_channels`.
    private static func channel(_ channel: JSON, preference: String, optOut: [String]?, optIn: [String]?) -> JSON {
        guard var object = channel.object, let name = object["channel"]?.string else { return channel }
        let isEditable = object["is_editable"]?.bool ?? true
        if preference == "opt_out" {
            object["preference"] = optIn?.contains(name) == true ? "opt_in" : "opt_out"
        } else if optOut?.contains(name) == true {
            object["preference"] = "opt_out"
        } else if isEditable {
            object["preference"] = "opt_in"
        }
        return .object(object)
    }

    private static func list(_ key: String, in change: [String: JSON], of channels: [JSON]) throws(Refusal) -> [String]?
    {
        guard let value = change[key], !value.isNull else { return nil }
        guard let names = value.strings else { throw .invalid(key, "must be a list of channel names") }
        let known = channels.compactMap { $0["channel"]?.string }
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw .invalid(key, "category has no channel '\(unknown)'")
        }
        return names
    }

    private mutating func replace(_ slug: String, with category: JSON) {
        sections = .array(
            (sections.array ?? []).map { section in
                guard var object = section.object, let list = object["subcategories"]?.array else { return section }
                object["subcategories"] = .array(list.map { $0["category"]?.string == slug ? category : $0 })
                return .object(object)
            }
        )
    }
}

extension Refusal {
    /// The answer 400 to an invalid field of preferences.
    static func invalid(_ field: String, _ problem: String) -> Refusal {
        Refusal(
            .body,
            .bare(400, "validation failed", detail: .object([field: .string(problem)])),
            "The preference body is invalid: \(field) \(problem)."
        )
    }
}
