/// The digest schedule and properties of a category of preferences. A PATCH changes only the members that it contains.
enum CategoryDetails {
    /// The schedule after setting the `value` of its parts to the choice.
    static func digest(_ schedule: JSON?, choosing choice: JSON) throws(Refusal) -> JSON {
        guard var schedule = schedule?.object, let id = schedule["id"]?.string else {
            throw .invalid("digest_schedule", "the category has none")
        }
        guard let choice = choice.object, choice["id"]?.string == id else {
            throw .invalid("digest_schedule.id", "must be one of \(id)")
        }
        for (name, value) in choice.sorted(by: { $0.key < $1.key }) where name != "id" {
            guard var part = schedule[name]?.object, ["time", "dtstart", "weekdays", "monthdays"].contains(name) else {
                throw .invalid("digest_schedule.\(name)", "is not a part of this schedule")
            }
            guard part["edit_policy"]?.string == "editable" else {
                throw .invalid("digest_schedule.\(name)", "is locked")
            }
            switch (name, value) {
            case ("time", .string), ("dtstart", .string), ("weekdays", .array), ("monthdays", .array): break
            default: throw .invalid("digest_schedule.\(name)", "has the wrong type")
            }
            part["value"] = value
            schedule[name] = .object(part)
        }
        schedule["is_user_selected"] = true
        return .object(schedule)
    }

    /// The properties after setting the values of a list of `{key, value}`.
    static func properties(_ properties: JSON?, choosing choices: JSON) throws(Refusal) -> JSON {
        guard let choices = choices.array else { throw .invalid("properties", "must be a list") }
        var properties = properties?.array ?? []
        for (position, choice) in choices.enumerated() {
            let field = "properties[\(position)]"
            guard let choice = choice.object, Set(choice.keys) == ["key", "value"], let value = choice["value"] else {
                throw .invalid(field, "must have key and value")
            }
            guard let index = properties.firstIndex(where: { $0["key"] == choice["key"] }),
                var property = properties[index].object
            else { throw .invalid(field + ".key", "is not a property of this category") }
            guard property["edit_policy"]?.string == "editable" else { throw .invalid(field, "is locked") }
            switch (property["value_type"]?.string, value) {
            case ("integer", .integer), ("string", .string), ("string_choice", .string), ("string_dynamic", .string):
                break
            case ("list_choice", _), ("list_dynamic", _):
                if value.strings == nil { throw .invalid(field + ".value", "must be a list of strings") }
            default: throw .invalid(field + ".value", "has the wrong type")
            }
            property["value"] = value
            property["is_overridden"] = true
            properties[index] = .object(property)
        }
        return .array(properties)
    }
}
